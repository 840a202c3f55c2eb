// Reads what a shopper typed: the things wanted in order, the things not wanted, measures as one,
// fillers set aside.
import { joinArticleNumbers } from './article-numbers.js';
import { isFiller } from './product-terms.js';
import { attachedMeasure, isNumber, measureOf } from './measures.js';
import { isSubstance } from './substances.js';
import { gap, productTokens } from './product-tokens.js';
import { wordsOf } from '../text/read-words.js';
import { otherLanguages, wordLists } from './word-lists.js';

export interface WantedWord {
  word: string;
  /** True for a number and unit read as one. */
  measure: boolean;
  /**
   * The word follows "for", "with", "in" or the like: it says something about the thing, it is not
   * the thing.
   */
  aside: boolean;
  /** The word comes after the first phrase of a longer text: a detail. */
  detail: boolean;
  /** The next wanted word came directly after this one. */
  joinsNext: boolean;
  /** The word stands for the absence of this one: "nonslip", "no show". */
  absent?: string;
}

export interface ParsedQuery {
  wanted: WantedWord[];
  /** Each entry is a phrase the product must not have. */
  unwanted: string[][];
  /** More than a name for a thing: a sentence or several. */
  long: boolean;
  /** Nothing but a part number in pieces ("BX-18V-77"): one of which a piece differs is another. */
  code: boolean;
}

/** They refuse what follows wherever they stand. */
const refusals = new Set(wordsOf(wordLists.refusals));
const longFrom = 9;
const shortestCode = 5;
const manyFigures = 7;
const negators = new Set(wordsOf(wordLists.negators));
const asides = new Set(wordsOf(wordLists.asides));
/**
 * Of the asides, those that also end a thing in a short query; the rest only tell details apart in
 * long ones.
 */
const shortAsides = new Set(wordsOf(wordLists.shortAsides));
/** What a part number is called before it. */
const numberLabels = new Set(wordsOf(wordLists.numberLabels));
const scopeEnds = new Set(wordsOf(wordLists.scopeEnds));
/** Said around a need, seldom part of a product's name. */
const chatter = new Set(wordsOf(wordLists.chatter));

export function isChatter(word: string): boolean {
  return chatter.has(word);
}

interface ReadState {
  wanted: WantedWord[];
  unwanted: string[][];
  scope: string[] | null;
  aside: boolean;
  detail: boolean;
}

/** Words by which a query is read; another language's hold beside the English ones. */
interface QueryWords {
  isFiller: (word: string) => boolean;
  isChatter: (word: string) => boolean;
  negators: ReadonlySet<string>;
  refusals: ReadonlySet<string>;
  asides: ReadonlySet<string>;
  shortAsides: ReadonlySet<string>;
}

const english: QueryWords = { isFiller, isChatter, negators, refusals, asides, shortAsides };

const others = Object.values(otherLanguages).map((lists) => {
  const [own, small, talk] = [
    wordsOf(lists.asides),
    wordsOf(lists.fillers),
    wordsOf(lists.chatter),
  ];
  const [fillers, chatterWords] = [new Set(small), new Set(talk)];
  const words: QueryWords = {
    isFiller: (word) => fillers.has(word) || isFiller(word),
    isChatter: (word) => chatterWords.has(word) || isChatter(word),
    negators: new Set([...negators, ...wordsOf(lists.negators)]),
    refusals: new Set([...refusals, ...wordsOf(lists.refusals)]),
    asides: new Set([...asides, ...own]),
    shortAsides: new Set([...shortAsides, ...own]),
  };
  return { marks: new Set(wordsOf(lists.marks)), words };
});

/**
 * A language is told by words of its own, unless as many of ours are there: "die" and "hat" are
 * small words of one and things of the other.
 */
function languageOf(query: readonly string[]): QueryWords {
  const ours = query.filter(isFiller).length;
  const found = others.find(
    ({ marks }) => query.filter((word) => marks.has(word) && !isFiller(word)).length > ours,
  );
  return found?.words ?? english;
}

