import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { PublisherTraffic } from './judge-publishers.js';
import { weighEvidence } from './weigh-evidence.js';

const traffic = (publisherId: string, more: Partial<PublisherTraffic> = {}): PublisherTraffic => ({
  publisherId,
  impressions: 400,
  toldImpressions: 400,
  clicks: 12,
  expectedClicks: 12,
  fastClicks: 0,
  placed: 0,
  displaced: 0,
  converted: 2,
  claimed: 0,
  settledConversions: 2,
  expectedConversions: 1.5,
  elsewhereConversions: 0,
  elsewhereDue: 0,
  wasFound: false,
  ...more,
});
const honest = ['a', 'b', 'c', 'd'].map((id) => traffic(id));
const provenOf = (list: readonly PublisherTraffic[], found: string[] = []) =>
  Object.fromEntries(
    weighEvidence(list, new Set(found)).map((one) => [one.publisherId, one.isProven]),
  );

describe('evidence that people stand behind traffic', () => {
  it('is what they bought, as often as others’ people do', () => {
    assert.deepEqual(
      provenOf(
        [
          ...honest,
          traffic('no purchase', { converted: 0, settledConversions: 0 }),
          traffic('one purchase', { converted: 1, settledConversions: 1 }),
          traffic('two of forty', { settledConversions: 2, expectedConversions: 12 }),
          traffic('views only', {
            clicks: 0,
            converted: 0,
            settledConversions: 0,
            expectedConversions: 0,
          }),
          traffic('found before', { wasFound: true }),
          traffic('found now', { settledConversions: 9 }),
        ],
        ['found now'],
      ),
      {
        a: true,
        b: true,
        c: true,
        d: true,
        'no purchase': false,
        'one purchase': true,
        'two of forty': false,
        'views only': false,
        'found before': false,
        'found now': false,
      },
    );
  });

  it('is more than what a single advertiser tells, which may be the publisher’s own', () => {
    const own = { clicks: 300, converted: 40, settledConversions: 40, expectedConversions: 30 };
    assert.deepEqual(
      provenOf([
        ...honest,
        traffic('own shop', { ...own, elsewhereDue: 20 }),
        traffic('a few others', { ...own, elsewhereDue: 20, elsewhereConversions: 5 }),
        traffic('none of two', { ...own, elsewhereDue: 2 }),
        traffic('hardly any others', { ...own, elsewhereDue: 1.9 }),
      ]),
      {
        a: true,
        b: true,
        c: true,
        d: true,
        'own shop': false,
        'a few others': true,
        'none of two': false,
        'hardly any others': true,
      },
    );
  });

  it('is asked of small publishers too, before others’ figures tell anything', () => {
    const small = { clicks: 4, settledConversions: 0, expectedClicks: 0, expectedConversions: 0 };
    assert.deepEqual(
      provenOf([
        traffic('bought', { ...small, converted: 1 }),
        traffic('not yet', { ...small, converted: 0 }),
      ]),
      { bought: true, 'not yet': false },
    );
    assert.deepEqual(provenOf([traffic('alone', { ...small, converted: 0 })]), { alone: false });
  });

  it('is asked of nobody whose advertisers tell of no purchases', () => {
    const others = traffic('other advertisers', { toldImpressions: 199, converted: 0 });
    assert.deepEqual(Object.keys(provenOf([...honest, others])), ['a', 'b', 'c', 'd']);
  });

  it('is asked of nobody where hardly anyone buys, however many click for nothing', () => {
    const rare = traffic('rare', { clicks: 201, converted: 2 });
    const none = traffic('none', { clicks: 299, converted: 0 });
    assert.deepEqual(provenOf([rare, none]), {});
    assert.deepEqual(provenOf([traffic('usual', { clicks: 199 }), none]), {
      usual: true,
      none: false,
    });
    assert.deepEqual(provenOf([none]), { none: false });
    assert.deepEqual(provenOf([{ ...none, clicks: 300 }]), {});
  });
});
