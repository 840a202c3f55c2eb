import { networkOf } from '../../domain/network.js';
import type { InvalidReason } from '../../domain/traffic/uncounted-beacons.js';
import { createBoundedCache } from '../../platform/bounded-cache.js';
import type { BotKind } from '../../platform/device/describe-agent.js';
import { createMinuteRates, toldPart } from '../../platform/minute-rates.js';
import { countedAlone, type SharedCounts } from '../../platform/shared-counts.js';

export interface Beacon {
  kind: 'impression' | 'click';
  serveId: string;
  publisherId: string;
  servedAt: number;
  at: number;
  /** Null when unknown or private: nothing can be said about its rate. */
  address: string | null;
  /** Sent from a network of machines, not of people. */
  isHosted: boolean;
  bot: null | BotKind;
  /** Fetched ahead, or asked for without its body: nobody has looked yet. */
  isPrefetch: boolean;
  /** Of a click: loaded as a part of a page, and nobody went there. */
  isEmbedded: boolean;
  isPublisherBlocked: boolean;
  /** The publisher is an app or a terminal. */
  isNative: boolean;
}

export interface TrafficRules {
  impressionWindowMs: number;
  /** A person needs longer than this between seeing and clicking. */
  minClickDelayMs: number;
  impressionsPerMinute: number;
  clicksPerMinute: number;
  /**
   * From this many clicks of one address, or of one publisher, their share of views is looked at.
   */
  addressClicks: number;
  publisherClicks: number;
  /** More clicks a view than this, for so many, are not people's. */
  mostClicksPerView: number;
}

export const trafficRules: Omit<TrafficRules, 'impressionWindowMs'> = {
  minClickDelayMs: 100,
  impressionsPerMinute: 3000,
  clicksPerMinute: 120,
  addressClicks: 12,
  publisherClicks: 60,
  mostClicksPerView: 0.5,
};

const hourMs = 3_600_000;

/**
 * Tells traffic that must not count, with the reason. Remembers only a minute of rates, an hour of
 * clicks and views, of all nodes, and the latest impressions; what takes longer to see, the
 * publishers' figures show. `seenElsewhere` knows when another node saw an ad.
 */
export function createTrafficJudge(
  rules: TrafficRules,
  shared: Pick<SharedCounts, 'space'> = countedAlone,
  seenElsewhere: (serveId: string) => number | undefined = () => undefined,
): (beacon: Beacon) => InvalidReason | null {
  const seen = createBoundedCache<string, number>(100_000);
  const isOver = createMinuteRates(shared, 'beacons', (key) =>
    key.startsWith('click') ? rules.clicksPerMinute : rules.impressionsPerMinute,
  );
  const { mostClicksPerView } = rules;
  const addresses = createClickShares(rules.addressClicks, mostClicksPerView, shared, 'addresses');
  const publishers = createClickShares(
    rules.publisherClicks,
    mostClicksPerView,
    shared,
    'publishers',
  );

  return (beacon) => {
    if (beacon.isPublisherBlocked) return 'publisher_blocked';
    const machine = machineOf(beacon);
    if (machine !== null) return machine;
    if (beacon.kind === 'click' && beacon.isEmbedded) return 'embedded';
    if (beacon.kind === 'impression') {
      if (beacon.at > beacon.servedAt + rules.impressionWindowMs) return 'late';
      if (seen.get(beacon.serveId) === undefined) seen.set(beacon.serveId, beacon.at);
    } else {
      const shownAt = seen.get(beacon.serveId) ?? seenElsewhere(beacon.serveId);
      if (shownAt !== undefined && beacon.at - shownAt < rules.minClickDelayMs) return 'too_fast';
    }
    const { kind, at } = beacon;
    // A subscriber of IPv6 has a whole /64 to change addresses in.
    const network = beacon.address === null ? null : networkOf(beacon.address);
    if (network !== null && isOver(`${kind}:${network}`, at)) return 'too_many';
    const ofPublisher = publishers(beacon.publisherId, beacon);
    if (network !== null && addresses(`${beacon.publisherId} ${network}`, beacon))
      return 'address_click_rate';
    return ofPublisher ? 'publisher_click_rate' : null;
  };
}

/** What says of itself, or by where it is, that it is no person. */
function machineOf({ isPrefetch, bot, isNative, isHosted }: Beacon): InvalidReason | null {
  if (isPrefetch) return 'prefetch';
  switch (bot) {
    case 'empty':
      return 'no_agent';
    case 'crawler':
      return 'bot';
    case 'preview':
      return 'link_preview';
    case 'user_agent_bot':
      return 'assistant_agent';
    case 'library':
      // Of an app, of a terminal, or of the server between a person and us.
      return isNative ? null : 'library_agent';
    case null:
      // The server of an app stands in a data centre, as its library agent says of itself.
      return isHosted && !isNative ? 'data_centre' : null;
  }
}

interface ClickShare {
  hour: number;
  views: number;
  clicks: number;
}

/**
 * Whether a click belongs to more than people make: many people behind one address, or one proxy of
 * a publisher, click seldom; a machine there clicks most of what it sees.
 */
function createClickShares(
  enough: number,
  mostClicksPerView: number,
  shared: Pick<SharedCounts, 'space'>,
  name: string,
): (key: string, beacon: Beacon) => boolean {
  const shares = createBoundedCache<string, ClickShare>(50_000);

  function add(key: string, hour: number, views: number, clicks: number): ClickShare {
    const known = shares.get(key);
    const share =
      known !== undefined && known.hour === hour ? known : { hour, views: 0, clicks: 0 };
    share.views += views;
    share.clicks += clicks;
    shares.set(key, share);
    return share;
  }

  /**
   * Views matter only where there are clicks: who hears of clicks tells its views at once, and so
   * nobody is judged by the clicks of all nodes and the views of one.
   */
  const space = shared.space(name, {
    periodMs: hourMs,
    worth: ([views = 0, clicks = 0], key) =>
      clicks > 0 || ((shares.get(key)?.clicks ?? 0) > 0 && views >= enough / toldPart),
    heard(key, [views = 0, clicks = 0], hour) {
      add(key, hour, views, clicks);
      if (clicks > 0) space.due(key);
    },
  });

  return (key, { kind, at }) => {
    const views = kind === 'impression' ? 1 : 0;
    const share = add(key, Math.floor(at / hourMs), views, 1 - views);
    space.add(key, views, 1 - views);
    return (
      kind === 'click' && share.clicks > enough && share.clicks > share.views * mostClicksPerView
    );
  };
}
