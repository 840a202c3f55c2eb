// What a title says beyond holding the words: whether they stand together, and whether the product
// is the thing or something for the thing.
import type { PlannedGroup } from './query-plan.js';
import type { TermDictionary } from './term-dictionary.js';
import { wordsOf } from '../text/read-words.js';
import { wordLists } from './word-lists.js';

const accessoryWords = wordsOf(wordLists.accessoryWords);
const asideWords = wordsOf(wordLists.titleAsides);

/** What a compound may end in to be named after it: a "QuickDock" is a dock. */
const compoundEnds = new RegExp(
  `^.{3,}(?:${accessoryWords.filter((word) => word.length >= 4).join('|')})s?$`,
);

/** Term numbers of the words above in one catalog. */
export interface TitleVocabulary {
  accessories: ReadonlySet<number>;
  asides: ReadonlySet<number>;
  /** By spelling, as far as asked: whether it is a compound of an accessory. */
  compounds: Map<number, boolean>;
}

export function titleVocabulary(dictionary: TermDictionary): TitleVocabulary {
  return {
    accessories: new Set(accessoryWords.map((word) => dictionary.intern(word))),
    asides: new Set(asideWords.map((word) => dictionary.intern(word))),
    compounds: new Map(),
  };
}

export interface TitleSignals {
  /** Neighbouring query words that are neighbours in the title, as a share of all such pairs. */
  together: number;
  /**
   * The words are there only as what the product is for ("strap for camera"), or only before the
   * thing it is ("camera strap").
   */
  belongsTo: boolean;
  /** Share of the query's words found in the title in the very spelling typed. */
  verbatim: number;
}

/** Whether a word of a title, that the query does not have, is an accessory. */
function accessoryTeller(
  groupOf: ReadonlyMap<number, number>,
  dictionary: TermDictionary,
  { accessories, compounds }: TitleVocabulary,
): (term: number, spelling: number) => boolean {
  const isCompound = (spelling: number): boolean => {
    const known = compounds.get(spelling);
    if (known !== undefined) return known;
    const is = compoundEnds.test(dictionary.wordOfSpelling(spelling));
    compounds.set(spelling, is);
    return is;
  };
  return (term, spelling) => (accessories.has(term) || isCompound(spelling)) && !groupOf.has(term);
}

/** Reads titles for one query. */
export function titleReader(
  groups: readonly PlannedGroup[],
  dictionary: TermDictionary,
  vocabulary: TitleVocabulary,
): (trail: Uint32Array) => TitleSignals {
  const groupOf = new Map<number, number>();
  for (const [at, group] of groups.entries())
    for (const term of group.terms) if (!groupOf.has(term)) groupOf.set(term, at);
  const isAccessory = accessoryTeller(groupOf, dictionary, vocabulary);
  const leadsToAccessory = (trail: Uint32Array, at: number): boolean => {
    for (let next = at + 1; next <= at + 3 && next < trail.length; next++) {
      const spelling = trail[next] ?? 0;
      const term = dictionary.termOfSpelling(spelling);
      if (spelling === 0 || vocabulary.asides.has(term)) return false;
      if (isAccessory(term, spelling)) return true;
    }
    return false;
  };
  return (trail) => {
    const seen = { pairs: 0, verbatim: 0, hits: 0, beforeAside: 0, modifying: 0, aside: false };
    let pairedUpTo = -1;
    let previous = -1;
    let exact = 0;
    let accessoryFirst = false;
    for (let at = 0; at < trail.length; at++) {
      const spelling = trail[at] ?? 0;
      const term = dictionary.termOfSpelling(spelling);
      const group = spelling === 0 ? -1 : (groupOf.get(term) ?? -1);
      if (group < 0) {
        if (
          at > 0 &&
          (vocabulary.asides.has(term) || (spelling === 0 && seen.hits === 0 && accessoryFirst))
        )
          seen.aside = true;
        if (spelling !== 0 && isAccessory(term, spelling)) accessoryFirst = true;
        previous = -1;
        continue;
      }
      seen.hits += 1;
      if (!seen.aside) seen.beforeAside += 1;
      if (groups[group]?.spelling === spelling) exact |= 1 << group;
      if (previous >= 0 && group === previous + 1 && group > pairedUpTo) {
        seen.pairs += 1;
        pairedUpTo = group;
      }
      previous = group;
      if (leadsToAccessory(trail, at)) seen.modifying += 1;
    }
    for (; exact !== 0; exact &= exact - 1) seen.verbatim += 1;
    const belongsTo =
      seen.hits > 0 && (seen.beforeAside === 0 ? seen.aside : seen.modifying >= seen.beforeAside);
    return {
      together: seen.pairs / Math.max(1, groups.length - 1),
      belongsTo,
      verbatim: seen.verbatim / Math.max(1, groups.length),
    };
  };
}
