import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { createClickModel, type ClickModel } from './click-model.js';
import { createRandom } from './seeded-random.js';

function show(
  model: ClickModel,
  adId: string,
  topic: string,
  times: number,
  clicks: number,
  relevance = 0.65,
): void {
  const shown = {
    adIndex: model.adIndex(adId),
    topicIndex: model.topicIndex(topic),
    relevance,
    placement: 'below_response',
  };
  for (let i = 1; i <= times; i++) {
    model.observeImpression(shown);
    if (Math.floor((i * clicks) / times) > Math.floor(((i - 1) * clicks) / times))
      model.observeClick(shown);
  }
}

const pctr = (model: ClickModel, adId: string, topic: string, relevance = 0.65) =>
  model.pctr(model.adIndex(adId), model.topicIndex(topic), relevance);

test('an unknown ad starts from the network, more relevant meaning more clicks', () => {
  const model = createClickModel({ priorCtr: 0.02 });
  assert.ok(Math.abs(pctr(model, 'new', 'x') - 0.02) < 0.002);
  assert.ok(pctr(model, 'new', 'x', 0.9) > pctr(model, 'new', 'x', 0.4));
});

test('an estimate moves from the belief to the counts as they grow', () => {
  const model = createClickModel({ priorCtr: 0.02 });
  const path = [0, 100, 1000, 20_000].map((times) => {
    show(model, 'good', 'x', times, times * 0.08);
    return pctr(model, 'good', 'x');
  });
  assert.deepEqual(
    [...path].sort((a, b) => a - b),
    path,
  );
  assert.ok(Math.abs((path[3] ?? 0) - 0.08) < 0.006, `${path[3]}`);
});

test('what an ad does in one topic is believed only partly in another', () => {
  const model = createClickModel({ priorCtr: 0.02 });
  show(model, 'plain', 'x', 5000, 100);
  show(model, 'good', 'x', 5000, 400);
  const [home, away, network] = [
    pctr(model, 'good', 'x'),
    pctr(model, 'good', 'y'),
    pctr(model, 'unknown', 'y'),
  ];
  assert.ok(home > away && away > network, `${home} ${away} ${network}`);
});

test('the winners of the past do not raise what is promised to newcomers', () => {
  const model = createClickModel({ priorCtr: 0.02 });
  for (let ad = 0; ad < 20; ad++) show(model, `weak ${ad}`, 'x', 500, 5);
  show(model, 'winner', 'x', 50_000, 5000);
  assert.ok(pctr(model, 'newcomer', 'x') < 0.03, `${pctr(model, 'newcomer', 'x')}`);
});

test('a saved model predicts the same, and two nodes together know what one would', () => {
  const event = fc.record({
    ad: fc.constantFrom('a', 'b', 'c'),
    topic: fc.constantFrom('x', 'y'),
    relevance: fc.double({ min: 0, max: 1, noNaN: true }),
    click: fc.boolean(),
  });
  fc.assert(
    fc.property(fc.array(event, { maxLength: 80 }), (events) => {
      const model = createClickModel();
      for (const { ad, topic, relevance, click } of events)
        show(model, ad, topic, 1, click ? 1 : 0, relevance);
      model.observeConversion(model.adIndex('a'));
      const copy = createClickModel();
      copy.restore(JSON.parse(JSON.stringify(model.snapshot())));
      for (const ad of ['a', 'b', 'new']) {
        close(pctr(copy, ad, 'x', 0.7), pctr(model, ad, 'x', 0.7));
        close(copy.pcvr(copy.adIndex(ad)), model.pcvr(model.adIndex(ad)));
      }
    }),
    { numRuns: 50 },
  );
});

test('counts may come in any order and in any parts', () => {
  const row = fc.record({
    adId: fc.constantFrom('a', 'b', 'c'),
    topic: fc.constantFrom('x', 'y'),
    impressions: fc.integer({ min: 0, max: 5000 }),
    clicks: fc.integer({ min: 0, max: 200 }),
    conversions: fc.integer({ min: 0, max: 20 }),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 20 }), (rows) => {
      const whole = createClickModel();
      whole.addCounts(rows);
      const parts = createClickModel();
      for (const part of [...rows].reverse()) parts.addCounts([part]);
      for (const ad of ['a', 'b', 'c', 'new'])
        for (const topic of ['x', 'y']) close(pctr(parts, ad, topic), pctr(whole, ad, topic));
      close(parts.pcvr(parts.adIndex('a')), whole.pcvr(whole.adIndex('a')));
    }),
    { numRuns: 50 },
  );
});

