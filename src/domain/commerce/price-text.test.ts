import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { currentOffer } from './current-offer.js';
import { microsOfAmount, microsOfMinor, minorOfMicros, parsePrice } from './price-text.js';

describe('prices of feeds', () => {
  it('are read in every common spelling', () => {
    const cases: [string, string | null, [number, string] | null][] = [
      ['15.00 USD', null, [15_000_000, 'USD']],
      ['USD 15', null, [15_000_000, 'USD']],
      ['1,299.00 USD', null, [1_299_000_000, 'USD']],
      ['1.299,00 EUR', null, [1_299_000_000, 'EUR']],
      ['€15,50', null, [15_500_000, 'EUR']],
      ['15.5 eur', null, [15_500_000, 'EUR']],
      ['15', 'GBP', [15_000_000, 'GBP']],
      ['15', null, null],
      ['free', 'USD', null],
      ['', 'USD', null],
      ['-5.00 USD', null, null],
      ['1000 JPY', null, [1_000_000_000, 'JPY']],
      ['12,345 USD', null, [12_345_000_000, 'USD']],
      ['EUR 12,50', null, [12_500_000, 'EUR']],
      ['1.299,00 €', null, [1_299_000_000, 'EUR']],
      ['1.299 EUR', null, [1_299_000_000, 'EUR']],
      ['1.250 KWD', null, [1_250_000, 'KWD']],
      ['0.125 EUR', null, [125_000, 'EUR']],
      ['1’299.00 CHF', null, [1_299_000_000, 'CHF']],
    ];
    for (const [text, fallback, expected] of cases) {
      const found = parsePrice(text, fallback);
      assert.deepEqual(found === null ? null : [found.micros, found.currency], expected, text);
    }
  });

  it('survive the way to text and to minor units and back', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 100_000_000 }),
        fc.constantFrom('USD', 'JPY', 'KWD'),
        (minor, currency) => {
          assert.equal(minorOfMicros(microsOfMinor(minor, currency), currency), minor);
          assert.equal(microsOfAmount((minor / 100).toFixed(2)), minor * 10_000);
        },
      ),
    );
  });

  it('a sale counts only inside its window and only when it is cheaper', () => {
    fc.assert(
      fc.property(
        fc.nat(100),
        fc.option(fc.nat(100), { nil: null }),
        fc.option(fc.nat(100), { nil: null }),
        fc.option(fc.nat(100), { nil: null }),
        fc.nat(100),
        (price, sale, start, end, now) => {
          const offer = currentOffer(
            {
              priceMicros: price,
              salePriceMicros: sale,
              saleStartsAt: start,
              saleEndsAt: end,
              regularPublished: true,
            },
            now,
          );
          const isRunning = (start === null || start <= now) && (end === null || now < end);
          assert.equal(
            offer.priceMicros,
            sale !== null && isRunning ? Math.min(sale, price) : price,
          );
          assert.equal(
            offer.onSale,
            offer.regularPriceMicros !== null && offer.regularPriceMicros > offer.priceMicros,
          );
        },
      ),
    );
  });
});
