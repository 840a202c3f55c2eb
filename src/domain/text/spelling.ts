/** Which words there are, and which of them people use when they want something. */
export type WordKnowledge = {
  /** Any word of the language, however rare: it is left as it is. */
  isWord(word: string): boolean;
  /** How often it is said where needs are told; null for what nothing is mended to. */
  useOf(word: string): number | null;
};

const shortest = 5;
const longest = 24;
/**
 * A hurried hand slips now and then; a text with more unknown words is code or another language.
 */
const mostUnknown = 8;
const mostUnknownShare = 0.25;
const letters = Array.from('abcdefghijklmnopqrstuvwxyz');

/**
 * Puts right what is plainly a slip of the pen, so that the model reads the word that was meant:
 * one letter swapped, lost, doubled, added or mistaken in a word that is none. What may be a name,
 * an address or code is left alone. Takes time in proportion to the text.
 */
export function mendSpelling(text: string, words: WordKnowledge): string {
  const found = plainWords(text);
  const unknown = found.filter(({ word }) => word.length >= shortest && !words.isWord(word));
  if (unknown.length === 0 || unknown.length > mostUnknown) return text;
  if (unknown.length > Math.max(1, found.length * mostUnknownShare)) return text;
  let mended = '';
  let at = 0;
  for (const { word, start } of unknown) {
    const meant = word.length > longest ? null : wordMeant(word, words);
    if (meant === null) continue;
    mended += text.slice(at, start) + meant;
    at = start + word.length;
  }
  return mended + text.slice(at);
}

/** The likeliest word one slip away; null when there is none. The first letter is seldom wrong. */
function wordMeant(word: string, words: WordKnowledge): string | null {
  let meant: string | null = null;
  let best = -Infinity;
  const consider = (candidate: string, likelihood: number): void => {
    const use = words.useOf(candidate);
    if (use === null) return;
    const score = likelihood + Math.log1p(use);
    if (score <= best) return;
    best = score;
    meant = candidate;
  };
  for (let at = 1; at <= word.length; at++) {
    const before = word.slice(0, at);
    const previous = word[at - 1];
    const [here, next] = [word[at], word[at + 1]];
    const after = word.slice(at + 1);
    if (next !== undefined) consider(before + next + here + word.slice(at + 2), 1.5);
    if (here !== undefined) consider(before + after, here === previous ? 1.5 : 0.5);
    for (const letter of letters) {
      consider(before + letter + word.slice(at), letter === previous ? 1.5 : 1);
      if (here !== undefined) consider(before + letter + after, 0);
    }
  }
  return meant;
}

type PlainWord = { word: string; start: number };

/** Words that stand by themselves, in small letters or first in a sentence. */
function plainWords(text: string): PlainWord[] {
  const found: PlainWord[] = [];
  let isSentenceStart = true;
  for (let start = 0; start < text.length;) {
    const code = text.charCodeAt(start);
    if (!isLetter(code)) {
      if (isSentenceEnd(code)) isSentenceStart = true;
      start += 1;
      continue;
    }
    let end = start + 1;
    let hasInnerCapital = false;
    for (; end < text.length && isLetter(text.charCodeAt(end)); end++)
      hasInnerCapital ||= text.charCodeAt(end) < 97;
    const isPlain = !hasInnerCapital && (code >= 97 || isSentenceStart);
    isSentenceStart = false;
    if (isPlain && standsAlone(text, start, end))
      found.push({ word: text.slice(start, end).toLowerCase(), start });
    start = end;
  }
  return found;
}

function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90);
}

/** A mark that ends a sentence, or anything that breaks a line or parts two messages. */
function isSentenceEnd(code: number): boolean {
  return code === 46 || code === 33 || code === 63 || code < 32;
}

/** Not a part of an address, a file name, a number, a name in code or a word with other letters. */
function standsAlone(text: string, start: number, end: number): boolean {
  const before = text.charCodeAt(start - 1);
  const isOpen = start === 0 || before <= 32 || '("\'['.includes(text[start - 1] ?? '');
  if (!isOpen) return false;
  if (end === text.length || text.charCodeAt(end) <= 32) return true;
  if (!'.,;:!?)"]'.includes(text[end] ?? '')) return false;
  return end + 1 === text.length || !isLetter(text.charCodeAt(end + 1));
}

/** A number for a word, the same in every process: a large list of words is kept as these. */
export function wordHash(word: string): number {
  let hash = 0x811c9dc5;
  for (let at = 0; at < word.length; at++)
    hash = Math.imul(hash ^ word.charCodeAt(at), 0x01000193) >>> 0;
  return hash;
}

/** Whether one of the sorted numbers is this one. */
export function holdsHash(sorted: Uint32Array, hash: number): boolean {
  let low = 0;
  let high = sorted.length - 1;
  while (low <= high) {
    const middle = (low + high) >>> 1;
    const value = sorted[middle] ?? 0;
    if (value === hash) return true;
    if (value < hash) low = middle + 1;
    else high = middle - 1;
  }
  return false;
}
