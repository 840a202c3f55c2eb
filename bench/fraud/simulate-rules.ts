import { createRandom } from '../../src/domain/decision/seeded-random.js';
import {
  judgePublishers,
  type PublisherTraffic,
} from '../../src/domain/traffic/judge-publishers.js';
import { weighEvidence } from '../../src/domain/traffic/weigh-evidence.js';
import { type PublisherKind, publisherKinds } from './publisher-kinds.js';
import type { FraudOptions, KindResult } from './simulate-fraud.js';

/** What a view, a click and a purchase earn on average over the ways ads are paid. */
const earns = { view: 0.2 * 7000, click: 0.5 * 350_000, purchase: 0.3 * 2_800_000 };

interface Sent {
  kind: PublisherKind;
  traffic: PublisherTraffic;
  settled: number;
  claimedMicros: number;
  isFiltered: boolean;
  /** By advertiser, the publisher's own last: clicks, and purchases that were told of. */
  clicked: number[];
  bought: number[];
}

/** Advertisers of the network, alike to everybody. */
const advertisers = 10;

/**
 * The same publishers as figures only, for many seeds in seconds: what the filters at the door let
 * through is counted, judged as often as while earnings are held, and weighed.
 */
export function simulateRules({ seed, days, views, differ, areHard }: FraudOptions): KindResult[] {
  const random = createRandom(seed);
  const sent = publisherKinds(differ, areHard).flatMap((kind) =>
    Array.from({ length: kind.publishers }, (_, n) =>
      send(kind, `${kind.name} ${n}`, days * views, random),
    ),
  );
  for (let round = 0; round < 4; round += 1) {
    compare(sent);
    const verdicts = judgePublishers(sent.map(({ traffic }) => traffic));
    for (const { publisherId } of verdicts)
      for (const one of sent)
        if (one.traffic.publisherId === publisherId) one.traffic.wasFound = true;
  }
  const found = new Set(
    sent.filter(({ traffic }) => traffic.wasFound).map(({ traffic }) => traffic.publisherId),
  );
  const evidence = new Map(
    weighEvidence(
      sent.map(({ traffic }) => traffic),
      found,
    ).map((one) => [one.publisherId, one.isProven]),
  );
  return sent.map((one) => resultOf(one, evidence.get(one.traffic.publisherId) ?? null));
}

function send(kind: PublisherKind, id: string, views: number, random: () => number): Sent {
  const between = ([least, most]: readonly [number, number]): number =>
    most === 0 ? 0 : least * (most / least) ** random();
  const { volume = 1, ownShop = 0 } = kind;
  views = Math.round(views * volume);
  const clicked = Array.from({ length: advertisers + 1 }, () => 0);
  const bought = [...clicked];
  const clickRate = between(kind.clickRate);
  const conversionRate = between(kind.conversionRate);
  // Machines that say so, a farm behind few addresses and clicks on nothing end at the door.
  const isFiltered = kind.agents === 'machines' || kind.addresses > 0 || !kind.shows;
  const traffic: PublisherTraffic = {
    publisherId: id,
    impressions: views,
    toldImpressions: views,
    clicks: 0,
    expectedClicks: 0,
    fastClicks: 0,
    placed: views,
    displaced: 0,
    converted: 0,
    claimed: 0,
    settledConversions: 0,
    expectedConversions: 0,
    elsewhereConversions: 0,
    elsewhereDue: 0,
    wasFound: false,
  };
  const [least, most] = kind.delayMs;
  const fast = Math.min(1, Math.max(0, Math.log(1000 / least) / Math.log(most / least)));
  let claimedMicros = views * earns.view;
  for (let view = 0; view < views; view += 1) {
    if (random() < kind.displaced) traffic.displaced += 1;
    if (random() >= clickRate) continue;
    traffic.clicks += 1;
    claimedMicros += earns.click;
    if (random() < fast) traffic.fastClicks += 1;
    const advertiser = random() < ownShop ? advertisers : Math.floor(random() * advertisers);
    const buys = advertiser === advertisers || random() < conversionRate;
    clicked[advertiser] = (clicked[advertiser] ?? 0) + 1;
    if (buys) bought[advertiser] = (bought[advertiser] ?? 0) + 1;
    const claims = random() < kind.fakeConversions;
    if (buys) traffic.converted += 1;
    // Others sent its own shop too few clicks to say what is usual there.
    if (buys && advertiser !== advertisers) traffic.settledConversions += 1;
    if (claims) traffic.claimed += 1;
    if (buys || claims) claimedMicros += earns.purchase;
  }
  const settled = traffic.clicks;
  if (isFiltered)
    Object.assign(traffic, { impressions: 0, clicks: 0, converted: 0, placed: 0, displaced: 0 });
  return { kind, traffic, settled, claimedMicros, isFiltered, clicked, bought };
}

/** What others make of the same: those found out are nobody's measure. */
function compare(sent: readonly Sent[]): void {
  const counted = sent.filter(({ isFiltered }) => !isFiltered);
  const sum = (except: Sent, of: (one: PublisherTraffic) => number): number =>
    counted
      .filter((one) => one !== except && !one.traffic.wasFound)
      .reduce((total, { traffic }) => total + of(traffic), 0);
  for (const one of counted) {
    const { traffic } = one;
    const views = sum(one, ({ impressions }) => impressions);
    const clicks = sum(one, (other) => other.clicks);
    const bought = sum(one, ({ settledConversions }) => settledConversions);
    const rate = bought / Math.max(1, clicks);
    const theirs = traffic.clicks - (one.clicked[advertisers] ?? 0);
    traffic.expectedClicks = views < 500 ? 0 : (traffic.impressions * clicks) / views;
    traffic.expectedConversions = clicks < 100 * advertisers ? 0 : theirs * rate;
    const [, ...elsewhere] = one.clicked
      .map((count, at) => ({ due: count * rate, bought: one.bought[at] ?? 0 }))
      .sort((a, b) => b.bought - b.due - (a.bought - a.due));
    traffic.elsewhereDue = elsewhere.reduce((total, { due }) => total + due, 0);
    traffic.elsewhereConversions = elsewhere.reduce(
      (total, each) => total + Math.min(each.bought, 2 * each.due),
      0,
    );
  }
}

function resultOf(one: Sent, isProven: boolean | null): KindResult {
  const { kind, traffic, isFiltered, settled } = one;
  const isTaken = isFiltered || traffic.wasFound;
  // What its people earned it is its own.
  const madeUpMicros =
    kind.madeUp === undefined ? null : traffic.clicks * kind.madeUp * earns.click;
  const allMicros =
    traffic.impressions * earns.view +
    traffic.clicks * earns.click +
    traffic.settledConversions * earns.purchase;
  const earned = isTaken ? 0 : (madeUpMicros ?? allMicros);
  const sentEvents = Math.max(1, traffic.impressions) + settled;
  return {
    name: kind.name,
    isHonest: kind.isHonest,
    claimedMicros: madeUpMicros ?? one.claimedMicros,
    payableMicros: isProven === false ? 0 : earned,
    unprovenMicros: isProven === false ? earned : 0,
    sent: sentEvents,
    filtered: isTaken ? sentEvents : 0,
  };
}
