// Which of the matching documents are kept, and how they are weighed. Every match is gone through,
// and of a common word there are very many: no object a document, the rule is asked once for each
// pair of masks, and what was read of a document once lies in lists from then on.
import { maskSum } from '../../fast/mask-sum.js';
import { verdict, type FitRule } from './genuine-fit.js';
import type { ProductState } from './product-state.js';
import type { QueryPlan } from './query-plan.js';
import { firmCell, matchedCell, namedCell, type Scored } from './scored.js';

/** The part of `SearchTuning` that judging needs. */
export interface JudgeTuning {
  readonly coverage: number;
  readonly everyWord: number;
  readonly mentioned: number;
  readonly refusal: number;
  readonly level: number;
  readonly levelElsewhere: number;
  readonly levelText: number;
  readonly levelSpare: number;
}

export interface Judging {
  state: ProductState;
  plan: QueryPlan;
  scored: Scored;
  /** Null for the raw ranking: whatever matches is kept. */
  rule: FitRule | null;
  /** Number of the shelf the wanted thing stands on, -1 when the words do not tell. */
  shelf: number;
  /** 1 for documents that mention a refused part in running text. */
  mentioned: Uint8Array | null;
  tuning: JudgeTuning;
}

export interface Kept {
  /** In no order. */
  docs: Uint32Array;
  /** The score of each. */
  scores: Float32Array;
}

/**
 * What is kept, weighed. What the words alone put nearly level with the best that fits is kept too:
 * the rule is there to leave out noise, and cannot know better than the ranking what stands first.
 */
export function judgeMatches(judging: Judging): Kept {
  const { scored, rule } = judging;
  const share = shareOfQuery(judging);
  if (rule === null) {
    const all = keepAll(judging, share);
    raiseRefusing(judging, 0, all);
    return kept(scored, all);
  }
  let sifted = sift(judging, rule, share, true);
  if (sifted.fitting === 0) sifted = sift(judging, rule, share, false);
  if (sifted.fitting === 0) return kept(scored, 0);
  raiseRefusing(judging, 0, sifted.fitting);
  raiseRefusing(judging, sifted.others, scored.count);
  return kept(scored, addLevel(judging, rule, sifted));
}

function kept({ room, weights }: Scored, length: number): Kept {
  return { docs: room.subarray(0, length), scores: weights.subarray(0, length) };
}

export function askedMask({ groups }: QueryPlan): number {
  return groups.length >= 31 ? 0x7fffffff : (1 << groups.length) - 1;
}

type Share = (matched: number) => number;

/** More of the query counts for more than much of a part of it. */
function shareOfQuery({ plan: { groups }, tuning: { coverage, everyWord } }: Judging): Share {
  const total = groups.reduce((sum, group) => sum + group.rarity, 0) || 1;
  const sum = maskSum(groups.map((group) => group.rarity));
  return (matched) => {
    const part = sum(matched) / total;
    return (coverage === 1 ? part : part ** coverage) * (part > 0.999 ? 1 + everyWord : 1);
  };
}

/** Documents that match the query itself: style alone is no match. */
function keepAll({ plan, scored, mentioned, tuning }: Judging, share: Share): number {
  const asked = askedMask(plan);
  const { docs, cells, floats, room, weights, count } = scored;
  let length = 0;
  for (let at = 0; at < count; at++) {
    const doc = docs[at] as number; // within count
    const cell = doc << 2;
    const matched = (cells[cell + matchedCell] as number) & asked; // sized to every document
    if (matched === 0) continue;
    const worth = mentioned !== null && mentioned[doc] === 1 ? tuning.mentioned : 1;
    room[length] = doc;
    weights[length++] = (floats[cell] as number) * share(matched) * worth; // as above
  }
  return length;
}

/**
 * Puts what fits at the start of the room, as many as `fitting`, and from `others` on what has all
 * the words or is named by one; the weight of each beside it.
 */
