import { createHash } from 'node:crypto';
import { createBoundedCache } from '../../platform/bounded-cache.js';
import { formatUuidV7, uuidTime } from '../../domain/uuid.js';
import { splitRevenue } from '../../domain/money.js';
import { servedAt, type TrackingToken } from '../../domain/tracking-token.js';
import { everything, type Permissions } from '../../domain/privacy/decision-table.js';
import type { Clock } from '../../platform/clock.js';
import { anonymous } from '../../platform/secrets/pseudonyms.js';
import type { EventRecord, Holds } from '../../platform/events/event.js';
import type { EventLog } from '../../platform/events/event-log.js';
import type { Beacon, InvalidReason } from './judge-traffic.js';
import type { SeenElsewhere } from './seen-elsewhere.js';

/** An ad that is charged after its hold ended, or on another day. */
export interface LateAd {
  readonly serveId: string;
  readonly campaignId: string;
  readonly adGroupId: string | null;
  readonly advertiserId: string;
  readonly day: string;
  readonly priceMicros: number;
}

export interface BeaconDeps {
  clock: Clock;
  node: { number: number };
  eventLog: Pick<EventLog, 'append'>;
  judge: (beacon: Beacon) => InvalidReason | null;
  isPublisherBlocked: (publisherId: string) => boolean;
  isNative: (publisherId: string) => boolean;
  /** Whether an impression of the ad was counted on another node, or before this one started. */
  wasSeen: (serveId: string) => Promise<boolean>;
  seenElsewhere: SeenElsewhere;
  shareBpsOf: (publisherId: string) => number;
  /** The advertiser's local day at an instant, as 'YYYY-MM-DD'. */
  budgetDay: (advertiserId: string, at: number) => string;
  impressionWindowMs: number;
  /**
   * A beacon this long after serving is not recorded: the ad's own records may be gone, and with
   * them the proof that it is the first.
   */
  expiresMs: number;
  /** How long after serving the hold kept for an ad pays for it. */
  holdMs: (billingModel: string) => number;
  /** Told once it is durable that the hold kept for an ad pays for it. */
  onPaid: (serveId: string) => void;
  /**
   * Keeps the price of an ad that is charged late aside from what this node has at hand, and is told
   * whether it was charged; null when it has no room.
   */
  reserveLate: (ad: LateAd) => Holds | null;
  settleLate: (serveId: string, isCharged: boolean) => void;
  /** Told once for each counted event, after it is in the database. */
  onCounted: (event: EventRecord, token: TrackingToken) => void;
}

/**
 * How long after that the payment may wait to be stored. The hold is kept for twice as long,
 * because storing takes time.
 */
const storingMs = 15_000;

export interface Visitor {
  address: string | null;
  country: string | null;
  device: string;
  bot: Beacon['bot'];
  isHosted: boolean;
  isPrefetch: boolean;
  isEmbedded: boolean;
}

/** A click is paid when an impression of its ad was counted, at the latest this long after it. */
const seenAfterMs = 10 * 60_000;

export type RecordBeacon = (
  kind: 'impression' | 'click',
  token: TrackingToken,
  visitor: Visitor,
  /** What may be kept of whoever sent it. */
  allowed?: Permissions,
  /** Known before anything is judged. */
  invalid?: InvalidReason | null,
) => Promise<void>;