/** "w/ lid", "w/o sugar", and the number of a book without its hyphens. */
function spelledOut(query: string): string {
  return joinArticleNumbers(query)
    .replace(/\bw\/\s?o\b/gi, 'without')
    .replace(/\bw\//gi, 'with ');
}

export function parseProductQuery(query: string, isKnown: (word: string) => boolean): ParsedQuery {
  const { words, gaps } = productTokens(spelledOut(query));
  const spoken = languageOf(words);
  const state: ReadState = { wanted: [], unwanted: [], scope: null, aside: false, detail: false };
  for (let at = 0; at < words.length; at++) {
    const word = words[at] ?? '';
    const next = words[at + 1];
    if (state.wanted.length > 0 && (gaps[at] ?? 0) >= gap.phrase) {
      state.detail = true;
      if (gaps[at] === gap.clause) state.aside = true;
    }
    if (
      state.scope !== null &&
      (scopeEnds.has(word) || (gaps[at] ?? 0) >= gap.phrase || state.scope.length >= 3)
    )
      closeScope(state);
    const follows = state.scope === null && at > 0 && isKnown((words[at - 1] ?? '') + word);
    if (
      spoken.negators.has(word) &&
      next !== undefined &&
      !(follows && !spoken.refusals.has(word))
    ) {
      closeScope(state);
      if (word !== 'non' && (spoken.refusals.has(word) || state.wanted.length > 0))
        state.scope = [];
      else at = takeAbsence(state, words, at, spoken);
      continue;
    }
    if (next === 'free' && (gaps[at + 1] === gap.glue || isSubstance(word))) {
      takeAbsent(state, word, `${word}free`);
      at += 1;
      continue;
    }
    if (spoken.isFiller(word)) {
      if (spoken.shortAsides.has(word)) state.aside = true;
      if (spoken.asides.has(word) && state.wanted.length > 0) state.detail = true;
      continue;
    }
    if (numberLabels.has(word) && leadsToCode(words, gaps, at)) continue;
    const measure = next === undefined ? '' : measureOf(word, next);
    if (measure !== '') at += 1;
    // "5w-30" is a grade of oil, not five watts.
    const attached =
      next !== undefined && isNumber(next) && gaps[at + 1] === gap.glue
        ? ''
        : attachedMeasure(word);
    take(state, measure || attached || word, measure !== '' || attached !== '', gaps[at] ?? 0);
  }
  closeScope(state);
  const code = codeAt(
    words,
    gaps,
    words.findIndex((word) => !numberLabels.has(word)),
  );
  return {
    ...settle(state, words, spoken),
    code: code !== null && code.pieces > 1 && code.end === words.length,
  };
}

/** A part number: letters and figures or many figures, in one piece or in several that hang on. */
function codeAt(
  words: readonly string[],
  gaps: readonly number[],
  from: number,
): { end: number; pieces: number } | null {
  if (from < 0) return null;
  let end = from + 1;
  while (end < words.length && gaps[end] === gap.glue) end += 1;
  const whole = words.slice(from, end).join('');
  const figures = whole.replace(/\D/g, '').length;
  const isCode = whole.length >= shortestCode && figures >= (/[a-z]/.test(whole) ? 2 : manyFigures);
  return isCode ? { end, pieces: end - from } : null;
}

/** "Part number BX-18V-77": one label or several, and then the number. */
function leadsToCode(words: readonly string[], gaps: readonly number[], at: number): boolean {
  let next = at + 1;
  while (numberLabels.has(words[next] ?? '')) next += 1;
  return next < words.length && codeAt(words, gaps, next) !== null;
}

/** In front of a thing a negation is a feature of it: "no show socks", "non slip mat". */
function takeAbsence(
  state: ReadState,
  words: readonly string[],
  at: number,
  spoken: QueryWords,
): number {
  let next = at + 1;
  while (next < words.length - 1 && spoken.isFiller(words[next] ?? '')) next += 1;
  const word = words[next] ?? '';
  takeAbsent(state, word, (words[at] ?? '') + word);
  return next;
}

function takeAbsent(state: ReadState, absent: string, word: string): void {
  state.unwanted.push([absent]);
  state.wanted.push({
    word,
    measure: false,
    aside: state.aside,
    detail: state.detail,
    joinsNext: false,
    absent,
  });
}

function take(state: ReadState, word: string, measure: boolean, before: number): void {
  if (state.scope !== null) {
    state.scope.push(word);
    return;
  }
  const last = state.wanted.at(-1);
  if (last !== undefined) last.joinsNext = before <= gap.glue;
  state.wanted.push({ word, measure, aside: state.aside, detail: state.detail, joinsNext: false });
}

function closeScope(state: ReadState): void {
  if (state.scope !== null && state.scope.length > 0) state.unwanted.push(state.scope);
  state.scope = null;
}

/**
 * A query of fillers only keeps them; a thing asked for and refused at once is asked for ("tool
 * case without tools").
 */
function settle(
  { wanted, unwanted }: ReadState,
  words: readonly string[],
  spoken: QueryWords,
): Omit<ParsedQuery, 'code'> {
  if (wanted.length === 0 && unwanted.length === 0) {
    return {
      wanted: words.map((word) => ({
        word,
        measure: false,
        aside: false,
        detail: false,
        joinsNext: true,
      })),
      unwanted: [],
      long: false,
    };
  }
  const useful = wanted.filter((each) => !spoken.isChatter(each.word));
  return { wanted: useful.length > 0 ? useful : wanted, unwanted, long: words.length >= longFrom };
}

/** Numbers and single letters say little by themselves. */
export function isSlight(word: string): boolean {
  return word.length === 1 || isNumber(word);
}
