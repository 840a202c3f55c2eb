import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { splitBudget, type SplitGroup } from './budget-split.js';

const group = (id: string, change: Partial<SplitGroup> = {}): SplitGroup => ({
  id,
  auto: true,
  dailyBudgetMicros: null,
  minDailyBudgetMicros: null,
  maxDailyBudgetMicros: null,
  spentMicros: 0,
  results: 0,
  ...change,
});
const sum = (values: Iterable<number>) => [...values].reduce((total, value) => total + value, 0);

test('groups without a record share alike', () => {
  assert.deepEqual(
    [...splitBudget(90, [group('a'), group('b'), group('c')]).values()],
    [30, 30, 30],
  );
});

test('the cheaper result gets the larger share, the dearer one still a chance', () => {
  const split = splitBudget(100_000_000, [
    group('cheap', { spentMicros: 50_000_000, results: 100 }),
    group('dear', { spentMicros: 50_000_000, results: 10 }),
  ]);
  const [cheap = 0, dear = 0] = split.values();
  assert.ok(cheap > 5 * dear && dear >= 5_000_000, `${cheap} ${dear}`);
});

test('limits of a group hold, and what they leave goes to the others', () => {
  const split = splitBudget(100, [
    group('a', { maxDailyBudgetMicros: 10 }),
    group('b', { minDailyBudgetMicros: 60 }),
    group('c'),
  ]);
  assert.deepEqual([split.get('a'), split.get('b'), split.get('c')], [10, 60, 30]);
});

test('a group that does not optimise keeps its own budget', () => {
  const split = splitBudget(100, [
    group('fixed', { auto: false, dailyBudgetMicros: 40 }),
    group('free', { auto: false }),
    group('a'),
    group('b'),
  ]);
  assert.deepEqual(
    [split.get('fixed'), split.get('free'), split.get('a'), split.get('b')],
    [40, 100, 30, 30],
  );
});

test('minimums that do not fit shrink alike', () => {
  assert.deepEqual(
    [
      ...splitBudget(60, [
        group('a', { minDailyBudgetMicros: 80 }),
        group('b', { minDailyBudgetMicros: 40 }),
      ]).values(),
    ],
    [40, 20],
  );
});

test('every microdollar is given out once, inside the limits, for any groups', () => {
  const limit = fc.option(fc.integer({ min: 0, max: 1_000_000 }));
  const anyGroup = fc.record({
    min: limit,
    max: limit,
    spentMicros: fc.integer({ min: 0, max: 1e9 }),
    results: fc.integer({ min: 0, max: 1000 }),
  });
  fc.assert(
    fc.property(
      fc.integer({ min: 0, max: 3_000_000 }),
      fc.array(anyGroup, { minLength: 1, maxLength: 8 }),
      (budget, given) => {
        const groups = given.map(({ min, max, spentMicros, results }, i) =>
          group(`${i}`, {
            spentMicros,
            results,
            minDailyBudgetMicros: min !== null && max !== null ? Math.min(min, max) : min,
            maxDailyBudgetMicros: max,
          }),
        );
        const split = splitBudget(budget, groups);
        const most = sum(
          groups.map(({ maxDailyBudgetMicros }) => maxDailyBudgetMicros ?? Infinity),
        );
        assert.equal(sum(split.values()), Math.min(budget, most));
        const fits =
          sum(groups.map(({ minDailyBudgetMicros }) => minDailyBudgetMicros ?? 0)) <= budget;
        for (const { id, minDailyBudgetMicros, maxDailyBudgetMicros } of groups) {
          const own = split.get(id) ?? NaN;
          assert.ok(Number.isInteger(own) && own <= (maxDailyBudgetMicros ?? Infinity));
          if (fits) assert.ok(own >= (minDailyBudgetMicros ?? 0));
        }
      },
    ),
    { numRuns: 300 },
  );
});
