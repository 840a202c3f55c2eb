import { billedAt, type BillingModel } from '../../domain/billing/billing-models.js';
import { splitRevenue } from '../../domain/money.js';
import { servedAt, type TrackingToken } from '../../domain/tracking-token.js';
import { type BoundedCache, createBoundedCache } from '../../platform/bounded-cache.js';
import type { EventLog } from '../../platform/events/event-log.js';
import type { EventRecord, Holds } from '../../platform/events/event.js';
import type { SeenElsewhere } from './seen-elsewhere.js';

/** What a page or a browser reports of a served ad. */
export type BeaconKind = 'impression' | 'viewable' | 'click';

/** An ad that is charged after its hold ended, or on another day. */
export interface LateAd {
  readonly serveId: string;
  readonly campaignId: string;
  readonly adGroupId: string | null;
  readonly advertiserId: string;
  readonly day: string;
  readonly priceMicros: number;
}

export interface ChargeDeps {
  node: { number: number };
  eventLog: Pick<EventLog, 'append'>;
  /** Whether an impression of the ad was counted on another node, or before this one started. */
  wasSeen: (serveId: string) => Promise<boolean>;
  seenElsewhere: SeenElsewhere;
  shareBpsOf: (publisherId: string) => number;
  /** The advertiser's local day at an instant, as 'YYYY-MM-DD'. */
  budgetDay: (advertiserId: string, at: number) => string;
  /** How long after serving the hold kept for an ad pays for it. */
  holdMs: (billingModel: BillingModel) => number;
  /** Told once it is durable that the hold kept for an ad pays for it. */
  onPaid: (serveId: string) => void;
  /**
   * Keeps the price of an ad that is charged late aside from what this node has at hand, and is
   * told whether it was charged; null when it has no room.
   */
  reserveLate: (ad: LateAd) => Holds | null;
  settleLate: (serveId: string, isCharged: boolean) => void;
}

export interface BeaconCharges {
  /** Impressions that count and came here lately, by served ad; settled when durable. */
  readonly impressions: BoundedCache<string, Promise<void>>;
  /** The money of a beacon that counts: nothing, unless its ad is paid for at this event. */
  costOf(kind: BeaconKind, token: TrackingToken, at: number): Cost | Promise<Cost>;
  /**
   * Stores the beacons of one ad, of which the first may cost money, and settles what was kept
   * aside for it. Resolves when they are durable.
   */
  append(
    events: readonly EventRecord[],
    token: TrackingToken,
    onNew?: (event: EventRecord) => void,
  ): Promise<void>;
}

/** The money of an event. */
export type Cost = Pick<
  EventRecord,
  | 'spendMicros'
  | 'revenueMicros'
  | 'budgetDay'
  | 'claimsBudget'
  | 'holds'
  | 'holdsUntil'
  | 'node'
  | 'unbilled'
>;

/** What costs nothing. */
export const free: Cost = {};

/** What follows an impression is paid when that was counted, at the latest this long after it. */
const seenAfterMs = 10 * 60_000;

/**
 * How long after its hold ended a payment may wait to be stored. The hold is kept for twice as
 * long, because storing takes time.
 */
const storingMs = 15_000;

/** Whether the model pays for what people do with an ad they have seen. */
export function isPaidOnceSeen(model: BillingModel): boolean {
  const event = billedAt(model);
  return event === 'click' || event === 'viewable';
}

