// Decides whether a listing really answers the query, or only shares a word with it. Works on which
// parts of the query matched where, so the whole matching set can be judged, not just the first
// page.
import { colorsAnswering } from './colors.js';
import { maskSum } from '../../fast/mask-sum.js';
import { isNumber } from './measures.js';
import { isSlight } from './product-query.js';
import { rarityOf, type PlannedGroup } from './query-plan.js';
import { wordsOf } from '../text/read-words.js';
import { wordLists } from './word-lists.js';

const describing = new Set(wordsOf(wordLists.describingWords));

/**
 * Place of the group that names the thing: the last word before "for", "with" and the like that is
 * no brand, colour, size or number.
 */
export function headGroup(
  groups: readonly PlannedGroup[],
  isBrand: (word: string) => boolean,
  colors = 0,
): number {
  const candidates = groups
    .map((group, at) => ({
      at,
      word: group.words[0] ?? '',
      aside: group.aside || (group.detail && group.supporting === true),
    }))
    .filter(
      ({ at, word }) =>
        !isSlight(word) &&
        !/^\d/.test(word) &&
        !describing.has(word) &&
        ((colors >>> at) & 1) === 0 &&
        colorsAnswering(word) === null,
    );
  const main = candidates.filter(({ aside }) => !aside);
  const pool = main.length > 0 ? main : candidates;
  return (
    pool.filter(({ word }) => !isBrand(word)).at(-1) ??
    pool.at(-1) ?? { at: groups.length - 1 }
  ).at;
}

/** What `judge` says of a listing, a bit each. */
export const verdict = {
  fits: 1,
  fitsElsewhere: 2,
  fitsLoosely: 4,
  named: 8,
  /** It is the thing, or has two words of the query at least that say what it is. */
  much: 16,
} as const;

export interface FitRule {
  /** All of the below at once, from which words matched and which of them outside running text. */
  judge(matched: number, firm: number): number;
  /** Most of what was asked is there, or the thing itself is and a fair part of the rest. */
  fits(matched: number, firm: number): boolean;
  /**
   * The first half of that: all that counts for a listing of another shelf, where the word for the
   * thing means something else ("dress watch").
   */
  fitsElsewhere(matched: number, firm: number): boolean;
  /** For when nothing fits: the thing itself and a little more, or most words in running text. */
  fitsLoosely(matched: number, firm: number): boolean;
}

const fitTuning = {
  textWorth: 0.7,
  most: 0.55,
  fair: 0.35,
  little: 0.3,
  unknown: 0.7,
  aside: 0.6,
  detail: 0.15,
} as const;

/** `colors`: groups that say a colour, which makes nothing the thing that is not. */
export function fitRule(
  groups: readonly PlannedGroup[],
  head: number,
  docCount: number,
  colors = 0,
): FitRule {
  const tuning = fitTuning;
  const unseen = rarityOf(1, docCount) * tuning.unknown;
  const isSaidColor = (at: number): boolean => ((colors >>> at) & 1) === 1;
  const rarities = groups.map(
    (group, at) =>
      (group.unknown ? unseen * tellingShare(group.words[0] ?? '') : group.rarity) *
      (group.aside ? tuning.aside : 1) *
      (isSaidColor(at) || (group.unknown && (group.supporting === true || isColor(group)))
        ? tuning.detail
        : 1),
  );
  const sum = maskSum(rarities);
  const total = rarities.reduce((all, rarity) => all + rarity, 0) || 1;
  const { textWorth } = tuning;
  const most = tuning.most * total;
  const fair = tuning.fair * total;
  const little = tuning.little * total;
  const thing = 1 << head;
  const naming = namingMask(groups, colors);
  const every = (1 << groups.length) - 1;
  // Running text alone may answer several words, but not a number: descriptions are full of them.
  const isTextEnough = groups.length > 1 && (naming & every) === every;
  const isNamed = (matched: number, firm: number): boolean =>
    (firm & naming) !== 0 || (isTextEnough && matched === every);
  const counted = ~strayNumbers(groups);
  const worth = (matched: number, firm: number): number => {
    const strong = sum(firm & counted);
    return strong + textWorth * (sum(matched & counted) - strong);
  };
  const judge = remembered(groups.length, (matched, firm) => {
    const own = worth(matched, firm);
    const isThing = (firm & thing) !== 0;
    const isCalled = isNamed(matched, firm);
    const elsewhere = own >= most && isCalled;
    const loosely = (sum(matched & counted) >= most && isCalled) || (isThing && own >= little);
    return (
      (elsewhere || (isThing && own >= fair) ? verdict.fits : 0) |
      (elsewhere ? verdict.fitsElsewhere : 0) |
      (loosely ? verdict.fitsLoosely : 0) |
      ((firm & counted & naming) !== 0 ? verdict.named : 0) |
      (isThing || hasTwo(matched & counted & naming) ? verdict.much : 0)
    );
  });
  const saying =
    (bit: number) =>
    (matched: number, firm: number): boolean =>
      (judge(matched, firm) & bit) !== 0;
  return {
    judge,
    fits: saying(verdict.fits),
    fitsElsewhere: saying(verdict.fitsElsewhere),
    fitsLoosely: saying(verdict.fitsLoosely),
  };
}

