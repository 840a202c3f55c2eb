// Cuts product text into words and keeps what lies between them: a hyphen glues ("WH-1000XM4"), a
// comma or dash ends a phrase.
import { wordsOf } from '../text/read-words.js';
import { fold } from '../text/tokenize.js';
import { wordLists } from './word-lists.js';

/** How a word hangs on the one before it. */
export const gap = { space: 0, glue: 1, phrase: 2, clause: 3 } as const;

export interface ProductTokens {
  words: string[];
  gaps: number[];
}

/** "Two" and "2" are one, in titles and in what is asked. Each language names two to ten in order. */
const numberWords: ReadonlyMap<string, string> = new Map(
  wordsOf(wordLists.numberWords).map((word, at) => [word, String(2 + (at % 9))]),
);
const shortest = Math.min(...[...numberWords.keys()].map((word) => word.length));
const longest = Math.max(...[...numberWords.keys()].map((word) => word.length));

/** A number of an article is the same with noughts before it: UPC, EAN and GTIN differ by those. */
const articleDigits = 8;
const paddedNumber = /^0+(?=[1-9]\d*$)/;

function usualForm(word: string): string {
  if (word.length >= articleDigits && word.charCodeAt(0) === 48)
    return word.replace(paddedNumber, '');
  return word.length < shortest || word.length > longest ? word : (numberWords.get(word) ?? word);
}

const ideograph = /[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]/;
const otherLetter = /[\p{L}\p{N}]/u;

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}

/** 1 for a–z and 0–9. */
const asciiWord = Uint8Array.from({ length: 128 }, (_, code) =>
  isDigit(code) || (code >= 97 && code <= 122) ? 1 : 0,
);

function isWordCode(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  if (code < 128) return asciiWord[code] === 1;
  return code >= 0xd800 && code <= 0xdfff ? false : otherLetter.test(text.charAt(at));
}

function isIdeograph(text: string, at: number): boolean {
  return text.charCodeAt(at) > 0x303f && ideograph.test(text.charAt(at));
}

/** 1.5, 1/2 and 1,000 are one word. */
function staysInNumber(text: string, at: number, start: number): boolean {
  const code = text.charCodeAt(at);
  if (code !== 46 && code !== 47 && code !== 44) return false;
  if (
    !isDigit(text.charCodeAt(at - 1)) ||
    !isDigit(text.charCodeAt(at + 1)) ||
    !isDigit(text.charCodeAt(start))
  )
    return false;
  if (code === 44) return /^\d{3}(?!\d)/.test(text.slice(at + 1, at + 5));
  if (code === 47)
    return /^\d{1,2}\/\d{1,2}(?![\d/])/.test(text.slice(start, at + 5)) && at - start <= 2;
  return true;
}

function endOfWord(text: string, start: number): number {
  let at = start + 1;
  for (;;) {
    while (asciiWord[text.charCodeAt(at)] === 1) at += 1;
    if (at >= text.length) return at;
    if (isWordCode(text, at) ? isIdeograph(text, at) : !staysInNumber(text, at, start)) return at;
    at += 1;
  }
}

function gapOf(text: string, from: number, to: number): number {
  if (to - from === 1) {
    const code = text.charCodeAt(from);
    if (code === 32) return gap.space;
    if (code === 45 || code === 47 || code === 46 || code === 38 || code === 95 || code === 43)
      return gap.glue;
  }
  let found: number = to === from ? gap.glue : gap.space;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 46 || code === 59 || code === 33 || code === 63 || code === 10) return gap.clause;
    if (code === 32 || code === 39 || code === 34 || code === 9 || code === 174 || code === 8482)
      continue;
    found = gap.phrase;
  }
  return found;
}

/**
 * Inches and feet written as marks: 27" and 6'. Folding turns the double prime into two single
 * ones.
 */
function measureMark(text: string, at: number): string {
  const code = text.charCodeAt(at);
  if (code === 34 || code === 8221 || code === 8220) return 'inch';
  if (code !== 39 && code !== 8242 && code !== 8217) return '';
  const next = text.charCodeAt(at + 1);
  if (next === code) return 'inch';
  return code !== 8217 && !isWordCode(text, at + 1) ? 'ft' : '';
}

function isApostrophe(code: number): boolean {
  return code === 39 || code === 8217 || code === 96 || code === 700;
}

export function productTokens(text: string): ProductTokens {
  const plain = fold(text);
  // the slash inside ½
  const folded = plain.includes('\u2044') ? plain.replaceAll('\u2044', '/') : plain;
  const words: string[] = [];
  const gaps: number[] = [];
  let previousEnd = 0;
  let at = 0;
  while (at < folded.length) {
    if (!isWordCode(folded, at)) {
      at += 1;
      continue;
    }
    const start = at;
    at = isIdeograph(folded, at) ? at + 1 : endOfWord(folded, at);
    let word = folded.slice(start, at);
    if (isDigit(folded.charCodeAt(start)) && word.includes(',')) word = word.replaceAll(',', '');
    while (
      isApostrophe(folded.charCodeAt(at)) &&
      isWordCode(folded, at + 1) &&
      !isDigit(folded.charCodeAt(start))
    ) {
      const end = endOfWord(folded, at + 1);
      const rest = folded.slice(at + 1, end);
      at = end;
      if (rest !== 's') word += rest;
    }
    gaps.push(words.length === 0 ? gap.clause : gapOf(folded, previousEnd, start));
    words.push(usualForm(word));
    previousEnd = at;
    if (
      at < folded.length &&
      isDigit(folded.charCodeAt(at - 1)) &&
      isDigit(folded.charCodeAt(start))
    ) {
      const mark = measureMark(folded, at);
      if (mark !== '') {
        words.push(mark);
        gaps.push(gap.glue);
        at += 1;
        previousEnd = at;
      }
    }
  }
  return { words, gaps };
}
