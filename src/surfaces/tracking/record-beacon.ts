import { createBoundedCache } from '../../platform/bounded-cache.js';
import { splitRevenue } from '../../domain/money.js';
import { servedAt, type TrackingToken } from '../../domain/tracking-token.js';
import type { Clock } from '../../platform/clock.js';
import type { EventRecord } from '../../platform/events/event.js';
import type { EventLog } from '../../platform/events/event-log.js';
import type { Beacon, InvalidReason } from './judge-traffic.js';

export interface BeaconDeps {
  clock: Clock;
  eventLog: Pick<EventLog, 'append'>;
  judge: (beacon: Beacon) => InvalidReason | null;
  shareBpsOf: (publisherId: string) => number;
  /** The advertiser's local day at an instant, as 'YYYY-MM-DD'. */
  budgetDay: (advertiserId: string, at: number) => string;
  impressionWindowMs: number;
  /** How long after serving the hold kept for an ad pays for it. */
  holdMs: (billingModel: string) => number;
  /** Told once for each counted event, after it is durable. */
  onCounted: (event: EventRecord, token: TrackingToken) => void;
}

export interface Visitor {
  address: string | null;
  country: string | null;
  device: string;
  bot: Beacon['bot'];
}

/** Records impressions and clicks, each once for a served ad. Resolves when it is durable. */
export function createBeaconRecorder(deps: BeaconDeps): (kind: 'impression' | 'click', token: TrackingToken, visitor: Visitor) => Promise<void> {
  // Repeats of a beacon wait for the first one's commit and go no further. The event log is what makes it exact.
  const recent = createBoundedCache<string, Promise<void>>(50_000);

  async function record(kind: 'impression' | 'click', token: TrackingToken, visitor: Visitor): Promise<void> {
    const at = deps.clock();
    const invalid = deps.judge({ kind, serveId: token.serveId, servedAt: servedAt(token), at, address: visitor.address, bot: visitor.bot });
    const event: EventRecord = {
      id: token.serveId,
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
      ...(invalid === null && !token.test ? charge(kind, token, at, deps) : {}),
    };
    const [outcome] = await deps.eventLog.append([event]);
    if (outcome !== 'duplicate' && invalid === null && !token.test) deps.onCounted(event, token);
  }

  return (kind, token, visitor) => {
    const key = `${kind}:${token.serveId}`;
    const known = recent.get(key);
    if (known !== undefined) return known;
    const done = record(kind, token, visitor);
    recent.set(key, done);
    done.catch(() => recent.delete(key));
    return done;
  };
}

/** What the event costs. Inside the window and the day of serving the hold kept for it pays; otherwise only if there is room. */
function charge(kind: 'impression' | 'click', token: TrackingToken, at: number, deps: BeaconDeps): Partial<EventRecord> {
  const billed = (kind === 'impression' && token.billingModel === 'cpm') || (kind === 'click' && token.billingModel === 'cpc');
  if (!billed) return {};
  const { revenueMicros } = splitRevenue(token.priceMicros, deps.shareBpsOf(token.publisherId));
  const day = deps.budgetDay(token.advertiserId, at);
  const isHeld = at <= servedAt(token) + deps.holdMs(token.billingModel) && day === deps.budgetDay(token.advertiserId, servedAt(token));
  const money = { spendMicros: token.priceMicros, revenueMicros, budgetDay: day };
  if (!isHeld) return { ...money, claimsBudget: true };
  return { ...money, holds: { campaign: true, adGroup: token.holdsAdGroup, advertiser: token.holdsAdvertiser } };
}
