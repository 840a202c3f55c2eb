// Text of others made fit to stand in an ad: one line, no markup, no pictures, no shouting.
import { trimEndSigns } from '../text/trim-signs.js';
import { writingLists } from './writing-lists.js';

/** Single spaces, no control or invisible characters, no pictures, no markup. */
export function cleanText(text: string): string {
  return (
    text
      .replace(/<[^<>]*>/g, ' ')
      .replace(/\p{Cf}/gu, '')
      // Letters dressed up as symbols, which neither case rules nor review would recognise.
      .replace(/[\u{1D400}-\u{1D7FF}\u{FF01}-\u{FF5E}\u{2460}-\u{24FF}ªº]/gu, (sign) =>
        sign.normalize('NFKC'),
      )
      .replace(/\.{3,}/g, '…')
      .replace(/[\p{C}\p{Extended_Pictographic}\uFE0F]/gu, (sign) =>
        /[\d#*©®™]/.test(sign) ? sign : ' ',
      )
      .replace(/[<>{}[\]\\^`~|_*#]+/g, ' ')
      .replace(/[“”„«»]/g, '"')
      .replace(/[‘’]/g, '’')
      .replace(/([!?.,;:])\1+/g, '$1')
      .replace(/\s+/g, ' ')
      .replace(/ ([,.;:!?])/g, '$1')
      .trim()
  );
}

/** Capitals for emphasis are put down; names and abbreviations among small letters stay. */
export function calmText(text: string): string {
  const letters = text.match(/\p{L}/gu) ?? [];
  const capitals = text.match(/\p{Lu}/gu) ?? [];
  return letters.length >= 8 && capitals.length > letters.length * 0.6
    ? capitalize(text.toLowerCase())
    : text;
}

export function capitalize(text: string): string {
  return text.replace(
    /^([^\p{L}\p{N}]*)(\p{Ll})/u,
    (_, before: string, letter: string) => before + letter.toUpperCase(),
  );
}

/** Cut at a word, without what would dangle. */
export function cutAtWord(text: string, limit: number): string {
  if (text.length <= limit) return text;
  const cut = text.slice(0, limit + 1);
  const space = cut.lastIndexOf(' ');
  const whole = space > 0 ? cut.slice(0, space) : wholeCharacters(text, limit);
  return withoutDangling(whole);
}

const between = /[\s,;:–—-]/;
const smallWord = new RegExp(String.raw`^(?:${writingLists.smallWords})$`, 'i');

/** Without the small words at the end that would lead on to something. */
function withoutDangling(text: string): string {
  for (let rest = trimEndSigns(text, between); ;) {
    const word = /[^\s,;:–—-]{1,4}$/.exec(rest)?.[0] ?? '';
    const before = rest.slice(0, rest.length - word.length);
    if (!smallWord.test(word) || !between.test(before.at(-1) ?? '')) return rest;
    rest = trimEndSigns(before, between);
  }
}

function wholeCharacters(text: string, limit: number): string {
  return text.slice(0, limit).replace(/[\ud800-\udbff]$/, '');
}

const abbreviation =
  /(?:\b(?:e\.g|i\.e|etc|vs|mr|mrs|ms|dr|st|no|inc|ltd|co|approx)|\b\p{Lu})\.$/iu;

/** Sentences with their marks. */
export function splitSentences(text: string): string[] {
  const pieces = text.split(/(?<=[.!?…]["’)]?)\s+(?=["’(]?[\p{Lu}\p{N}])/u);
  const sentences: string[] = [];
  for (const piece of pieces) {
    const last = sentences.at(-1);
    if (last !== undefined && abbreviation.test(last))
      sentences[sentences.length - 1] = `${last} ${piece}`;
    else sentences.push(piece);
  }
  return sentences.map((sentence) => sentence.trim()).filter((sentence) => sentence !== '');
}

/** Ends as a sentence does. */
export function withStop(text: string): string {
  return /[.!?…]["’)]?$/.test(text) ? text : `${trimEndSigns(text, between)}.`;
}

/** Quotes and brackets that open also close. */
export function isBalanced(text: string): boolean {
  const count = (sign: string): number => text.split(sign).length - 1;
  return count('"') % 2 === 0 && count('(') === count(')');
}

/** The same words in the same order, whatever the case and marks. */
export function sameText(a: string, b: string): boolean {
  return wordsKey(a) === wordsKey(b);
}

export function wordsKey(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}
