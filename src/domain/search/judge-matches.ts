// Which of the matching documents are kept, and how they are weighed. Goes through every match, of
// which a common word has very many: no object a document, one place for the lists, and the rule is
// asked once for each pair of masks.
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

/**
 * What is kept, weighed. What the words alone put nearly level with the best that fits is kept too:
 * the rule is there to leave out noise, and cannot know better than the ranking what stands first.
 * The list lies in `scored.room`.
 */
export function judgeMatches(judging: Judging): Uint32Array {
  const { scored, rule } = judging;
  if (rule === null) {
    const all = keepAll(judging);
    weigh(judging, all);
    raiseRefusing(judging);
    return all;
  }
  let sifted = sift(judging, rule, true);
  if (sifted.fitting === 0) sifted = sift(judging, rule, false);
  if (sifted.fitting === 0) return scored.room.subarray(0, 0);
  weigh(judging, scored.room.subarray(0, sifted.fitting));
  weigh(judging, scored.room.subarray(sifted.others, scored.count));
  raiseRefusing(judging);
  return scored.room.subarray(0, addLevel(judging, rule, sifted));
}

export function askedMask({ groups }: QueryPlan): number {
  return groups.length >= 31 ? 0x7fffffff : (1 << groups.length) - 1;
}

/** Documents that match the query itself: style alone is no match. */
function keepAll({ plan, scored: { docs, cells, room, count } }: Judging): Uint32Array {
  const asked = askedMask(plan);
  let kept = 0;
  for (let at = 0; at < count; at++) {
    const doc = docs[at] as number; // within count
    // sized to every document
    if (((cells[(doc << 2) + matchedCell] as number) & asked) !== 0) room[kept++] = doc;
  }
  return room.subarray(0, kept);
}

/**
 * Puts what fits at the start of the room, as many as `fitting`, and from `others` on what has all
 * the words or is named by one.
 */
function sift(
  { state: { columns }, plan, scored, shelf }: Judging,
  { judge }: FitRule,
  isStrict: boolean,
): { fitting: number; others: number } {
  const asked = askedMask(plan);
  const { docs, cells, room, count } = scored;
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
    if (fits) room[fitting++] = doc;
    else if (matched === asked || (verdicts & verdict.named) !== 0) room[--others] = doc;
  }
  return { fitting, others };
}

/** Adds those of the others that are nearly level with the best that fits; gives how many there are. */
function addLevel(
  { state: { columns }, plan, scored, shelf, tuning }: Judging,
  { judge }: FitRule,
  { fitting, others }: { fitting: number; others: number },
): number {
  const { room, cells, floats, count } = scored;
  const asked = askedMask(plan);
  const { best, bestDoc } = bestOf(scored, fitting);
  // Being level with what only has another name for it says nothing of a mention in passing.
  // sized to every document
  const isCalledSo = ((cells[(bestDoc << 2) + namedCell] as number) & asked) !== 0;
  let kept = fitting;
  for (let at = others; at < count; at++) {
    const doc = room[at] as number; // within count
    const cell = doc << 2;
    const matched = (cells[cell + matchedCell] as number) & asked; // as above
    const verdicts = judge(matched, (cells[cell + firmCell] as number) & asked); // as above
    const isNamed = (verdicts & verdict.named) !== 0;
    const isAtHome = shelf < 0 || columns.shelfOf(doc) === shelf;
    const least = isAtHome ? tuning.level : tuning.levelElsewhere;
    const share = isNamed ? least : isCalledSo ? Math.max(least, tuning.levelText) : Infinity;
    if ((floats[cell] as number) >= best * share) room[kept++] = doc; // as above
  }
  return kept;
}

function bestOf(
  { room, floats }: Scored,
  length: number,
): { best: number; bestDoc: number } {
  let best = 0;
  let bestDoc = 0;
  for (let at = 0; at < length; at++) {
    const doc = room[at] as number; // within length
    const score = floats[doc << 2] as number; // sized to every document
    if (score <= best) continue;
    best = score;
    bestDoc = doc;
  }
  return { best, bestDoc };
}

/** More of the query counts for more than much of a part of it. */
function weigh({ plan, scored, mentioned, tuning }: Judging, kept: Uint32Array): void {
  const { floats, cells } = scored;
  const total = plan.groups.reduce((sum, group) => sum + group.rarity, 0) || 1;
  const asked = askedMask(plan);
  const sum = maskSum(plan.groups.map((group) => group.rarity));
  const { coverage, everyWord } = tuning;
  for (let at = 0; at < kept.length; at++) {
    const doc = kept[at] as number; // below length
    const cell = doc << 2;
    // sized to every document
    const part = sum((cells[cell + matchedCell] as number) & asked) / total;
    const share = (coverage === 1 ? part : part ** coverage) * (part > 0.999 ? 1 + everyWord : 1);
    floats[cell] =
      (floats[cell] as number) *
      share *
      (mentioned !== null && mentioned[doc] === 1 ? tuning.mentioned : 1); // as above
  }
}

/** Listings that say to be without what was refused; what is not kept may be raised as well. */
function raiseRefusing({ state: { engine }, plan, scored, tuning }: Judging): void {
  if (plan.refusals.length === 0) return;
  const raised = new Set<number>();
  for (const mark of plan.refusals) engine.visit(mark, (doc) => raised.add(doc));
  for (const doc of raised)
    scored.floats[doc << 2] = (scored.floats[doc << 2] ?? 0) * (1 + tuning.refusal);
}
