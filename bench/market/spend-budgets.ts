// Are budgets kept, used up and spread over the day? Several nodes serve one market with the real
// scoring, auction, pacing and reservations; beacons come late, on other nodes or never, and a node
// dies in the middle of a day.
import { createBudgetDays } from '../../src/domain/decision/budget-day.js';
import { createClickModel, type Shown } from '../../src/domain/decision/click-model.js';
import { chargeRate } from '../../src/domain/billing/billing-models.js';
import type { Scope } from '../../src/domain/billing/paying-scopes.js';
import { expectedPrice } from '../../src/domain/decision/derive-bid.js';
import { askFor, keepOf } from '../../src/domain/decision/hold-policy.js';
import { nextMultiplier, smoothnessError } from '../../src/domain/decision/pacing.js';
import { COVER, createReservations } from '../../src/domain/decision/reservations.js';
import { runAuction, type Winner } from '../../src/domain/decision/run-auction.js';
import { scoreCandidates, type Found } from '../../src/domain/decision/score-candidates.js';
import { createRandom } from '../../src/domain/decision/seeded-random.js';
import { createTrafficCurve } from '../../src/domain/decision/traffic-curve.js';
import { createUnheldClicks } from '../../src/domain/decision/unheld-clicks.js';
import { createRefusals } from '../../src/surfaces/serving/budgets/short-scopes.js';
import { createBudgetStore } from './budget-store.js';
import { createEventQueue } from './event-queue.js';
import { makeRequest } from './make-candidate.js';
import { type Campaign, createTraffic, DAY, makeCampaigns } from './market-campaigns.js';

export type SpendOptions = {
  seed: number;
  campaigns: number;
  topics: number;
  requestsPerDay: number;
  days: number;
  nodes: number;
  /** How long a served ad keeps its price reserved, by the event that is charged. */
  holdMs: { cpm: number; cpc: number };
  /** What each campaign would spend without any budgets, over its budget. */
  supply: { least: number; most: number };
};

export type SpendReport = {
  campaignDays: number;
  /** Largest amount by which any campaign passed any day's budget. */
  overspendMicros: number;
  /**
   * Spent over budget, over all campaigns' whole days after the first; and the worst single one.
   */
  use: number;
  leastUse: number;
  /**
   * Mean over those days of the mean distance between cumulative spend share and target share; and
   * the worst.
   */
  smoothness: number;
  worstSmoothness: number;
  billed: number;
  billedLate: number;
  unbilled: number;
};

const MINUTE = 60_000;
/** The server does it four times as often. */
const BALANCE_MS = 2000;
/** So long after a refusal nodes keep only what they need. */
const SHORT_MS = 10_000;
const START = Date.UTC(2026, 9, 30);
/** The chance that an ad is seen, and how often a seen one of full relevance is clicked. */
const SEEN = 0.9;
const CLICKED = 0.05;

type Beacon = {
  kind: 'impression' | 'click';
  serveId: string;
  node: number;
  life: number;
  isHeld: boolean;
  winner: Winner;
  campaign: Campaign;
  scope: Scope;
  shown: Shown;
  expected: number;
};
type LiveScope = {
  campaign: Campaign;
  scope: Scope;
  key: string;
  usualMicros: number;
  /** When its day is over. */
  end: number;
};
type Track = { spent: number[]; target: number[]; whole: boolean; campaign: Campaign };
type Market = ReturnType<typeof createMarket>;

export function spendBudgets(options: SpendOptions): SpendReport {
  const free = createMarket(
    options,
    makeCampaigns(options.seed, options.campaigns, options.topics, null),
    false,
  );
  runDays(free, 1);
  const random = createRandom(options.seed ^ 0x51ed);
  const budgets = free.campaigns.map((campaign) => {
    let spent = 0;
    for (const scope of free.charged)
      if (scope.startsWith(`${campaign.candidate.campaignId} `)) spent += free.store.spent(scope);
    return Math.floor(
      spent / (options.supply.least + random() * (options.supply.most - options.supply.least)),
    );
  });
  const market = createMarket(
    options,
    makeCampaigns(options.seed, options.campaigns, options.topics, budgets),
    true,
  );
  runDays(market, options.days);
  return report(market);
}