/** Records impressions and clicks, each once for a served ad. Resolves when it is durable. */
export function createBeaconRecorder(deps: BeaconDeps): RecordBeacon {
  // Repeats of a beacon that counts wait until the first one is durable and go no further. The event
  // log is what makes it exact.
  const recent = {
    impression: createBoundedCache<string, Promise<void>>(50_000),
    click: createBoundedCache<string, Promise<void>>(50_000),
  };
  /** Clicks that wait to be paid until their ad was seen. */
  const unseen = createBoundedCache<string, number>(50_000);
  /** Ads whose price was just put aside from what this node has at hand. */
  const paidLate = new Set<string>();

  function charge(token: TrackingToken, at: number): Partial<EventRecord> {
    const cost = costOf(token, at, deps);
    if (cost.claimsBudget !== true || cost.budgetDay == null) return cost;
    const holds = deps.reserveLate({ ...token, day: cost.budgetDay });
    // Elsewhere there may be room yet.
    if (holds === null) return cost;
    paidLate.add(token.serveId);
    const { claimsBudget: _claims, ...money } = cost;
    return { ...money, holds, node: deps.node.number };
  }

  async function chargeFor(
    kind: 'impression' | 'click',
    token: TrackingToken,
    at: number,
  ): Promise<Partial<EventRecord>> {
    if (token.billingModel === 'cpm') return kind === 'impression' ? charge(token, at) : {};
    if (token.billingModel !== 'cpc') return {};
    if (kind === 'impression') {
      const clickedAt = unseen.get(token.serveId);
      return clickedAt === undefined || at > clickedAt + seenAfterMs ? {} : charge(token, at);
    }
    const isKnown =
      recent.impression.get(token.serveId) !== undefined ||
      deps.seenElsewhere.at(token.serveId) !== undefined;
    if (isKnown) return charge(token, at);
    // Said before the question is asked: the impression may come while it is answered.
    unseen.set(token.serveId, at);
    const wasSeen = await deps.wasSeen(token.serveId).catch(() => false);
    if (!wasSeen || unseen.get(token.serveId) === undefined) return { unbilled: 'no_impression' };
    unseen.delete(token.serveId);
    return charge(token, at);
  }

  async function record(
    kind: 'impression' | 'click',
    token: TrackingToken,
    visitor: Visitor,
    at: number,
    { invalid, allowed }: { invalid: InvalidReason | null; allowed: Permissions },
  ): Promise<void> {
    const data = dataOf(visitor, allowed);
    const event: EventRecord = {
      id:
        invalid === null || invalid === 'late' ? token.serveId : invalidId(token.serveId, invalid),
      serveId: token.serveId,
      kind,
      at,
      publisherId: token.publisherId,
      advertiserId: token.advertiserId,
      campaignId: token.campaignId,
      adGroupId: token.adGroupId,
      adId: token.adId,
      placement: token.placement,
      device: visitor.device,
      country: visitor.country,
      test: token.test,
      invalid,
      node: token.node,
      ...(data === null ? {} : { data }),
      ...(allowed.user_reports ? {} : { userId: anonymous }),
      ...(invalid === null && !token.test ? await chargeFor(kind, token, at) : {}),
    };
    const counts = invalid === null && !token.test;
    const isLate = paidLate.delete(token.serveId);
    try {
      await deps.eventLog.append([event], {
        onApplied([isNew]) {
          if (isLate) deps.settleLate(token.serveId, isNew === true);
          if (isNew === true && counts) deps.onCounted(event, token);
        },
      });
    } catch (error) {
      if (isLate) deps.settleLate(token.serveId, false);
      throw error;
    }
    if (counts && event.holds !== undefined && !isLate) deps.onPaid(token.serveId);
    if (counts && kind === 'impression' && token.billingModel === 'cpc')
      deps.seenElsewhere.tell(token.serveId, at);
  }

  return (kind, token, visitor, allowed = everything, known = null) => {
    const earlier = recent[kind].get(token.serveId);
    if (earlier !== undefined) return earlier;
    const at = deps.clock();
    if (at > servedAt(token) + deps.expiresMs) return Promise.resolve();
    const judged: Beacon = {
      kind,
      serveId: token.serveId,
      publisherId: token.publisherId,
      servedAt: servedAt(token),
      at,
      address: visitor.address,
      bot: visitor.bot,
      isHosted: visitor.isHosted,
      isPrefetch: visitor.isPrefetch,
      isEmbedded: visitor.isEmbedded,
      isPublisherBlocked: deps.isPublisherBlocked(token.publisherId),
      isNative: deps.isNative(token.publisherId),
    };
    const invalid = known ?? deps.judge(judged);
    const done = record(kind, token, visitor, at, { invalid, allowed });
    if (invalid !== null) return done;
    recent[kind].set(token.serveId, done);
    done.catch(() => recent[kind].delete(token.serveId));
    return done;
  };
}

/** Whose it is not to be said of, the event says itself: its ad may have been served to somebody. */
function dataOf(visitor: Visitor, allowed: Permissions): Record<string, unknown> | null {
  if (visitor.country === null && allowed.identity_links) return null;
  return {
    ...(visitor.country === null ? {} : { from: visitor.country }),
    ...(allowed.identity_links ? {} : { unlinked: true }),
  };
}

/**
 * A crawler that fetches a tracking URL before the person does must not use up the ad's one
 * impression or click, so what does
 * not count has an id of its own: one for each reason, of the same millisecond and so of the same
 * day.
 */
function invalidId(serveId: string, reason: string): string {
  return formatUuidV7(
    uuidTime(serveId),
    createHash('sha256').update(`${serveId} ${reason}`).digest(),
  );
}

/**
 * What the event costs. Inside the window and the day of serving the hold kept for it pays;
 * otherwise only if there is room.
 */
function costOf(token: TrackingToken, at: number, deps: BeaconDeps): Partial<EventRecord> {
  const { revenueMicros } = splitRevenue(token.priceMicros, deps.shareBpsOf(token.publisherId));
  const day = deps.budgetDay(token.advertiserId, at);
  const heldUntil = servedAt(token) + deps.holdMs(token.billingModel);
  const isHeld = at <= heldUntil && day === deps.budgetDay(token.advertiserId, servedAt(token));
  const money = { spendMicros: token.priceMicros, revenueMicros, budgetDay: day };
  // No node: the one that served the ad frees what it kept for it, because this is not paid from
  // there.
  if (!isHeld) return { ...money, claimsBudget: true, node: null };
  const holds = { campaign: true, adGroup: token.holdsAdGroup, advertiser: token.holdsAdvertiser };
  // This node knows of its own at once. Another one hears of it when it is stored, and does not
  // wait for ever.
  return {
    ...money,
    holds,
    ...(token.node === deps.node.number ? {} : { holdsUntil: heldUntil + storingMs }),
  };
}
