import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { entry } from '../../../test/support/auction-entry.js';
import { chargeRate, type BillingModel } from '../billing/billing-models.js';
import { runAuction, type AuctionInput, type Entry } from './run-auction.js';
import { mix } from './seeded-random.js';

type Given = AuctionInput & { entries: readonly Entry[] };

const input = (entries: Entry[], change: Partial<Omit<AuctionInput, 'entries'>> = {}): Given => ({
  entries,
  placements: [{ factor: 1, floorCpmMicros: 0 }],
  minRelevance: 0.3,
  reserveCpmMicros: 0,
  seed: 1,
  ...change,
});

test('the highest score wins and pays what the next one would have made it pay', () => {
  const { winners, losers } = runAuction(
    input([
      entry(1, { bidMicros: 1_000_000 }),
      entry(2, { bidMicros: 700_000 }),
      entry(3, { bidMicros: 2_000_000, pctr: 0.005, drawnPctr: 0.005 }),
    ]),
  );
  assert.equal(winners[0]?.entry.candidate.adId, 'ad-1');
  assert.equal(winners[0]?.priceMicros, 700_000);
  assert.equal(winners[0]?.basis, 'second_price');
  assert.deepEqual(
    losers.map(({ reason }) => reason),
    ['outbid', 'outbid'],
  );
});

test('billing models compete by what an impression is worth', () => {
  const entries = [
    entry(1, { charge: 'cpm', bidMicros: 15_000 }),
    entry(2, { charge: 'cpc', bidMicros: 1_000_000 }),
    entry(3, { charge: 'cpa', bidMicros: 12_000_000 }),
  ];
  const [winner] = runAuction(input(entries)).winners;
  assert.equal(winner?.charge, 'cpc');
  assert.equal(winner?.priceMicros, 750_000);
});

test('a bidder alone pays the floor, or the reserve when that is more, and never more than its bid', () => {
  const alone = (change: Partial<Omit<AuctionInput, 'entries'>>, bidMicros = 1_000_000) => {
    const [winner] = runAuction(input([entry(1, { bidMicros })], change)).winners;
    return [winner?.priceMicros, winner?.basis];
  };
  const floor = (floorCpmMicros: number) => [{ factor: 1, floorCpmMicros }];
  const [shown] = runAuction(
    input([entry(1, { charge: 'cpm', bidMicros: 20_000 })], { placements: floor(4_000_000) }),
  ).winners;
  assert.deepEqual([shown?.priceMicros, shown?.basis], [4_000, 'floor']);
  assert.deepEqual(alone({ reserveCpmMicros: 500_000 }), [25_000, 'reserve']);
  assert.deepEqual(alone({ reserveCpmMicros: 500_000 }, 10_000), [10_000, 'reserve']);
  assert.deepEqual(alone({ placements: floor(30_000_000) }), [undefined, undefined]);
  assert.deepEqual(alone({}), [1, 'floor']);
});

test('pacing lowers the offer, so also the most it pays', () => {
  const [winner] = runAuction(
    input([entry(1, { multiplier: 0.5 }), entry(2, { bidMicros: 499_999 })]),
  ).winners;
  assert.equal(winner?.entry.candidate.adId, 'ad-1');
  assert.ok((winner?.priceMicros ?? 0) <= 500_000);
  assert.equal(
    runAuction(input([entry(1, { multiplier: 0.4 }), entry(2, { bidMicros: 499_999 })])).winners[0]
      ?.entry.candidate.adId,
    'ad-2',
  );
});

test('a price never passes the room in the budget', () => {
  const [winner] = runAuction(
    input([entry(1, { roomMicros: 900_000 }), entry(2, { bidMicros: 800_000 })]),
  ).winners;
  assert.equal(winner?.priceMicros, 800_000);
  const [other] = runAuction(
    input([entry(1, { roomMicros: 100_000 }), entry(2, { bidMicros: 800_000 })]),
  ).winners;
  assert.equal(other?.entry.candidate.adId, 'ad-2');
  assert.equal(other?.priceMicros, 100_000);
});

