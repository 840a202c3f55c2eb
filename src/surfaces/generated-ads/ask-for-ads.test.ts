import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { landingPage } from '../../../test/support/page-server.js';
import { type Llm, LlmUnavailable } from '../../platform/llm/llm.js';
import { silentLog } from '../../platform/log.js';
import { readPageFacts } from '../../platform/outbound/read-page.js';
import { type AdRequest, askForAds } from './ask-for-ads.js';

const page = readPageFacts(landingPage('travel-insurance'), 'https://wayfarer-mutual.example/');
const request: AdRequest = {
  brief: {
    brand: 'Wayfarer Mutual',
    host: 'wayfarer-mutual.example',
    context: 'travel insurance',
    prompt: 'Mention the 24 hour line.',
  },
  page,
  count: 3,
  known: [],
  winners: [],
  losers: [],
};
const model = (answer: unknown): Llm => ({
  model: 'm',
  complete: () => Promise.resolve(''),
  completeJson: () => Promise.resolve(answer),
});
const ask = (answer: unknown, extra: Partial<AdRequest> = {}) =>
  askForAds({ llm: model(answer), log: silentLog }, { ...request, ...extra });
const good = {
  headline: 'Covered in 140 countries',
  copy: 'Medical care, cancelled trips and lost luggage, wherever you go.',
  cta: 'Get a quote',
};

describe('ads by a model', () => {
  it('are kept when they fit and say what the page or the brief says', async () => {
    const ads = await ask({
      ads: [
        good,
        { headline: 'A 24 hour line', copy: 'Nurses answer in nine languages', cta: 'Call us.' },
      ],
    });
    assert.deepEqual(
      ads.map((ad) => [ad.headline, ad.copy, ad.cta]),
      [
        [good.headline, good.copy, good.cta],
        ['A 24 hour line', 'Nurses answer in nine languages.', 'Call us'],
      ],
    );
  });

  it('are dropped when they promise more, are too long, repeat or lead elsewhere', async () => {
    const bad = [
      { ...good, copy: 'The best cover there is, guaranteed.' },
      { ...good, headline: 'Covered in 180 countries' },
      { ...good, copy: 'From $9 a day for medical care and luggage.' },
      { ...good, headline: 'x'.repeat(81) },
      { ...good, copy: 'Long. '.repeat(100) },
      { ...good, cta: '' },
      { ...good, copy: 'Go to https://elsewhere.example now for cover.' },
      { headline: 5 },
      null,
      'text',
    ];
    assert.deepEqual(await ask({ ads: bad }), []);
    assert.equal(
      (await ask({ ads: [good, good, { ...good, headline: 'Other words' }] })).length,
      1,
    );
    assert.deepEqual(await ask({ ads: [good] }, { known: [good] }), []);
    assert.deepEqual(await ask({ something: 'else' }), []);
  });

  it('are none when there is no model or it fails', async () => {
    assert.deepEqual(await askForAds({ llm: null, log: silentLog }, request), []);
    const failing: Llm = {
      model: 'm',
      complete: () => Promise.reject(new LlmUnavailable('x')),
      completeJson: () => Promise.reject(new LlmUnavailable('x')),
    };
    assert.deepEqual(await askForAds({ llm: failing, log: silentLog }, request), []);
  });
});