function createMarket(options: SpendOptions, campaigns: Campaign[], budgeted: boolean) {
  const random = createRandom(options.seed + 7);
  const model = createClickModel();
  for (const campaign of campaigns)
    campaign.candidate.adIndex = model.adIndex(campaign.candidate.adId);
  return {
    options,
    campaigns,
    budgeted,
    random,
    model,
    byId: new Map(campaigns.map((campaign) => [campaign.candidate.campaignId, campaign])),
    store: createBudgetStore(),
    budgetDays: createBudgetDays(),
    curve: createTrafficCurve(),
    beacons: createEventQueue<Beacon>(),
    nodes: Array.from({ length: options.nodes }, () => freshNode(options, 0)),
    traffic: createTraffic(options.requestsPerDay, random),
    request: makeRequest(),
    charged: new Set<string>(),
    short: new Map<string, number>(),
    live: [] as LiveScope[],
    sweptAt: 0,
    tracks: new Map<string, Track>(),
    counts: { serves: 0, billed: 0, billedLate: 0, unbilled: 0, overspendMicros: 0 },
  };
}

const freshNode = ({ holdMs }: SpendOptions, life: number) => ({
  life,
  reservations: createReservations(),
  unheld: createUnheldClicks(holdMs.cpc),
  refused: createRefusals(),
});
const keyOf = (scope: Scope) => `${scope.scopeId} ${scope.day}`;

function scopeOf(market: Market, campaign: Campaign, now: number): Scope {
  return {
    scopeId: campaign.candidate.campaignId,
    day: market.budgetDays.at(campaign.zone, now).date,
  };
}

function runDays(market: Market, days: number): void {
  // An hour more without traffic, for the beacons still under way.
  for (let minute = 0; minute < days * 1440 + 60; minute++) {
    const now = START + minute * MINUTE;
    const end = now + MINUTE - 1;
    const requests = minute < days * 1440 ? market.traffic(now) : 0;
    const times = Array.from({ length: requests }, () => now + market.random() * (MINUTE - 1)).sort(
      (a, b) => a - b,
    );
    let balancedAt = 0;
    for (const at of times) {
      if (at - balancedAt >= BALANCE_MS) balance(market, (balancedAt = at));
      receiveUntil(market, at);
      serve(market, at);
    }
    receiveUntil(market, end);
    pace(market, end, days);
    if (minute === 1440 + 800) {
      market.store.reclaim(0);
      market.nodes[0] = freshNode(market.options, 1);
    }
  }
}

function serve(market: Market, now: number): void {
  const { random, model, byId, options } = market;
  market.curve.observe(now, 1);
  const nodeIndex = Math.floor(random() * market.nodes.length);
  const topic = Math.floor(random() ** 1.5 * options.topics);
  const found: Found[] = [];
  for (const campaign of market.campaigns) {
    // Targeting and the words of the conversation leave a different field each time.
    if (!campaign.topics.has(topic) || random() > 0.4) continue;
    found.push({
      candidate: campaign.candidate,
      relevance: Math.min(1, Math.max(0.05, campaign.affinity + 0.15 * (random() - 0.5))),
    });
  }
  const seed = Math.floor(random() * 2 ** 31);
  const topicIndex = model.topicIndex(`${topic}`);
  const { entries } = scoreCandidates(found, {
    request: market.request,
    model,
    topicIndex,
    minRelevance: 0.3,
    seed,
    room: (candidate) => roomFor(market, nodeIndex, byId.get(candidate.campaignId), now),
    multiplier: (candidate) =>
      market.budgeted ? (byId.get(candidate.campaignId)?.multiplier ?? 1) : 1,
  });
  const { winners } = runAuction({
    entries,
    placements: [{ factor: 1, floorCpmMicros: 200_000 }],
    minRelevance: 0.3,
    reserveCpmMicros: 100_000,
    seed,
  });
  for (const winner of winners) deliver(market, winner, nodeIndex, topicIndex, now);
}

function roomFor(
  market: Market,
  nodeIndex: number,
  campaign: Campaign | undefined,
  now: number,
): number {
  if (!market.budgeted) return Number.MAX_SAFE_INTEGER;
  if (campaign === undefined) return 0;
  const node = market.nodes[nodeIndex];
  const scope = scopeOf(market, campaign, now);
  const price = expectedPrice(campaign.candidate.bid);
  const held = node?.reservations.roomFor('', scope.scopeId, scope.day, price) ?? 0;
  return Math.max(held, node?.unheld.room(keyOf(scope), price, market.nodes.length, now) ?? 0);
}