function sift(
  { state: { columns }, plan, scored, shelf, mentioned, tuning }: Judging,
  { judge }: FitRule,
  share: Share,
  isStrict: boolean,
): { fitting: number; others: number } {
  const asked = askedMask(plan);
  const { docs, cells, floats, room, weights, count } = scored;
  const several = plan.groups.length > 1;
  const wanted = isStrict ? verdict.fits : verdict.fitsLoosely;
  let fitting = 0;
  let others = count;
  for (let at = 0; at < count; at++) {
    const doc = docs[at] as number; // within count
    const cell = doc << 2;
    const matched = (cells[cell + matchedCell] as number) & asked; // sized to every document
    if (matched === 0) continue;
    const verdicts = judge(matched, (cells[cell + firmCell] as number) & asked); // as above
    let fits = (verdicts & wanted) !== 0;
    // On another shelf a single word must be in the title: in the material or the path it means
    // less there. Most documents fail the first question, so the shelf is looked up for few.
    if (fits && shelf >= 0 && columns.shelfOf(doc) !== shelf)
      fits =
        isStrict &&
        (verdicts & verdict.fitsElsewhere) !== 0 &&
        (several || ((cells[cell + namedCell] as number) & asked) !== 0); // as above
    if (!fits && matched !== asked && (verdicts & (verdict.named | verdict.much)) === 0) continue;
    const place = fits ? fitting++ : --others;
    const worth = mentioned !== null && mentioned[doc] === 1 ? tuning.mentioned : 1;
    room[place] = doc;
    weights[place] = (floats[cell] as number) * share(matched) * worth; // as above
  }
  return { fitting, others };
}

/**
 * Adds those of the others that are nearly level with the best that fits; gives how many are kept.
 */
function addLevel(
  { state: { columns }, plan, scored, shelf, tuning }: Judging,
  { judge }: FitRule,
  { fitting, others }: { fitting: number; others: number },
): number {
  const { room, weights, cells, count } = scored;
  const asked = askedMask(plan);
  const { best, bestDoc } = bestOf(scored, fitting);
  // Being level with what only has another name for it says nothing of a mention in passing.
  // sized to every document
  const isCalledSo = ((cells[(bestDoc << 2) + namedCell] as number) & asked) !== 0;
  const { level, levelElsewhere, levelText, levelSpare } = tuning;
  // What is the thing, has much of the query or, in running text, all of it is kept where it
  // outranks the end of a page or finds room on it.
  const spare = fitting < page ? best * levelSpare : lastOfPage(scored, fitting);
  const lowest = Math.min(spare, best * Math.min(level, levelElsewhere));
  let length = fitting;
  for (let at = others; at < count; at++) {
    const weight = weights[at] as number; // within count
    if (weight < lowest) continue;
    const doc = room[at] as number; // as above
    const cell = doc << 2;
    const matched = (cells[cell + matchedCell] as number) & asked; // as above
    const verdicts = judge(matched, (cells[cell + firmCell] as number) & asked); // as above
    const isNamed = (verdicts & verdict.named) !== 0;
    const isAtHome = shelf < 0 || columns.shelfOf(doc) === shelf;
    const least = isAtHome ? level : levelElsewhere;
    const part = isNamed
      ? least
      : isCalledSo && matched === asked
        ? Math.max(least, levelText)
        : Infinity;
    const isMuch = (verdicts & verdict.much) !== 0 || (isCalledSo && matched === asked);
    const isSpare = isAtHome && isMuch && weight >= spare;
    if (weight < best * part && !isSpare) continue;
    room[length] = doc;
    weights[length++] = weight;
  }
  return length;
}

/** How many places a page has, as a rule. */
export const page = 10;

/** The least weight of the best that fit, as many as a page has. */
function lastOfPage({ weights }: Scored, fitting: number): number {
  const most = new Float32Array(page);
  for (let at = 0; at < fitting; at++) {
    const weight = weights[at] as number; // within fitting
    if (weight <= (most[0] as number)) continue; // the least of them stands first
    most[0] = weight;
    most.sort();
  }
  return most[0] as number;
}

function bestOf({ room, weights }: Scored, length: number): { best: number; bestDoc: number } {
  let best = 0;
  let place = -1;
  for (let at = 0; at < length; at++) {
    const weight = weights[at] as number; // within length
    if (weight <= best) continue;
    best = weight;
    place = at;
  }
  return { best, bestDoc: room[place] ?? 0 };
}

/** Listings that say to be without what was refused. */
function raiseRefusing(
  { state: { engine }, plan, scored: { room, weights }, tuning }: Judging,
  from: number,
  to: number,
): void {
  if (plan.refusals.length === 0) return;
  const raised = new Set<number>();
  for (const mark of plan.refusals) engine.visit(mark, (doc) => raised.add(doc));
  for (let at = from; at < to; at++)
    // within count
    if (raised.has(room[at] as number))
      weights[at] = (weights[at] as number) * (1 + tuning.refusal);
}
