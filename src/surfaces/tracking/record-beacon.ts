import { createBoundedCache } from '../../platform/bounded-cache.js';
import { servedAt, type TrackingToken } from '../../domain/tracking-token.js';
import { everything, type Permissions } from '../../domain/privacy/decision-table.js';
import type { Clock } from '../../platform/clock.js';
import { anonymous } from '../../platform/secrets/pseudonyms.js';
import type { EventRecord } from '../../platform/events/event.js';
import { type BeaconCharges, free, isPaidOnceSeen } from './charge-beacon.js';
import { beaconId, type InvalidReason } from '../../domain/traffic/uncounted-beacons.js';
import type { Beacon } from './judge-traffic.js';
import type { SeenElsewhere } from './seen-elsewhere.js';

export interface BeaconDeps {
  clock: Clock;
  charges: BeaconCharges;
  judge: (beacon: Beacon) => InvalidReason | null;
  isPublisherBlocked: (publisherId: string) => boolean;
  isNative: (publisherId: string) => boolean;
  seenElsewhere: SeenElsewhere;
  /**
   * A beacon this long after serving is not recorded: the ad's own records may be gone, and with
   * them the proof that it is the first.
   */
  expiresMs: number;
  /** Told once for each counted event, after it is in the database. */
  onCounted: (event: EventRecord, token: TrackingToken) => void;
}

export interface Visitor {
  address: string | null;
  country: string | null;
  device: string;
  bot: Beacon['bot'];
  isHosted: boolean;
  isPrefetch: boolean;
  isEmbedded: boolean;
}

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
  // Repeats of a beacon that counts wait until the first one is durable and go no further. The
  // event log is what makes it exact.
  const recent = {
    impression: deps.charges.impressions,
    click: createBoundedCache<string, Promise<void>>(50_000),
  };

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
    const done = record(deps, kind, token, visitor, at, { invalid, allowed });
    if (invalid !== null) return done;
    recent[kind].set(token.serveId, done);
    done.catch(() => recent[kind].delete(token.serveId));
    return done;
  };
}

async function record(
  deps: BeaconDeps,
  kind: 'impression' | 'click',
  token: TrackingToken,
  visitor: Visitor,
  at: number,
  { invalid, allowed }: { invalid: InvalidReason | null; allowed: Permissions },
): Promise<void> {
  const counts = invalid === null && !token.test;
  const costing = counts ? deps.charges.costOf(kind, token, at) : free;
  const cost = costing instanceof Promise ? await costing : costing;
  // All of one shape, whatever they cost: what is not there is left out where it is written.
  const event: EventRecord = {
    id: beaconId(token.serveId, invalid),
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
    node: cost.node === undefined ? token.node : cost.node,
    data: dataOf(visitor, allowed),
    userId: allowed.user_reports ? undefined : anonymous,
    spendMicros: cost.spendMicros,
    revenueMicros: cost.revenueMicros,
    budgetDay: cost.budgetDay,
    claimsBudget: cost.claimsBudget,
    holds: cost.holds,
    holdsUntil: cost.holdsUntil,
    unbilled: cost.unbilled,
  };
  await deps.charges.append([event], token, (stored) => {
    if (counts) deps.onCounted(stored, token);
  });
  if (counts && kind === 'impression' && isPaidOnceSeen(token.billingModel))
    deps.seenElsewhere.tell(token.serveId, at);
}

/**
 * Whose it is not to be said of, the event says itself: its ad may have been served to somebody.
 */
function dataOf(visitor: Visitor, allowed: Permissions): Record<string, unknown> | undefined {
  if (visitor.country === null && allowed.identity_links) return undefined;
  return {
    ...(visitor.country === null ? {} : { from: visitor.country }),
    ...(allowed.identity_links ? {} : { unlinked: true }),
  };
}
