// Decides whether a listing really answers the query, or only shares a word with it. Works on which parts of the query matched where,
// so the whole matching set can be judged, not just the first page.
import { colorsAnswering } from './colors.js';
import { isSlight } from './product-query.js';
import { rarityOf, type PlannedGroup } from './query-plan.js';

const describing = new Set(['plus', 'size', 'new', 'set', 'pack', 'kit', 'women', 'womens', 'woman', 'men', 'mens', 'man', 'kid', 'kids', 'boy', 'boys', 'girl', 'girls', 'baby', 'toddler', 'adult', 'unisex', 'small', 'medium', 'large',
  'xl', 'xs', 'mini', 'big', 'cute', 'modern', 'vintage', 'style', 'quality', 'ladies', 'hombre', 'mujer', 'female', 'male', 'high', 'waisted', 'high', 'long', 'short', 'series', 'version', 'edition', 'brand', 'type', 'pro']);

/** Place of the group that names the thing: the last word before "for", "with" and the like that is no brand, colour, size or number. */
export function headGroup(groups: readonly PlannedGroup[], isBrand: (word: string) => boolean): number {
  const candidates = groups.map((group, at) => ({ at, word: group.words[0] ?? '', aside: group.aside })).filter(({ word }) => !isSlight(word) && !/^\d/.test(word) && !describing.has(word) && colorsAnswering(word) === null);
  const main = candidates.filter(({ aside }) => !aside);
  const pool = main.length > 0 ? main : candidates;
  return (pool.filter(({ word }) => !isBrand(word)).at(-1) ?? pool.at(-1) ?? { at: groups.length - 1 }).at;
}

export interface FitRule {
  /** Most of what was asked is there, or the thing itself is and a fair part of the rest. */
  fits(matched: number, firm: number): boolean;
  /** For when nothing fits: the thing itself and a little more, or most words in running text. */
  fitsLoosely(matched: number, firm: number): boolean;
}

export const fitTuning = { textWorth: 0.7, most: 0.6, fair: 0.35, little: 0.3, unknown: 0.7 };

export function fitRule(groups: readonly PlannedGroup[], head: number, docCount: number, tuning = fitTuning): FitRule {
  const unseen = rarityOf(1, docCount) * tuning.unknown;
  const rarities = groups.map((group) => (group.unknown ? unseen * Math.min(1, ((group.words[0]?.length ?? 0) - 1) / 4) : group.rarity));
  const total = rarities.reduce((sum, rarity) => sum + rarity, 0) || 1;
  const share = (matched: number, firm: number, worth: number): number => {
    let have = 0;
    for (const [at, rarity] of rarities.entries()) {
      const bit = 1 << at;
      if ((firm & bit) !== 0) have += rarity;
      else if ((matched & bit) !== 0) have += rarity * worth;
    }
    return have / total;
  };
  const thing = 1 << head;
  const several = groups.length > 1;
  return {
    fits: memoized((matched, firm) => {
      const have = share(matched, firm, tuning.textWorth);
      return (have >= tuning.most && (firm !== 0 || several)) || ((firm & thing) !== 0 && have >= tuning.fair);
    }),
    fitsLoosely: memoized((matched, firm) => (share(matched, firm, 1) >= tuning.most && several) || ((firm & thing) !== 0 && share(matched, firm, tuning.textWorth) >= tuning.little)),
  };
}

/** Few pairs of masks occur among many documents. */
function memoized(judge: (matched: number, firm: number) => boolean): (matched: number, firm: number) => boolean {
  const known = new Map<number, boolean>();
  return (matched, firm) => {
    const key = matched * 4294967296 + firm;
    if (!Number.isSafeInteger(key)) return judge(matched, firm);
    const seen = known.get(key);
    if (seen !== undefined) return seen;
    const verdict = judge(matched, firm);
    known.set(key, verdict);
    return verdict;
  };
}
