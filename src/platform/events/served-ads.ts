import { uuidDay } from '../../domain/uuid.js';
import { createBoundedCache } from '../bounded-cache.js';
import type { Db } from '../db/db.js';
import type { EventRecord } from './event.js';
import { firstAndLast } from './partitions.js';
import { createSlices } from './slices.js';

/** What the ad that was served tells about its beacons, above all the user. */
export type ServedAd = Pick<
  EventRecord,
  | 'publisherId'
  | 'advertiserId'
  | 'campaignId'
  | 'adGroupId'
  | 'adId'
  | 'placement'
  | 'device'
  | 'country'
  | 'userId'
> & { identity: string | null };

export interface ServedAds {
  /**
   * Ads of these events, from memory or the database, by id of the ad. Those `before` are stored
   * first.
   */
  of(
    events: readonly EventRecord[],
    before?: readonly EventRecord[],
  ): Promise<ReadonlyMap<string, ServedAd>>;
  /** The wins among them are in the database now. */
  stored(events: readonly EventRecord[]): void;
  /** Everything is looked up again: some of it is no longer true. */
  forget(): void;
  /** Another one every time: what was found under the one before is looked up again. */
  readonly version: number;
}

const beacons: ReadonlySet<string> = new Set(['impression', 'viewable', 'disclosed', 'click']);

export function isBeacon({ kind }: EventRecord): boolean {
  return beacons.has(kind);
}

export function servedAdOf(event: EventRecord): string {
  return event.serveId ?? event.id;
}

/** Most beacons follow their ad within minutes, on the same node: those look nothing up. */
export function createServedAds(db: Db, most = 50_000): ServedAds {
  let known = createBoundedCache<string, ServedAd>(most);
  let version = 0;
  return {
    get version() {
      return version;
    },
    async of(events, before = []) {
      const found = new Map<string, ServedAd>();
      const missing = new Set<string>();
      // Stored with their beacons or not at all; whoever comes later looks for them once they are.
      const fresh = new Map<string, ServedAd>();
      for (const list of [before, events])
        for (const event of list) if (event.kind === 'win') fresh.set(event.id, factsOf(event));
      const slices = createSlices(events.length);
      for (const event of events) {
        if (!isBeacon(event)) continue;
        if (slices.isOver()) await slices.next();
        const id = servedAdOf(event);
        const ad = known.get(id) ?? fresh.get(id);
        if (ad === undefined) missing.add(id);
        else found.set(id, ad);
      }
      for (const { id, ...ad } of await loadServed(db, [...missing])) {
        known.set(id, ad);
        found.set(id, ad);
      }
      return found;
    },
    stored(events) {
      for (const event of events) if (event.kind === 'win') known.set(event.id, factsOf(event));
    },
    forget() {
      version += 1;
      known = createBoundedCache(most);
    },
  };
}

/** What the ad of a beacon says; nothing of other events. */
export function servedAdFor(
  event: EventRecord,
  ads: ReadonlyMap<string, ServedAd>,
): ServedAd | undefined {
  return isBeacon(event) ? ads.get(servedAdOf(event)) : undefined;
}

/**
 * The event, of a beacon with what its ad says, which it cannot know itself. All of one shape: a
 * batch is walked through many times.
 */
export function withServedAd(event: EventRecord, ad: ServedAd | undefined): EventRecord {
  return {
    id: event.id,
    kind: event.kind,
    serveId: event.serveId,
    at: event.at,
    publisherId: ad?.publisherId ?? event.publisherId,
    advertiserId: ad?.advertiserId ?? event.advertiserId,
    campaignId: ad?.campaignId ?? event.campaignId,
    adGroupId: ad?.adGroupId ?? event.adGroupId,
    adId: ad?.adId ?? event.adId,
    placement: ad?.placement ?? event.placement,
    device: ad?.device ?? event.device,
    country: ad?.country ?? event.country,
    // A beacon that names nobody was sent by somebody who must not be named, whoever saw the ad.
    userId: event.userId ?? ad?.userId,
    userName: event.userName,
    test: event.test,
    invalid: event.invalid,
    unbilled: event.unbilled,
    attribution: event.attribution,
    spendMicros: event.spendMicros,
    revenueMicros: event.revenueMicros,
    valueMicros: event.valueMicros,
    node: event.node,
    budgetDay: event.budgetDay,
    holds: event.holds,
    claimsBudget: event.claimsBudget,
    requestId: event.requestId,
    record: event.record,
    data: event.data,
  };
}

/**
 * The beacon without what its ad says: `event-facts` puts the two together. A beacon under an id of
 * its own is not found beside its ad and keeps everything.
 */
export function withoutServedAd(
  event: EventRecord,
  ads: ReadonlyMap<string, ServedAd>,
): EventRecord {
  const ad = isBeacon(event) && servedAdOf(event) === event.id ? ads.get(event.id) : undefined;
  if (ad?.publisherId == null || ad.advertiserId == null || ad.campaignId == null) return event;
  return {
    id: event.id,
    kind: event.kind,
    serveId: event.serveId,
    at: event.at,
    publisherId: null,
    advertiserId: null,
    campaignId: null,
    adGroupId: ad.adGroupId == null ? event.adGroupId : null,
    adId: ad.adId == null ? event.adId : null,
    placement: ad.placement == null ? event.placement : null,
    device: ad.device == null ? event.device : null,
    country: ad.country == null ? event.country : null,
    userId: event.userId === ad.userId ? null : event.userId,
    userName: event.userName,
    test: event.test,
    invalid: event.invalid,
    unbilled: event.unbilled,
    attribution: event.attribution,
    spendMicros: event.spendMicros,
    revenueMicros: event.revenueMicros,
    valueMicros: event.valueMicros,
    node: event.node,
    budgetDay: event.budgetDay,
    holds: event.holds,
    claimsBudget: event.claimsBudget,
    requestId: event.requestId,
    record: event.record,
    data: event.data,
  };
}

function factsOf(event: EventRecord): ServedAd {
  const { publisherId, advertiserId, campaignId, adGroupId, adId } = event;
  const { placement, device, country, userId, data } = event;
  const identity = data?.['identity'];
  return {
    publisherId: publisherId ?? null,
    advertiserId: advertiserId ?? null,
    campaignId: campaignId ?? null,
    adGroupId: adGroupId ?? null,
    adId: adId ?? null,
    placement: placement ?? null,
    device: device ?? null,
    country: country ?? null,
    userId: userId ?? null,
    identity: typeof identity === 'string' ? identity : null,
  };
}

/**
 * One look-up by primary key each. As a plain join it would be planned once for all, while the day
 * is empty, as a scan of the whole day; a limit leaves no choice.
 */
function loadServed(db: Db, ids: readonly string[]): Promise<(ServedAd & { id: string })[]> {
  if (ids.length === 0) return Promise.resolve([]);
  // The first and last are told apart, so that other days are not even planned.
  const days = ids.map(uuidDay);
  return db.query(
    `select w.*
     from unnest($1::date[], $2::uuid[]) as k (day, id)
     cross join lateral (
         select id, publisher_id as "publisherId", advertiser_id as "advertiserId",
           campaign_id as "campaignId", ad_group_id as "adGroupId", ad_id as "adId", placement,
           device, country, user_id as "userId", data ->> 'identity' as identity
         from events
         where day = k.day and id = k.id and kind = 'win' and day >= $3 and day <= $4
         limit 1
       ) w`,
    [days, ids, ...firstAndLast(days)],
  );
}