/** What the beacons of an ad cost, each ad at most once. */
export function createBeaconCharges(deps: ChargeDeps): BeaconCharges {
  const impressions = createBoundedCache<string, Promise<void>>(50_000);
  /** Clicks and views that wait to be paid until an impression of their ad is counted. */
  const unseen = createBoundedCache<string, number>(50_000);
  /** Ads whose price was just put aside from what this node has at hand. */
  const paidLate = new Set<string>();

  function charge(token: TrackingToken, at: number): Cost {
    const cost = moneyFor(token, at, deps);
    if (cost.claimsBudget !== true || cost.budgetDay == null) return cost;
    const holds = deps.reserveLate({ ...token, day: cost.budgetDay });
    // Elsewhere there may be room yet.
    if (holds === null) return cost;
    paidLate.add(token.serveId);
    const { claimsBudget: _claims, ...money } = cost;
    return { ...money, holds, node: deps.node.number };
  }

  /** The impression that something waited for pays in its stead. */
  function chargeWaiting(token: TrackingToken, at: number): Cost {
    const since = unseen.get(token.serveId);
    if (since === undefined) return free;
    unseen.delete(token.serveId);
    return at > since + seenAfterMs ? free : charge(token, at);
  }

  async function chargeOnceSeen(token: TrackingToken, at: number): Promise<Cost> {
    const isKnown =
      impressions.get(token.serveId) !== undefined ||
      deps.seenElsewhere.at(token.serveId) !== undefined;
    if (isKnown) return charge(token, at);
    // Said before the question is asked: the impression may come while it is answered.
    unseen.set(token.serveId, at);
    const wasSeen = await deps.wasSeen(token.serveId).catch(() => false);
    if (!wasSeen || unseen.get(token.serveId) === undefined) return { unbilled: 'no_impression' };
    unseen.delete(token.serveId);
    return charge(token, at);
  }

  return {
    impressions,
    costOf(kind, token, at) {
      const event = billedAt(token.billingModel);
      switch (event) {
        case 'impression':
          return kind === 'impression' ? charge(token, at) : free;
        case 'viewable':
        case 'click':
          if (kind === 'impression') return chargeWaiting(token, at);
          return kind === event ? chargeOnceSeen(token, at) : free;
        case 'conversion':
          return free;
      }
    },
    append: (events, token, onNew) => append(deps, paidLate, events, token, onNew),
  };
}

async function append(
  deps: ChargeDeps,
  paidLate: Set<string>,
  events: Parameters<BeaconCharges['append']>[0],
  token: TrackingToken,
  onNew: Parameters<BeaconCharges['append']>[2],
): Promise<void> {
  const isPaid = (events[0]?.spendMicros ?? 0) > 0;
  const isLate = isPaid && paidLate.delete(token.serveId);
  try {
    await deps.eventLog.append(events, {
      onApplied(areNew) {
        if (isLate) deps.settleLate(token.serveId, areNew[0] === true);
        for (const [index, event] of events.entries()) if (areNew[index] === true) onNew?.(event);
      },
    });
  } catch (error) {
    if (isLate) deps.settleLate(token.serveId, false);
    throw error;
  }
  if (events[0]?.holds !== undefined && !isLate) deps.onPaid(token.serveId);
}

/**
 * What the event costs. Inside the window and the day of serving the hold kept for it pays;
 * otherwise only if there is room.
 */
function moneyFor(token: TrackingToken, at: number, deps: ChargeDeps): Cost {
  const { revenueMicros } = splitRevenue(token.priceMicros, deps.shareBpsOf(token.publisherId));
  const day = deps.budgetDay(token.advertiserId, at);
  const heldUntil = servedAt(token) + deps.holdMs(token.billingModel);
  const isHeld =
    token.unheld !== true &&
    at <= heldUntil &&
    day === deps.budgetDay(token.advertiserId, servedAt(token));
  // No node where it is not held: the one that served the ad frees what it kept for it, because
  // this is not paid from there.
  if (!isHeld)
    return {
      spendMicros: token.priceMicros,
      revenueMicros,
      budgetDay: day,
      claimsBudget: true,
      node: null,
    };
  return {
    spendMicros: token.priceMicros,
    revenueMicros,
    budgetDay: day,
    holds: {
      campaign: true,
      adGroup: token.holdsAdGroup,
      advertiser: token.holdsAdvertiser,
    },
    node: token.node,
    // This node knows of its own at once. Another one hears of it when it is stored, and does not
    // wait for ever.
    holdsUntil: token.node === deps.node.number ? undefined : heldUntil + storingMs,
  };
}
