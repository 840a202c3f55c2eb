import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { fromDollars, ratio, splitRevenue, toDollars } from './money.js';

const amount = fc.integer({ min: 0, max: 8_000_000_000_000_000 });

test('every amount survives the way out to JSON and back', () => {
  fc.assert(
    fc.property(amount, (micros) => {
      const text = JSON.stringify(toDollars(micros));
      assert.equal(fromDollars(Number(text)), micros);
      assert.ok((text.split('.')[1] ?? '').length <= 6 || text.includes('e-'));
    }),
  );
});

test('an amount is rounded as it is written, half up', () => {
  assert.equal(fromDollars(1.0000005), 1_000_001);
  assert.equal(fromDollars(1.0000004999), 1_000_000);
  assert.equal(fromDollars(0.1 + 0.2), 300_000);
  assert.equal(fromDollars(5e-7), 1);
  assert.equal(fromDollars(4.9e-7), 0);
  assert.equal(fromDollars(4.9e-8), 0);
  assert.equal(fromDollars(12.34), 12_340_000);
  assert.equal(fromDollars(0), 0);
  assert.ok(Object.is(toDollars(-0), 0));
});

test('rounding agrees with decimal long multiplication', () => {
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (dollars) => {
      const [whole = '0', fraction = ''] = plainDecimal(dollars).split('.');
      const shifted = BigInt(whole + fraction.padEnd(7, '0').slice(0, 7));
      assert.equal(fromDollars(dollars), Number((shifted + 5n) / 10n));
    }),
    { numRuns: 500 },
  );
});

function plainDecimal(value: number): string {
  const [mantissa = '0', exponent = '0'] = value.toExponential().split('e');
  const digits = mantissa.replace('.', '');
  const shift = Number(exponent);
  if (shift < 0) return `0.${'0'.repeat(-shift - 1)}${digits}`;
  const padded = digits.padEnd(shift + 1, '0');
  return `${padded.slice(0, shift + 1)}.${padded.slice(shift + 1)}`;
}

test('what is not an amount is refused', () => {
  for (const bad of [NaN, Infinity, -Infinity, -0.01, 1e300, 9.1e9])
    assert.throws(() => fromDollars(bad), RangeError);
  assert.equal(fromDollars(-0.5, { allowNegative: true }), -500_000);
  assert.ok(Object.is(fromDollars(-1e-9, { allowNegative: true }), 0));
});

test('a ratio with nothing below the line is 0', () => {
  for (const [a, b] of [
    [5, 0],
    [0, 0],
    [0, 5],
    [0.5, 0],
    [-0, -3],
  ] as const)
    assert.ok(Object.is(ratio(a, b), 0));
});

test('a ratio is the exact quotient rounded to six decimals', () => {
  assert.equal(ratio(1, 3), 0.333333);
  assert.equal(ratio(2, 3), 0.666667);
  assert.equal(ratio(1, 2_000_000), 0.000001);
  assert.equal(ratio(-1, 2_000_000), -0.000001);
  assert.equal(ratio(0.5, 1.5), 0.333333);
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 8e9 }), fc.integer({ min: 1, max: 1e9 }), (a, b) => {
      const millionths = BigInt(Math.round(ratio(a, b) * 1e6));
      const twiceError = 2n * (millionths * BigInt(b) - BigInt(a) * 1_000_000n);
      assert.ok(twiceError <= BigInt(b) && twiceError > -BigInt(b));
    }),
  );
});

test('revenue and fee add up to the spend, and a reversal mirrors it', () => {
  fc.assert(
    fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (spend, share) => {
      const split = splitRevenue(spend, share);
      assert.equal(split.revenueMicros + split.feeMicros, spend);
      assert.equal(BigInt(split.revenueMicros), (BigInt(spend) * BigInt(share)) / 10_000n);
      const back = splitRevenue(-spend, share);
      assert.equal(back.revenueMicros + split.revenueMicros, 0);
      assert.equal(back.feeMicros + split.feeMicros, 0);
    }),
  );
  assert.throws(() => splitRevenue(0.5, 10), RangeError);
  assert.throws(() => splitRevenue(5, 10_001), RangeError);
});
