import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { findLosers, rankAds } from './find-losers.js';

const ad = (adId: string, impressions: number, clicks: number) => ({ adId, impressions, clicks });

describe('losing ads', () => {
  it('are those clearly below their siblings after enough impressions', () => {
    const results = [ad('a', 5000, 150), ad('b', 5000, 140), ad('c', 5000, 60)];
    assert.deepEqual(
      findLosers(results).map((result) => result.adId),
      ['c'],
    );
    assert.equal(rankAds(results)[0]?.adId, 'a');
  });
  it('are not found in noise, with few impressions or without clicks', () => {
    assert.deepEqual(findLosers([ad('a', 1000, 20), ad('b', 1000, 17)]), []);
    assert.deepEqual(findLosers([ad('a', 5000, 150), ad('b', 100, 0)]), []);
    assert.deepEqual(findLosers([ad('a', 5000, 0), ad('b', 5000, 0)]), []);
    assert.deepEqual(findLosers([]), []);
  });
  it('are never all of a group, nor the best one', () => {
    const result = fc.record({
      impressions: fc.nat(100_000),
      share: fc.double({ min: 0, max: 0.2, noNaN: true }),
    });
    fc.assert(
      fc.property(fc.array(result, { minLength: 1, maxLength: 8 }), (rows) => {
        const results = rows.map(({ impressions, share }, index) =>
          ad(String(index), impressions, Math.floor(impressions * share)),
        );
        const losers = findLosers(results);
        assert.ok(losers.length < results.length);
        const [best] = rankAds(results);
        assert.ok(best === undefined || !losers.includes(best));
      }),
    );
  });
});
