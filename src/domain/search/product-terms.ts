// Turns product text into term numbers: stems, measures, glued model numbers, and a mark for what a
// product says it does not have.
import { isStopWord } from '../text/stop-words.js';
import { attachedMeasure, isNumber, measureOf } from './measures.js';
import { gap, type ProductTokens } from './product-tokens.js';
import { stemOf, type TermDictionary } from './term-dictionary.js';
import { wordsOf } from '../text/read-words.js';
import { wordLists } from './word-lists.js';

/** Stop words elsewhere, but part of what a product is called. */
const meaningful = new Set(wordsOf(wordLists.meaningfulFillers));
const negators = new Set(wordsOf(wordLists.titleNegators));
/** Words a negation reaches over: "does not contain any artificial sweetener". */
const reachedOver = new Set(wordsOf(wordLists.negationBridges));

export function isFiller(word: string): boolean {
  return isStopWord(word) && !meaningful.has(word);
}

/** Written before a stem to say that the product is without it. */
export function negatedMark(word: string): string {
  return `!${stemOf(word)}`;
}

/**
 * For each word, whether the text says that the thing is absent ("no sugar", "sugar-free", "free of
 * sugar"): 2 for the word next to the negation,
 * 1 for the one after it, which may belong to it ("no glass beads") or not ("no show socks").
 */
export function negatedWords({ words, gaps }: ProductTokens): number[] {
  const negated = words.map(() => 0);
  for (const [at, word] of words.entries()) {
    if (
      word === 'free' &&
      at > 0 &&
      gaps[at] !== gap.clause &&
      gaps[at] !== gap.phrase &&
      words[at + 1] !== 'of' &&
      words[at + 1] !== 'from'
    ) {
      if (gaps[at] === gap.glue || !isFiller(words[at - 1] ?? '')) negated[at - 1] = 2;
    }
    const opens =
      negators.has(word) ||
      (word === 'free' && (words[at + 1] === 'of' || words[at + 1] === 'from'));
    if (opens) markScope(words, gaps, at, negated);
  }
  return negated;
}

function markScope(
  words: readonly string[],
  gaps: readonly number[],
  from: number,
  negated: number[],
): void {
  let left = 2;
  for (let at = from + 1; at < words.length && left > 0; at++) {
    const word = words[at] ?? '';
    if (gaps[at] === gap.clause || (gaps[at] === gap.phrase && at > from + 1)) return;
    if (word === 'or' || word === 'nor') {
      left = 2;
      continue;
    }
    if (reachedOver.has(word)) continue;
    if (isFiller(word)) return;
    negated[at] = left;
    left -= 1;
  }
}

const none: readonly number[] = [];

function startsNegation(word: string): boolean {
  return word === 'free' || negators.has(word);
}

export interface TermOptions {
  /**
   * Names and facts keep every glued form and every filler word; running text keeps what is likely
   * to be asked for.
   */
  full: boolean;
}

export function productTerms(
  dictionary: TermDictionary,
  tokens: ProductTokens,
  { full }: TermOptions,
): number[] {
  const { words, gaps } = tokens;
  const negated = words.some(startsNegation) ? negatedWords(tokens) : none;
  const terms: number[] = [];
  let glued = '';
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    glued = gaps[at] === gap.glue && !isNumberAfterSlash(words, at) ? glued + word : word;
    if (glued !== word && glued.length <= 24 && (full || isWorthGluing(glued, word)))
      terms.push(dictionary.intern(gluedForm(glued)));
    const absent = negated[at] ?? 0;
    if (absent > 0) terms.push(dictionary.internMark(negatedMark(word)));
    if (absent === 2) continue;
    if (isFiller(word)) {
      if (full) terms.push(dictionary.intern(word));
      continue;
    }
    const measure =
      at + 1 < words.length && (gaps[at + 1] ?? 2) <= gap.glue
        ? measureOf(word, words[at + 1] ?? '')
        : '';
    if (measure !== '') {
      terms.push(dictionary.intern(measure));
      if (full) terms.push(dictionary.intern(word));
      at += 1;
      glued = '';
      continue;
    }
    terms.push(dictionary.intern(attachedMeasure(word) || word));
    const missing = missingPart(word);
    if (missing !== '') terms.push(dictionary.internMark(negatedMark(missing)));
  }
  return terms;
}

/** A part number is written with points and strokes or without: "IDR/200.4" is "IDR200.4". */
export function gluedForm(glued: string): string {
  return /[a-z]/.test(glued) ? glued.replace(/[./]/g, '') : glued;
}

/** "stemless" says without a stem, "nonslip" that it does not slip. */
function missingPart(word: string): string {
  if (word.length > 7 && word.endsWith('less') && word !== 'stainless') return word.slice(0, -4);
  return word.length > 6 && word.startsWith('non') ? word.slice(3) : '';
}

function isNumberAfterSlash(words: readonly string[], at: number): boolean {
  return isNumber(words[at] ?? '') && isNumber(words[at - 1] ?? '');
}

function isWorthGluing(glued: string, part: string): boolean {
  return (
    part.length <= 2 || glued.length - part.length <= 2 || (/\d/.test(glued) && /[a-z]/.test(glued))
  );
}

/**
 * The words of a title in order as spelling numbers, 0 where a phrase ends: what adjacency and the
 * head of the title are read from.
 */
export function titleTrail(dictionary: TermDictionary, { words, gaps }: ProductTokens): number[] {
  const trail: number[] = [];
  for (const [at, word] of words.entries()) {
    if (at > 0 && (gaps[at] ?? 0) >= gap.phrase) trail.push(0);
    trail.push(dictionary.internSpelling(attachedMeasure(word) || word));
  }
  return trail;
}
