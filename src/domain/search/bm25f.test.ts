import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Bm25f, type Bm25fSettings, type QueryGroup } from './bm25f.js';
import { firmCell, matchedCell, namedCell, zone } from './scored.js';

const settings: Bm25fSettings = {
  saturation: 1.5,
  openPostings: 12,
  largestMerge: 60,
  fields: [
    { weight: 3, lengthNorm: 0.5, usualLength: 4, zone: zone.name },
    { weight: 1, lengthNorm: 0.7, usualLength: 8, zone: zone.text },
  ],
};
const termCount = 12;
const fields = fc.tuple(
  fc.array(fc.integer({ min: 1, max: 11 }), { maxLength: 6 }),
  fc.array(fc.integer({ min: 1, max: 11 }), { maxLength: 12 }),
);
const catalogs = fc.array(fields, { minLength: 1, maxLength: 25 });
const queries = fc.array(
  fc.record({
    terms: fc.uniqueArray(fc.integer({ min: 1, max: 11 }), { minLength: 1, maxLength: 3 }),
    weight: fc.integer({ min: 1, max: 5 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** The score of one group from the definition, without postings. */
function slowScore([name, text]: readonly [number[], number[]], term: number): number {
  const count = (list: readonly number[]): number => list.filter((each) => each === term).length;
  const frequency =
    (count(name) * 3) / (0.5 + 0.5 * (name.length / 4)) +
    count(text) / (0.3 + 0.7 * (text.length / 8));
  return frequency / (frequency + 1.5);
}

function indexOf(catalog: readonly (readonly [number[], number[]])[], alive: Uint8Array): Bm25f {
  const engine = new Bm25f(settings);
  for (const [doc, terms] of catalog.entries()) {
    engine.add(doc, terms, termCount);
    engine.tidy(5, alive, 0);
  }
  return engine;
}

test('a score is the best alternative of each group, summed, as the definition gives it', () => {
  fc.assert(
    fc.property(catalogs, queries, (catalog, query) => {
      const alive = new Uint8Array(catalog.length).fill(1);
      const engine = indexOf(catalog, alive);
      const groups: QueryGroup[] = query.map(({ terms, weight }) => ({
        weight,
        alternatives: terms.map((term) => ({ term, weight: 1 })),
      }));
      const scored = engine.score(groups, alive, catalog.length);
      for (const [doc, terms] of catalog.entries()) {
        const expected = query.reduce(
          (sum, group) =>
            sum + group.weight * Math.max(...group.terms.map((term) => slowScore(terms, term))),
          0,
        );
        assert.ok(
          Math.abs((scored.floats[doc * 4] ?? 0) - expected) < 0.01 * query.length * 5,
          `${scored.floats[doc * 4]} for ${expected}`,
        );
        for (const [bit, group] of query.entries()) {
          const has = (list: readonly number[]): boolean =>
            group.terms.some((term) => list.includes(term));
          assert.equal(
            ((scored.cells[doc * 4 + matchedCell] ?? 0) >> bit) & 1,
            has([...terms[0], ...terms[1]]) ? 1 : 0,
          );
          assert.equal(
            ((scored.cells[doc * 4 + namedCell] ?? 0) >> bit) & 1,
            has(terms[0]) ? 1 : 0,
          );
          assert.equal(((scored.cells[doc * 4 + firmCell] ?? 0) >> bit) & 1, has(terms[0]) ? 1 : 0);
        }
      }
    }),
  );
});

test('merging a little at a time changes no score, frees what is gone and nothing else', () => {
  fc.assert(
    fc.property(
      catalogs,
      fc.integer({ min: 1, max: 11 }),
      fc.func(fc.boolean()),
      fc.integer({ min: 1, max: 40 }),
      (catalog, term, isGone, budget) => {
        const alive = Uint8Array.from(catalog, (_, doc) => (isGone(doc) ? 0 : 1));
        const groups: QueryGroup[] = [{ weight: 2, alternatives: [{ term, weight: 1 }] }];
        const left = catalog.flatMap((_, doc) => (alive[doc] === 1 ? [doc] : []));
        const engine = indexOf(catalog, alive);
        const score = (): (number | undefined)[] => {
          const scored = engine.score(groups, alive.slice(), catalog.length);
          return left.map((doc) => scored.floats[doc * 4]);
        };
        const before = score();
        engine.freeze();
        const freed: number[] = [];
        for (let round = 0; round < 400; round++) {
          freed.push(...Array.from(engine.tidy(budget, alive, 100_000)));
          if (round % 40 !== 0) continue;
          assert.deepEqual(score(), before);
          let postings = 0;
          engine.visit(term, () => (postings += 1));
          assert.equal(engine.frequency(term), postings);
        }
        assert.deepEqual(score(), before);
        assert.equal(new Set(freed).size, freed.length);
        assert.ok(freed.every((doc) => alive[doc] === 0));
      },
    ),
  );
});

test('a number that was freed is in no posting, and may be used again', () => {
  const engine = new Bm25f(settings);
  const alive = new Uint8Array(40).fill(1);
  for (let doc = 0; doc < 40; doc++) engine.add(doc, [[1 + (doc % 5)], [6, 7]], termCount);
  alive.fill(0, 0, 30);
  engine.freeze();
  const freed: number[] = [];
  for (let round = 0; round < 200; round++) freed.push(...Array.from(engine.tidy(7, alive, 5000)));
  assert.deepEqual(
    freed.sort((a, b) => a - b),
    Array.from({ length: 30 }, (_, doc) => doc),
  );
  assert.equal(engine.frequency(6), 10);
  alive[3] = 1;
  engine.add(3, [[9], []], termCount);
  assert.deepEqual([engine.frequency(9), engine.frequency(6)], [1, 10]);
});

test('documents that are not eligible or not admitted are not scored', () => {
  const engine = new Bm25f(settings);
  for (const doc of [0, 1, 2]) engine.add(doc, [[1], []], termCount);
  const scored = engine.score(
    [{ weight: 1, alternatives: [{ term: 1, weight: 1 }] }],
    Uint8Array.of(1, 0, 1),
    3,
    (doc) => doc !== 2,
  );
  assert.deepEqual([...scored.docs.subarray(0, scored.count)], [0]);
});

test('a phrase found elsewhere competes with the terms of its group', () => {
  const engine = new Bm25f(settings);
  for (const doc of [0, 1]) engine.add(doc, [doc === 0 ? [1] : [2], []], termCount);
  const scored = engine.score(
    [
      {
        weight: 1,
        alternatives: [
          { term: 1, weight: 1 },
          { docs: [1], strength: 0.9, zones: zone.name, weight: 1 },
        ],
      },
    ],
    Uint8Array.of(1, 1),
    2,
  );
  assert.equal(scored.count, 2);
  assert.ok(Math.abs((scored.floats[4] ?? 0) - 0.9) < 1e-6);
});
