// One way to cut text into words for ad matching and product search, so that a query and a document
// always agree.

const marks = /\p{M}+/gu;
/**
 * A run of letters and digits, or one ideograph or kana or hangul block: scripts without spaces are
 * cut per character.
 */
const spaceless = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}]`;
const word = new RegExp(String.raw`${spaceless}|(?:(?!${spaceless})[\p{L}\p{N}])+`, 'gu');
const plainAscii = /^[\t\n\r -~]*$/;
const asciiWord = /[a-z0-9]+/g;
const apostrophes = /['’ʼ`]/g;
const possessive = /['’ʼ`]s\b/g;
const joinedWord = /[a-z0-9]+(?:[./_-][a-z0-9]+)*/g;

/** Lower case, compatibility forms folded, accents removed: "Café ２" reads as "cafe 2". */
export function fold(text: string): string {
  if (plainAscii.test(text)) return text.toLowerCase();
  return text.normalize('NFKD').replace(marks, '').toLowerCase().normalize('NFC');
}

/** Words in order, folded; "driver's" reads as "driver", "don't" as "dont". */
export function tokenize(text: string): string[] {
  const folded = fold(text).replace(possessive, '').replace(apostrophes, '');
  return folded.match(plainAscii.test(folded) ? asciiWord : word) ?? [];
}

/**
 * Model numbers and the like ("WH-1000XM5", "401k"): letters and digits mixed, joined without their
 * separators.
 */
export function identifiersIn(text: string): string[] {
  const found = fold(text).match(joinedWord) ?? [];
  return found
    .filter((each) => /\d/.test(each) && /[a-z]/.test(each))
    .map((each) => each.replace(/[./_-]/g, ''))
    .filter((each) => each.length >= 3);
}