test('several placements go to different advertisers, and one never pushes up its own price', () => {
  const entries = [
    entry(1, { advertiser: 7 }),
    entry(2, { advertiser: 7, bidMicros: 900_000 }),
    entry(3, { bidMicros: 300_000 }),
  ];
  const placements = [
    { factor: 1, floorCpmMicros: 0 },
    { factor: 1, floorCpmMicros: 0 },
    { factor: 1, floorCpmMicros: 0 },
  ];
  const { winners, losers } = runAuction(input(entries, { placements }));
  assert.deepEqual(
    winners.map(({ placementIndex, entry: { candidate }, priceMicros }) => [
      placementIndex,
      candidate.adId,
      priceMicros,
    ]),
    [
      [0, 'ad-1', 300_000],
      [1, 'ad-3', 1],
    ],
  );
  assert.deepEqual(
    losers.map(({ reason }) => reason),
    ['same_advertiser'],
  );
});

test('a floor binds its own placement only', () => {
  const placements = [
    { factor: 1, floorCpmMicros: 50_000_000 },
    { factor: 1, floorCpmMicros: 0 },
  ];
  assert.deepEqual(
    runAuction(input([entry(1)], { placements })).winners.map(
      ({ placementIndex }) => placementIndex,
    ),
    [1],
  );
  assert.deepEqual(
    runAuction(input([entry(1)], { placements: placements.slice(0, 1) })).losers.map(
      ({ reason }) => reason,
    ),
    ['below_floor'],
  );
});

test('a floor raises no click and no conversion beyond the second price without it', () => {
  for (const charge of ['cpc', 'cpa'] as const) {
    const bidMicros = charge === 'cpc' ? 1_000_000 : 40_000_000;
    const second = entry(2, { charge, bidMicros: bidMicros * 0.4 });
    const priceAt = (floorCpmMicros: number, others: Entry[]) =>
      runAuction(
        input([entry(1, { charge, bidMicros }), ...others], {
          placements: [{ factor: 1, floorCpmMicros }],
          reserveCpmMicros: 500_000,
        }),
      ).winners[0]?.priceMicros;
    const worth = 1000 * bidMicros * chargeRate(charge, 0.02, 0.05);
    assert.equal(priceAt(worth * 0.95, [second]), bidMicros * 0.4);
    assert.equal(priceAt(worth * 0.95, []), priceAt(0, []));
  }
});

test('equal scores take turns by seed', () => {
  const winnerOf = (seed: number, entries: Entry[]) =>
    runAuction(input(entries, { seed })).winners[0]?.entry.candidate.adId;
  const seen = new Set<string | undefined>();
  for (let seed = 0; seed < 20; seed++) {
    const winner = winnerOf(seed, [entry(1), entry(2)]);
    assert.equal(winner, winnerOf(seed, [entry(2), entry(1)]));
    seen.add(winner);
  }
  assert.equal(seen.size, 2);
});

const anyEntry = fc.record({
  charge: fc.constantFrom<BillingModel>('cpm', 'cpc', 'cpa'),
  advertiser: fc.integer({ min: 0, max: 5 }),
  relevance: fc.double({ min: 0, max: 1, noNaN: true }),
  pctr: fc.double({ min: 0.001, max: 0.2, noNaN: true }),
  draw: fc.double({ min: 0.5, max: 2, noNaN: true }),
  pcvr: fc.double({ min: 0.001, max: 0.5, noNaN: true }),
  quality: fc.double({ min: 0.3, max: 1, noNaN: true }),
  multiplier: fc.constantFrom(0.05, 0.3, 1),
  bidMicros: fc.integer({ min: 0, max: 3_000_000 }),
  roomMicros: fc.integer({ min: 1, max: 5_000_000 }),
});
const anyInput = fc
  .record({
    entries: fc.array(anyEntry, { maxLength: 12 }),
    floors: fc.array(fc.integer({ min: 0, max: 5_000_000 }), { minLength: 1, maxLength: 3 }),
    reserveCpmMicros: fc.integer({ min: 0, max: 1_000_000 }),
    seed: fc.integer(),
  })
  .map(({ entries, floors, reserveCpmMicros, seed }) =>
    input(
      entries.map(({ draw, ...rest }, index) =>
        entry(index, { ...rest, drawnPctr: rest.pctr * draw }),
      ),
      {
        placements: floors.map((floorCpmMicros, i) => ({ factor: 1 / (i + 1), floorCpmMicros })),
        reserveCpmMicros,
        seed,
      },
    ),
  );