function deliver(
  market: Market,
  winner: Winner,
  nodeIndex: number,
  topicIndex: number,
  now: number,
): void {
  const { random, options } = market;
  const { candidate, relevance, pctr } = winner.entry;
  const campaign = market.byId.get(candidate.campaignId);
  const node = market.nodes[nodeIndex];
  if (campaign === undefined || node === undefined) return;
  const serveId = `${market.counts.serves++}`;
  const scope = scopeOf(market, campaign, now);
  const holdMs = winner.charge === 'cpc' ? options.holdMs.cpc : options.holdMs.cpm;
  const isHeld =
    market.budgeted &&
    node.reservations.reserve(serveId, [scope], winner.priceMicros, now + holdMs);
  if (market.budgeted && !isHeld) {
    const room = node.unheld.room(keyOf(scope), winner.priceMicros, market.nodes.length, now);
    if (winner.charge !== 'cpc' || room < winner.priceMicros) return;
    node.unheld.served(keyOf(scope), now);
  }
  const expected = winner.priceMicros * SEEN * chargeRate(winner.charge, pctr, 1);
  campaign.expected += expected;
  if (random() > SEEN) return;
  const shown: Shown = {
    adIndex: candidate.adIndex,
    topicIndex,
    relevance,
    placement: 'below_response',
  };
  const beacon = {
    serveId,
    node: nodeIndex,
    life: node.life,
    isHeld,
    winner,
    campaign,
    scope,
    shown,
    expected,
  };
  const seenAt = now + (random() < 0.02 ? holdMs * (1 + random()) : 1000 + 20_000 * random());
  market.beacons.push(seenAt, { ...beacon, kind: 'impression' });
  if (random() < CLICKED * campaign.appeal * relevance)
    market.beacons.push(seenAt + 2000 + 60_000 * random(), { ...beacon, kind: 'click' });
}

function receiveUntil(market: Market, at: number): void {
  for (let next = market.beacons.next(at); next !== null; next = market.beacons.next(at))
    receive(market, next.event);
}

function receive(market: Market, beacon: Beacon): void {
  const { model, budgeted, store, nodes, counts, charged } = market;
  const { serveId, node, life, winner, campaign, scope, kind } = beacon;
  if (kind === 'impression') model.observeImpression(beacon.shown);
  else model.observeClick(beacon.shown);
  if (winner.charge !== (kind === 'impression' ? 'cpm' : 'cpc')) return;
  const key = keyOf(scope);
  charged.add(key);
  const server = nodes[node];
  if (budgeted && server?.life === life && server.reservations.settle(serveId) !== null) {
    store.settle(node, key, winner.priceMicros);
    campaign.expected -= beacon.expected;
    counts.billed++;
  } else if (
    (budgeted && payFromHold(market, beacon, key)) ||
    store.payLate(key, campaign.budget, winner.priceMicros)
  )
    counts[beacon.isHeld || !budgeted ? 'billedLate' : 'billed']++;
  else counts.unbilled++;
  counts.overspendMicros = Math.max(counts.overspendMicros, store.spent(key) - campaign.budget);
}

/**
 * A reservation that timed out is made again, wherever the beacon arrives, if that node has room.
 */
function payFromHold(
  { random, nodes, store }: Market,
  { serveId, scope, winner }: Beacon,
  key: string,
): boolean {
  const index = Math.floor(random() * nodes.length);
  const reservations = nodes[index]?.reservations;
  const id = `late ${serveId}`;
  if (
    reservations?.reserve(id, [scope], winner.priceMicros, Infinity) !== true ||
    reservations.settle(id) === null
  )
    return false;
  store.settle(index, key, winner.priceMicros);
  return true;
}

/** The budgets of today, looked up once a day. */
function liveScopes(market: Market, now: number): readonly LiveScope[] {
  const { live, campaigns, budgetDays } = market;
  campaigns.forEach((campaign, index) => {
    if ((live[index]?.end ?? 0) > now) return;
    const { date, end } = budgetDays.at(campaign.zone, now);
    const scope = { scopeId: campaign.candidate.campaignId, day: date };
    const usualMicros = COVER * expectedPrice(campaign.candidate.bid);
    live[index] = { campaign, scope, key: keyOf(scope), usualMicros, end };
  });
  return live;
}

/**
 * What a node does in the background, by the policy of the server: free what timed out, ask for
 * what is short, give back what lies idle. A refusal is known to all from the next time on.
 */