test('what is set in place of what was known is all there is', () => {
  const rows = (conversions: number) => [
    { adId: 'a', topic: 'x', impressions: 400, clicks: 9, conversions },
    { adId: 'a', topic: 'z', impressions: 50, clicks: 1, conversions: 0 },
  ];
  const fresh = createClickModel();
  fresh.addCounts([...rows(2), { adId: 'b', topic: 'x', impressions: 800, clicks: 8 }]);
  const used = createClickModel();
  used.addCounts([{ adId: 'b', topic: 'x', impressions: 800, clicks: 8 }]);
  show(used, 'a', 'x', 5000, 900);
  show(used, 'a', 'y', 100, 90);
  used.addCounts(rows(700));
  used.setCounts('a', rows(2));
  for (const ad of ['a', 'b', 'new']) {
    close(used.pcvr(used.adIndex(ad)), fresh.pcvr(fresh.adIndex(ad)));
    assert.equal(used.clicksLearned(), fresh.clicksLearned());
  }
  used.setCounts('a', []);
  assert.equal(used.clicksLearned(), 8);
});

test('the relation of clicks to relevance and placement is learned', () => {
  const model = createClickModel({ priorCtr: 0.05 });
  const random = createRandom(3);
  const truth = (relevance: number, placement: string) =>
    0.12 * relevance ** 3 * (placement === 'top_page' ? 2 : 1);
  for (let i = 0; i < 60_000; i++) {
    const relevance = random();
    const placement = random() < 0.5 ? 'top_page' : 'below_response';
    const shown = {
      adIndex: model.adIndex('a'),
      topicIndex: model.topicIndex('x'),
      relevance,
      placement,
    };
    model.observeImpression(shown);
    if (random() < truth(relevance, placement)) model.observeClick(shown);
  }
  const lift = model.placementFactor('top_page') / model.placementFactor('below_response');
  assert.ok(lift > 1.7 && lift < 2.3, `${lift}`);
  const shape = pctr(model, 'a', 'x', 0.95) / pctr(model, 'a', 'x', 0.55);
  assert.ok(shape > 3.5 && shape < 7, `${shape}`);
});

test('conversions are learned per ad and start from the network', () => {
  const model = createClickModel();
  show(model, 'sells', 'x', 1000, 100);
  show(model, 'does not', 'x', 1000, 100);
  for (let i = 0; i < 30; i++) model.observeConversion(model.adIndex('sells'));
  const of = (ad: string) => model.pcvr(model.adIndex(ad));
  assert.ok(of('sells') > of('new') && of('new') > of('does not'));
  assert.ok(of('sells') <= 1);
});

test('a draw is the same for the same seed, stays close for what is known, and is off when told', () => {
  const model = createClickModel({ exploration: 1 });
  show(model, 'known', 'x', 50_000, 1000);
  const spread = (ad: string) => {
    const estimate = pctr(model, ad, 'x');
    let sum = 0;
    for (let seed = 0; seed < 400; seed++)
      sum += Math.abs(
        model.explore(estimate, model.adIndex(ad), model.topicIndex('x'), seed) / estimate - 1,
      );
    return sum / 400;
  };
  assert.equal(model.explore(0.02, 1, 0, 9), model.explore(0.02, 1, 0, 9));
  assert.ok(spread('known') < 0.2 * spread('unknown'), `${spread('known')} ${spread('unknown')}`);
  assert.equal(createClickModel({ exploration: 0 }).explore(0.02, 1, 0, 9), 0.02);
});

function close(actual: number, expected: number): void {
  assert.ok(
    Math.abs(actual - expected) <= 1e-9 * Math.max(1e-3, Math.abs(expected)),
    `${actual} is not ${expected}`,
  );
}
