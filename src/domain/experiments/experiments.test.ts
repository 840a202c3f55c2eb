import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createRandom } from '../decision/seeded-random.js';
import { assignVariant } from './assign-variant.js';
import { type Arm, liftOf, twoSided, z95 } from './lift.js';

/** How many of `units` people do what each does with this chance. */
function draw(random: () => number, units: number, chance: number): Arm {
  let successes = 0;
  for (let at = 0; at < units; at += 1) if (random() < chance) successes += 1;
  return { units, successes };
}

/** The largest distance of sorted shares from the straight line of a uniform distribution. */
function distanceFromUniform(shares: readonly number[]): number {
  const sorted = [...shares].sort((a, b) => a - b);
  return Math.max(
    ...sorted.map((share, at) =>
      Math.max((at + 1) / sorted.length - share, share - at / sorted.length),
    ),
  );
}

describe('assignment to an arm', () => {
  const arms = [
    { name: 'a', weight: 30 },
    { name: 'b', weight: 70 },
  ];

  it('is the same every time, follows the weights, and differs between experiments', () => {
    let [inA, inBoth] = [0, 0];
    const people = 20_000;
    for (let at = 0; at < people; at += 1) {
      const one = assignVariant('secret', 'x1', `p${at}`, arms);
      assert.equal(assignVariant('secret', 'x1', `p${at}`, arms), one);
      if (one !== 'a') continue;
      inA += 1;
      if (assignVariant('secret', 'x2', `p${at}`, arms) === 'a') inBoth += 1;
    }
    assert.ok(Math.abs(inA / people - 0.3) < 0.02, String(inA));
    assert.ok(Math.abs(inBoth / inA - 0.3) < 0.03, 'who is where in one says nothing of the other');
  });

  it('cannot be told without the secret, and never leaves the arms there are', () => {
    fc.assert(
      fc.property(
        fc.string(),
        fc.array(fc.record({ name: fc.string(), weight: fc.integer({ min: 0, max: 9 }) })),
        (unit, variants) => {
          const arm = assignVariant('s', 'x', unit, variants);
          const possible = variants.filter(({ weight }) => weight > 0);
          assert.ok(
            possible.length === 0 ? arm === null : possible.some(({ name }) => name === arm),
          );
        },
      ),
    );
    const moved = Array.from({ length: 2000 }, (_, at) => `p${at}`).filter(
      (unit) => assignVariant('s', 'x', unit, arms) !== assignVariant('t', 'x', unit, arms),
    );
    assert.ok(Math.abs(moved.length / 2000 - 0.42) < 0.05, String(moved.length));
  });
});

describe('lift', () => {
  it('knows the normal distribution', () => {
    for (const [z, chance] of [
      [0, 1],
      [z95, 0.05],
      [1, 0.3173105],
      [3.2905267, 0.001],
      [3.5355, 0.00040698],
      [5, 5.733e-7],
    ] as const)
      assert.ok(Math.abs(twoSided(z) / chance - 1) < 1e-4, `${z}: ${twoSided(z)}`);
  });

  it('compares an arm with another, and says nothing where nobody is', () => {
    assert.equal(liftOf({ units: 0, successes: 0 }, { units: 5, successes: 1 }), null);
    const none = liftOf({ units: 10, successes: 0 }, { units: 10, successes: 0 });
    assert.deepEqual([none?.pValue, none?.relative], [1, null]);
    const lift = liftOf({ units: 1000, successes: 60 }, { units: 1000, successes: 40 });
    assert.ok(lift !== null && lift.relative !== null);
    assert.ok(Math.abs(lift.relative.value - 0.5) < 1e-9);
    assert.ok(Math.abs(lift.difference.value - 0.02) < 1e-9);
    assert.ok(lift.difference.low > 0 && lift.pValue < 0.05 && lift.pValue > 0.03);
  });

  it('holds its value inside its interval, and swapping the arms turns everything round', () => {
    const arm = fc
      .record({
        units: fc.integer({ min: 1, max: 5000 }),
        share: fc.double({ min: 0, max: 1, noNaN: true }),
      })
      .map(({ units, share }) => ({ units, successes: Math.round(units * share) }));
    fc.assert(
      fc.property(arm, arm, (one, other) => {
        const [lift, back] = [liftOf(one, other), liftOf(other, one)];
        assert.ok(lift !== null && back !== null);
        const { value, low, high } = lift.difference;
        assert.ok(
          low <= value + 1e-12 && value <= high + 1e-12 && low >= -1.0001 && high <= 1.0001,
        );
        assert.ok(Math.abs(low + back.difference.high) < 1e-9);
        assert.ok(Math.abs(lift.pValue - back.pValue) < 1e-9);
        assert.ok(lift.pValue >= 0 && lift.pValue <= 1);
      }),
    );
  });

  it('covers the truth nineteen times in twenty, whatever the rates', () => {
    const random = createRandom(21);
    for (const [rate, baseRate, units] of [
      [0.02, 0.02, 1500],
      [0.05, 0.04, 1000],
      [0.3, 0.25, 400],
      [0.01, 0.02, 2000],
    ] as const) {
      let [difference, relative] = [0, 0];
      const rounds = 1500;
      for (let round = 0; round < rounds; round += 1) {
        const lift = liftOf(draw(random, units, rate), draw(random, units, baseRate));
        if (lift === null) continue;
        if (lift.difference.low <= rate - baseRate && rate - baseRate <= lift.difference.high)
          difference += 1;
        const truth = rate / baseRate - 1;
        if (lift.relative === null || (lift.relative.low <= truth && truth <= lift.relative.high))
          relative += 1;
      }
      for (const covered of [difference / rounds, relative / rounds])
        assert.ok(covered > 0.935 && covered < 0.975, `${rate} ${baseRate}: ${covered}`);
    }
  });

  it('gives uniform p-values where there is no difference', () => {
    const random = createRandom(5);
    const pValues = Array.from(
      { length: 1000 },
      () => liftOf(draw(random, 900, 0.2), draw(random, 900, 0.2))?.pValue ?? 1,
    );
    // Farther than this from uniform is one chance in a thousand.
    assert.ok(distanceFromUniform(pValues) < 1.95 / Math.sqrt(pValues.length));
  });
});