/** The same for a query of which every part must be there. */
export function wholeRule(rule: FitRule, asked: number): FitRule {
  const isWhole = (matched: number): boolean => (matched & asked) === asked;
  return {
    judge: (matched, firm) => (isWhole(matched) ? rule.judge(matched, firm) : 0),
    fits: (matched, firm) => isWhole(matched) && rule.fits(matched, firm),
    fitsElsewhere: (matched, firm) => isWhole(matched) && rule.fitsElsewhere(matched, firm),
    fitsLoosely: (matched, firm) => isWhole(matched) && rule.fitsLoosely(matched, firm),
  };
}

/** A thing in another colour is the thing still. */
function isColor({ words }: PlannedGroup): boolean {
  return colorsAnswering(words[0] ?? '') !== null;
}

/**
 * A short word nobody sells may be anything; one with letters and figures ("5w") is a model or a
 * grade, however short.
 */
function tellingShare(word: string): number {
  return /\d/.test(word) && !isNumber(word) ? 1 : Math.min(1, (word.length - 1) / 4);
}

/**
 * Groups that can say what a listing is. "15" stands in a hose of 15 m as well as in an iPhone 15:
 * by itself it makes nothing fit.
 */
function namingMask(groups: readonly PlannedGroup[], colors: number): number {
  const mask = groups.reduce((all, group, at) => (isNaming(group) ? all | (1 << at) : all), 0);
  const things = mask & ~colors;
  return things !== 0 ? things : mask === 0 ? -1 : mask;
}

export function isNaming({ words: [word = ''] }: PlannedGroup): boolean {
  return !/^[\d.,/]+/.test(word) && !isSlight(word);
}

/**
 * Numbers next to a model name nobody sells ("5w-30" where there is no "5w"): met elsewhere, they
 * mean something else.
 */
function strayNumbers(groups: readonly PlannedGroup[]): number {
  const isAbsentModel = (group: PlannedGroup | undefined): boolean =>
    group !== undefined && group.unknown && /\d/.test(group.words[0] ?? '');
  return groups.reduce(
    (mask, group, at) =>
      isNumber(group.words[0] ?? '') &&
      (isAbsentModel(groups[at - 1]) || isAbsentModel(groups[at + 1]))
        ? mask | (1 << at)
        : mask,
    0,
  );
}

function hasTwo(mask: number): boolean {
  return (mask & (mask - 1)) !== 0;
}

const known = 32;
const remembers = 1 << 11;

/**
 * Few pairs of masks occur among many documents. For a usual query they fit into a small table; for
 * a long one each has a place that it may share with another pair, and takes from it.
 */
function remembered(
  groupCount: number,
  judge: (matched: number, firm: number) => number,
): (matched: number, firm: number) => number {
  if (groupCount <= 8) {
    const table = new Uint8Array(1 << (2 * groupCount));
    return (matched, firm) => {
      const key = (matched << groupCount) | firm;
      const told = table[key] as number; // masks have groupCount bits
      return told !== 0 ? told : (table[key] = judge(matched, firm) | known);
    };
  }
  const told = new Uint8Array(remembers);
  const pairs = new Uint32Array(2 * remembers);
  return (matched, firm) => {
    const key = (Math.imul(matched, 0x9e3779b1) ^ Math.imul(firm, 0x85ebca6b)) >>> 21;
    // a place for each of the eleven bits
    if (told[key] !== 0 && pairs[2 * key] === matched && pairs[2 * key + 1] === firm)
      return told[key] as number;
    pairs[2 * key] = matched;
    pairs[2 * key + 1] = firm;
    return (told[key] = judge(matched, firm) | known);
  };
}