/** The obvious version: sort everyone for every placement. */
function slowAuction({ entries, placements, minRelevance, reserveCpmMicros, seed }: Given) {
  const taken: string[] = [];
  return placements.flatMap(({ factor, floorCpmMicros }, placement) => {
    const open = entries
      .map((e) => ({ e, offer: Math.min(e.bidMicros * e.multiplier, e.roomMicros) }))
      .map(({ e, offer }) => ({
        e,
        offer,
        rate: chargeRate(e.candidate.bid.charge, e.pctr * factor, e.pcvr),
        score:
          1000 *
          offer *
          chargeRate(e.candidate.bid.charge, e.drawnPctr * factor, e.pcvr) *
          e.quality,
      }))
      .filter(
        ({ e, offer }) =>
          e.relevance >= minRelevance && offer >= 1 && !taken.includes(e.candidate.advertiserId),
      )
      .sort(
        (a, b) =>
          b.score - a.score || mix(seed, b.e.candidate.adIndex) - mix(seed, a.e.candidate.adIndex),
      );
    const ranked = open.filter(({ offer, rate }) => offer * rate * 1000 >= floorCpmMicros);
    const [first] = ranked;
    if (first === undefined) return [];
    const isOther = ({ e }: (typeof open)[number]) =>
      e.candidate.advertiserId !== first.e.candidate.advertiserId;
    const second = ranked.find(isOther);
    const reserve = Math.min(first.offer, reserveCpmMicros / 1000 / first.rate);
    const most =
      first.e.candidate.bid.charge === 'cpm'
        ? Infinity
        : Math.max(reserve, (first.offer * (open.find(isOther)?.score ?? 0)) / first.score);
    taken.push(first.e.candidate.advertiserId);
    const wanted = Math.max(
      second === undefined ? 0 : (first.offer * second.score) / first.score,
      Math.min(most, floorCpmMicros / 1000 / first.rate),
      reserve,
    );
    return [
      {
        placement,
        adId: first.e.candidate.adId,
        priceMicros: Math.max(1, Math.min(Math.floor(first.offer), Math.ceil(wanted))),
      },
    ];
  });
}

test('winners and prices agree with sorting everyone for every placement', () => {
  fc.assert(
    fc.property(anyInput, (given) => {
      const { winners } = runAuction(given);
      assert.deepEqual(
        winners.map(({ placementIndex, entry: { candidate }, priceMicros }) => ({
          placement: placementIndex,
          adId: candidate.adId,
          priceMicros,
        })),
        slowAuction(given),
      );
    }),
    { numRuns: 500 },
  );
});

test('those who come next are the highest scores of all others, and everybody who took part is told', () => {
  fc.assert(
    fc.property(anyInput, fc.integer({ min: 0, max: 8 }), (given, count) => {
      const auction = runAuction(given);
      const { winners, losers, candidates, bestRelevance } = auction;
      const byScore = [...losers].sort((a, b) => b.score - a.score);
      assert.deepEqual(auction.nextBest(count), byScore.slice(0, count));
      assert.deepEqual(
        candidates,
        given.entries.map(({ candidate }) => candidate),
      );
      assert.equal(bestRelevance, Math.max(-1, ...given.entries.map((e) => e.relevance)));
      // Whoever is told of is told of as it came.
      for (const { entry: told } of [...winners, ...losers])
        assert.deepEqual(
          told,
          given.entries.find(({ candidate }) => candidate === told.candidate),
        );
    }),
    { numRuns: 300 },
  );
});

test('whatever comes in: whole prices within bid and room, every entry accounted for, the order of entries without effect', () => {
  fc.assert(
    fc.property(anyInput, (given) => {
      const { winners, losers } = runAuction(given);
      for (const { priceMicros, entry: e } of winners) {
        assert.ok(
          Number.isInteger(priceMicros) &&
            priceMicros >= 1 &&
            priceMicros <= e.bidMicros * e.multiplier &&
            priceMicros <= e.roomMicros,
        );
      }
      assert.equal(winners.length + losers.length, given.entries.length);
      assert.equal(
        new Set(winners.map((winner) => winner.entry.candidate.advertiserId)).size,
        winners.length,
      );
      const again = runAuction({ ...given, entries: [...given.entries].reverse() });
      assert.deepEqual(again.winners, winners);
    }),
    { numRuns: 300 },
  );
});