function balance(market: Market, now: number): void {
  if (!market.budgeted) return;
  const scopes = liveScopes(market, now);
  const isTimeToSweep = now - market.sweptAt >= MINUTE;
  if (isTimeToSweep) market.sweptAt = now;
  market.nodes.forEach(({ reservations }, index) => {
    reservations.measure();
    for (const serveId of reservations.expired(now)) reservations.release(serveId);
    if (isTimeToSweep) giveBackPast(market, index, new Set(scopes.map(({ key }) => key)));
    for (const live of scopes) balanceScope(market, index, live, now);
  });
}

/** What is left of days that are over is nobody's. */
function giveBackPast({ nodes, store }: Market, index: number, live: ReadonlySet<string>): void {
  const reservations = nodes[index]?.reservations;
  for (const { scopeId, day, available } of reservations?.surplus() ?? [])
    if (!live.has(`${scopeId} ${day}`))
      store.giveBack(
        index,
        `${scopeId} ${day}`,
        reservations?.withdraw(scopeId, day, available) ?? 0,
      );
}

function balanceScope(market: Market, index: number, live: LiveScope, now: number): void {
  const { nodes, store, short } = market;
  const node = nodes[index];
  if (node === undefined) return;
  const { reservations, refused, unheld } = node;
  const { campaign, key, usualMicros } = live;
  const { scopeId, day } = live.scope;
  const isShort = now - (short.get(key) ?? -Infinity) < SHORT_MS;
  if (nodes.length > 1 && isShort && campaign.candidate.bid.charge === 'cpc') unheld.begin(key);
  if (unheld.has(key)) {
    const all = reservations.room(scopeId, day);
    if (all > 0) store.giveBack(index, key, reservations.withdraw(scopeId, day, all));
    return unheld.looked(key, store.room(key, campaign.budget), 2 * nodes.length * usualMicros);
  }
  const need = reservations.need(scopeId, day);
  const state = {
    limitMicros: campaign.budget,
    nodes: nodes.length,
    availableMicros: reservations.room(scopeId, day),
    usualMicros,
    isShort,
    ...need,
    excessMicros: 0,
  };
  const asked = askFor(state);
  if (asked !== null && !refused.isWaiting(key)) {
    const granted = store.take(index, key, campaign.budget, { ...asked, nodes: nodes.length });
    refused.answered(key, granted);
    reservations.grant(scopeId, day, granted);
    state.availableMicros += granted;
    if (granted < asked.needMicros && need.neededMicros > 0) {
      short.set(key, now);
      state.isShort = true;
    }
  }
  const spare = state.availableMicros - keepOf(state);
  if (spare > 0) store.giveBack(index, key, reservations.withdraw(scopeId, day, spare));
}

function pace(market: Market, now: number, days: number): void {
  if (!market.budgeted) return;
  for (const campaign of market.campaigns) {
    const day = market.budgetDays.at(campaign.zone, now);
    const key = `${campaign.candidate.campaignId} ${day.date}`;
    const spentMicros = market.store.spent(key);
    const share = market.curve.share(day.start, day.end, now);
    // Ads whose beacon has not come within a few minutes are not expected any more.
    campaign.expected = Math.max(0, campaign.expected * 0.7);
    campaign.multiplier = nextMultiplier(campaign.multiplier, {
      budgetMicros: campaign.budget,
      share,
      spentMicros,
      reservedMicros: campaign.expected,
    });
    if (Math.floor(now / MINUTE) % 5 !== 0) continue;
    const track = market.tracks.get(key) ?? {
      spent: [],
      target: [],
      whole: day.start >= START + DAY && day.end <= START + days * DAY,
      campaign,
    };
    market.tracks.set(key, track);
    track.spent.push(spentMicros / campaign.budget);
    track.target.push(share);
  }
}

function report({ tracks, store, counts }: Market): SpendReport {
  const whole = [...tracks].filter(([, track]) => track.whole);
  const errors = whole.map(([, track]) => smoothnessError(track.spent, track.target));
  const uses = whole.map(([key, track]) => store.spent(key) / track.campaign.budget);
  const sum = (values: number[]) => values.reduce((total, value) => total + value, 0);
  const { billed, billedLate, unbilled, overspendMicros } = counts;
  return {
    campaignDays: whole.length,
    overspendMicros: Math.max(0, overspendMicros),
    use:
      sum(whole.map(([key]) => store.spent(key))) /
      sum(whole.map(([, track]) => track.campaign.budget)),
    leastUse: Math.min(...uses),
    smoothness: sum(errors) / errors.length,
    worstSmoothness: Math.max(...errors),
    billed,
    billedLate,
    unbilled,
  };
}
