import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fitRule, type FitRule, verdict } from './genuine-fit.js';
import { askedMask, type JudgeTuning, judgeMatches } from './judge-matches.js';
import type { ProductState } from './product-state.js';
import type { PlannedGroup, QueryPlan } from './query-plan.js';
import { emptyScratch, firmCell, matchedCell, namedCell } from './scored.js';

const tuning: JudgeTuning = {
  coverage: 1,
  everyWord: 0.6,
  mentioned: 0.75,
  refusal: 0.6,
  level: 0.2,
  levelElsewhere: 0.6,
  levelText: 0.5,
  levelSpare: 0.05,
};

interface Match {
  score: number;
  matched: number;
  firm: number;
  named: number;
  shelf: number;
  isMentioned: boolean;
  isRaised: boolean;
}

const matches = fc.array(
  fc
    .record({
      score: fc.double({ min: 0.1, max: 20, noNaN: true }).map(Math.fround),
      matched: fc.nat(4095),
      firm: fc.nat(4095),
      named: fc.nat(4095),
      shelf: fc.nat(2),
      isMentioned: fc.boolean(),
      isRaised: fc.boolean(),
    })
    .map((one) => ({
      ...one,
      firm: one.firm & one.matched,
      named: one.named & one.firm & one.matched,
    })),
  { maxLength: 60 },
);

const planned = fc
  .array(
    fc.record({
      word: fc.constantFrom('lamp', 'desk', '15', '5w', 'wool', 'blue', 'zorp'),
      rarity: fc.integer({ min: 1, max: 12 }),
      aside: fc.boolean(),
      unknown: fc.boolean(),
    }),
    { minLength: 1, maxLength: 10 },
  )
  .map((list) =>
    list.map(({ word, rarity, aside, unknown }): PlannedGroup => ({
      words: [word],
      terms: [],
      alternatives: [],
      rarity,
      weight: rarity,
      aside,
      detail: false,
      joinsNext: false,
      repaired: false,
      unknown,
      spelling: -1,
    })),
  );

/** A listing at a time, as the rule is told in words. */
function judgeSlowly(
  list: readonly Match[],
  plan: QueryPlan,
  rule: FitRule | null,
  shelf: number,
): Map<number, number> {
  const asked = askedMask(plan);
  const total = plan.groups.reduce((sum, group) => sum + group.rarity, 0);
  const docs = list.flatMap((one, doc) => ((one.matched & asked) === 0 ? [] : [{ ...one, doc }]));
  const scoreOf = (one: Match): number => {
    const part =
      plan.groups.reduce(
        (sum, { rarity }, at) => sum + ((one.matched & (1 << at)) === 0 ? 0 : rarity),
        0,
      ) / total;
    const share = part * (part > 0.999 ? 1 + tuning.everyWord : 1);
    const weighed = Math.fround(one.score * share * (one.isMentioned ? tuning.mentioned : 1));
    return one.isRaised ? Math.fround(weighed * (1 + tuning.refusal)) : weighed;
  };
  const scored = (kept: typeof docs): Map<number, number> =>
    new Map(kept.map((one) => [one.doc, scoreOf(one)]));
  if (rule === null) return scored(docs);
  const isHome = (one: Match): boolean => shelf < 0 || one.shelf === shelf;
  const masks = (one: Match): [number, number] => [one.matched & asked, one.firm & asked];
  const isNamed = (one: Match): boolean => (rule.judge(...masks(one)) & verdict.named) !== 0;
  const strict = docs.filter(
    (one) =>
      rule.fits(...masks(one)) &&
      (isHome(one) ||
        (rule.fitsElsewhere(...masks(one)) &&
          (plan.groups.length > 1 || (one.named & asked) !== 0))),
  );
  const fitting =
    strict.length > 0
      ? strict
      : docs.filter((one) => rule.fitsLoosely(...masks(one)) && isHome(one));
  if (fitting.length === 0) return new Map();
  const best = fitting.reduce((most, one) => (scoreOf(one) > scoreOf(most) ? one : most));
  const isCalledSo = (best.named & asked) !== 0;
  const page = fitting.map(scoreOf).sort((a, b) => b - a);
  const spare = page.length < 10 ? scoreOf(best) * tuning.levelSpare : (page[9] ?? 0);
  const isMuch = (one: Match): boolean =>
    (rule.judge(...masks(one)) & verdict.much) !== 0 ||
    (isCalledSo && (one.matched & asked) === asked);
  const isLevel = (one: Match): boolean => {
    if (isHome(one) && isMuch(one) && scoreOf(one) >= spare) return true;
    if (!isNamed(one) && (one.matched & asked) !== asked) return false;
    const least = isHome(one) ? tuning.level : tuning.levelElsewhere;
    if (isNamed(one)) return scoreOf(one) >= scoreOf(best) * least;
    return isCalledSo && scoreOf(one) >= scoreOf(best) * Math.max(least, tuning.levelText);
  };
  return scored(docs.filter((one) => fitting.includes(one) || isLevel(one)));
}

function judgeQuickly(
  list: readonly Match[],
  plan: QueryPlan,
  rule: FitRule | null,
  shelf: number,
): Map<number, number> {
  const scored = emptyScratch(list.length);
  const mentioned = Uint8Array.from(list, (one) => (one.isMentioned ? 1 : 0));
  for (const [doc, one] of list.entries()) {
    scored.docs[scored.count++] = doc;
    scored.floats[doc << 2] = one.score;
    scored.cells[(doc << 2) + matchedCell] = one.matched;
    scored.cells[(doc << 2) + firmCell] = one.firm;
    scored.cells[(doc << 2) + namedCell] = one.named;
  }
  // All that judging asks of an index.
  const state = {
    columns: { shelfOf: (doc: number) => list[doc]?.shelf },
    engine: {
      visit: (_: number, each: (doc: number) => void) =>
        list.forEach((one, doc) => {
          if (one.isRaised) each(doc);
        }),
    },
  } as unknown as ProductState;
  const { docs, scores } = judgeMatches({ state, plan, scored, rule, shelf, mentioned, tuning });
  return new Map(Array.from(docs, (doc, at) => [doc, scores[at] ?? 0]));
}

test('many matches are judged as each would be by itself', () => {
  const shelves = fc.integer({ min: -1, max: 2 });
  fc.assert(
    fc.property(matches, planned, shelves, fc.boolean(), (list, groups, shelf, isFit) => {
      const plan: QueryPlan = {
        groups,
        unwanted: [],
        refusals: [1],
        corrected: null,
        excluded: [],
      };
      const rule = isFit ? fitRule(groups, groups.length - 1, 5000) : null;
      const quick = [...judgeQuickly(list, plan, rule, shelf)].sort(([a], [b]) => a - b);
      assert.deepEqual(quick, [...judgeSlowly(list, plan, rule, shelf)]);
    }),
    { numRuns: 400 },
  );
});
