import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { planBid } from '../../domain/decision/derive-bid.js';
import { createNearness, signsOf } from '../../domain/matching/sign-vectors.js';
import { dot, normalise } from '../../domain/matching/vectors.js';
import { type AskedRow, forecastDays, type Market } from './forecast-delivery.js';
import { stateOutlook } from './state-outlook.js';

/** The same numbers every time. */
function createDraw(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 4_294_967_296;
    return state / 4_294_967_296;
  };
}
const normal = (draw: () => number): number =>
  Math.sqrt(-2 * Math.log(1 - draw())) * Math.cos(2 * Math.PI * draw());

describe('nearness from signs', () => {
  it('is the cosine to within a tenth, and one for itself', () => {
    const draw = createDraw(7);
    const random = (): Float32Array =>
      normalise(Float32Array.from({ length: 384 }, () => normal(draw)));
    let worst = 0;
    for (let round = 0; round < 200; round += 1) {
      const base = random();
      const share = draw();
      const other = normalise(
        random().map((value, at) => share * (base[at] ?? 0) + (1 - share) * value),
      );
      worst = Math.max(worst, Math.abs(createNearness(base)(signsOf(other)) - dot(base, other)));
      assert.ok(Math.abs(createNearness(base)(signsOf(base)) - 1) < 1e-5);
    }
    assert.ok(worst < 0.15, String(worst));
  });
});

describe('a forecast', () => {
  const vector = normalise(Float32Array.from({ length: 16 }, (_, at) => (at % 3) - 1.1));
  const { bits, reach } = signsOf(vector);
  const now = Date.UTC(2026, 9, 20);
  const market: Market = {
    calibration: {
      need: 0,
      sensitive: 0,
      sensitiveFloor: -3,
      nearness: 10,
      tradeLead: 0,
      constant: -5,
      needAtLeast: -3,
      carriedNeedAtLeast: -3,
      neverAtMost: 0,
      carriedNeverAtMost: 1,
      foreignAtMost: 0,
      namedNearness: 0.7,
      wordsNearness: 0.1,
      excludedNearness: 0.5,
    },
    pctr: () => 0.02,
    pcvr: 0.05,
    shownShare: 0.5,
  };
  const row = (day: number, more: Partial<AskedRow> = {}): AskedRow => ({
    bits,
    reach,
    hourMs: now - day * 86_400_000 - 3_600_000,
    country: 'US',
    device: 'mobile',
    topic: '',
    need: 0,
    never: 0,
    trade: null,
    shift: 0,
    minRelevance: 0.5,
    floorCpmMicros: 0,
    places: 1,
    advertiserIds: [],
    scores: [],
    weight: 10,
    ...more,
  });
  const plan = (maxCpmMicros: number, dailyBudgetMicros = 1e9) => ({
    advertiserId: 'me',
    dailyBudgetMicros,
    offers: [
      {
        near: createNearness(vector),
        vetoes: [],
        countries: new Set(['US']),
        devices: null,
        bid: planBid({
          billingModel: 'cpm',
          objective: 'impressions',
          bidStrategy: 'lowest_cost',
          dailyBudgetMicros,
          maxCpmMicros,
          maxCpcMicros: null,
          groupMaxCpcMicros: null,
          maxCpaMicros: null,
          impressionGoal: null,
          clickGoal: null,
        }),
      },
    ],
  });
  const play = (rows: AskedRow[], ...of: Parameters<typeof plan>) =>
    forecastDays(rows, plan(...of), market, { now, days: 2 });

  it('counts what a row stands for, on its own day, where limits are met', () => {
    const [today, before] = play(
      [row(0), row(0, { country: 'DE' }), row(0, { country: null }), row(1), row(5)],
      5_000_000,
    );
    assert.deepEqual([today?.asked, today?.matching, today?.impressions], [30, 10, 5]);
    assert.deepEqual([before?.asked, before?.clicks], [10, 0.1]);
  });

  it('pays what the auction would ask: the rival’s score, never one’s own, at least the reserve', () => {
    const price = (rows: AskedRow[]): number =>
      Math.round((play(rows, 5_000_000)[0]?.spendMicros ?? 0) / 5);
    assert.equal(price([row(0)]), 500, 'fifty cents a thousand');
    assert.equal(price([row(0, { floorCpmMicros: 900_000 })]), 900);
    const scores = [2_000_000];
    assert.ok(price([row(0, { scores, advertiserIds: ['rival'] })]) >= 2000);
    assert.equal(price([row(0, { scores, advertiserIds: ['me'] })]), 500);
    assert.equal(price([row(0, { scores: [9_000_000], advertiserIds: ['rival'] })]), 0, 'outbid');
    assert.equal(price([row(0, { floorCpmMicros: 6_000_000 })]), 0, 'below the floor');
    assert.equal(
      price([row(0, { scores: [9_000_000], advertiserIds: ['rival'], places: 2 })]),
      500,
      'the second place is free',
    );
  });

  it('never spends more than the budget, and says when that is what limits it', () => {
    const days = play([row(0), row(1)], 5_000_000, 1000);
    assert.deepEqual(
      days.map((day) => [day.spendMicros, day.isBudgetSpent]),
      [
        [1000, true],
        [1000, true],
      ],
    );
    assert.equal(stateOutlook(days, 1000).limitedBy, 'budget');
  });

  it('states a range that holds about eight of ten days like those it was made from', () => {
    const draw = createDraw(3);
    const dayOf = (): number => Math.max(0, 200 + 40 * normal(draw));
    let inside = 0;
    const rounds = 2000;
    for (let round = 0; round < rounds; round += 1) {
      const days = Array.from({ length: 14 }, () => {
        const impressions = dayOf();
        return {
          asked: impressions,
          matching: impressions,
          matchingKept: Math.round(impressions),
          won: impressions,
          impressions,
          clicks: 0,
          spendMicros: 0,
          isBudgetSpent: false,
        };
      });
      const { low, high } = stateOutlook(days, 1).impressions;
      const next = dayOf();
      if (next >= low && next <= high) inside += 1;
    }
    assert.ok(inside / rounds > 0.78 && inside / rounds < 0.95, String(inside / rounds));
  });
});
