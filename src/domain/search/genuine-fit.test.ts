import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fitRule } from './genuine-fit.js';
import type { PlannedGroup } from './query-plan.js';

const words = fc.constantFrom('lamp', 'desk', '15', '5w', '30', 'a', 'wool', 'blue', 'zorp');
const groups: fc.Arbitrary<PlannedGroup[]> = fc.array(
  fc
    .record({
      word: words,
      rarity: fc.integer({ min: 1, max: 12 }),
      aside: fc.boolean(),
      unknown: fc.boolean(),
      supporting: fc.boolean(),
    })
    .map(({ word, rarity, aside, unknown, supporting }) => ({
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
      supporting,
      spelling: -1,
    })),
  { minLength: 1, maxLength: 10 },
);

test('a listing that is no fit is none with fewer of the words either', () => {
  fc.assert(
    fc.property(
      groups,
      fc.nat(),
      fc.nat(),
      fc.nat(),
      fc.nat(),
      fc.nat(9),
      (query, some, strong, less, weaker, head) => {
        const every = (1 << query.length) - 1;
        const rule = fitRule(query, head % query.length, 5000);
        const matched = some & every;
        const firm = strong & matched;
        const part = matched & less;
        for (const fits of [rule.fits, rule.fitsElsewhere, rule.fitsLoosely])
          if (!fits(matched, firm)) assert.equal(fits(part, firm & part & weaker), false);
      },
    ),
  );
});
