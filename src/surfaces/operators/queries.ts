import type { AdvertiserTerms, PublisherTerms } from './schema.js';
import { announceEachCampaign } from '../../platform/channels.js';
import { announceAccountsChange } from '../../platform/auth/announce-accounts.js';
import type { Db } from '../../platform/db/db.js';
import { eventFactsWhere } from '../../platform/events/event-facts.js';
import {
  type EventPage,
  eventPages,
  isInPage,
  pageParameters,
} from '../../platform/events/event-pages.js';
import { type CountedEvent, countedEvents } from '../../platform/events/reverse-events.js';

export interface AccountListing {
  kind: 'advertiser' | 'publisher';
  id: string;
  name: string;
  status: string;
  /** Where unblocking leads back to. */
  status_before_block: string | null;
  url: string | null;
  email: string | null;
  billing_enabled: boolean | null;
  revenue_share_bps: number | null;
  is_demo: boolean;
  created_at: Date;
}

export function listAccounts(db: Db): Promise<AccountListing[]> {
  return db.query<AccountListing>(
    `select 'advertiser' as kind, id, name, status, null as status_before_block, null as url,
      email, billing_enabled,
       null::integer as revenue_share_bps, is_demo, created_at
     from advertisers
     union all
     select 'publisher', id, name, status, status_before_block, url, null, null, revenue_share_bps,
       is_demo, created_at
     from publishers
     order by created_at, id`,
  );
}

export async function setPublisher(
  tx: Db,
  id: string,
  change: { status: string | null; revenueShareBps: number | null; isNative: boolean | null },
): Promise<PublisherTerms | null> {
  const rows = await tx.query<PublisherTerms>(
    `update publishers
     set status = coalesce($2, status), revenue_share_bps = coalesce($3, revenue_share_bps),
       status_before_block = case
         when coalesce($2, status) <> 'blocked' then null
         when status = 'blocked' then status_before_block
         else status
       end,
       is_native = coalesce($4, is_native)
     where id = $1
     returning id, status, is_native as native, revenue_share_bps`,
    [id, change.status, change.revenueShareBps, change.isNative],
  );
  await announceAccountsChange(tx);
  return rows[0] ?? null;
}

export async function setAdvertiser(
  tx: Db,
  id: string,
  change: { status: string | null; billingEnabled: boolean | null },
): Promise<AdvertiserTerms | null> {
  const rows = await tx.query<AdvertiserTerms>(
    `update advertisers
     set status = coalesce($2, status), billing_enabled = coalesce($3, billing_enabled)
     where id = $1
     returning id, status, billing_enabled`,
    [id, change.status, change.billingEnabled],
  );
  await announceAccountsChange(tx);
  // Whether its campaigns may serve depends on both.
  await tx.query(
    `select ${announceEachCampaign('c.id')}
     from campaigns c
     where c.advertiser_id = $1 and c.status = 'active'`,
    [id],
  );
  return rows[0] ?? null;
}

export function listNodes(db: Db): Promise<
  {
    number: number;
    id: string;
    host: string;
    started_at: Date;
    seen_at: Date;
    stats: Record<string, unknown>;
  }[]
> {
  return db.query(`select number, id, host, started_at, seen_at, stats from nodes order by number`);
}

export async function findRequest(
  db: Db,
  requestId: string,
  day: string,
): Promise<{
  at: Date;
  publisherId: string;
  country: string | null;
  device: string | null;
  test: boolean;
  record: Uint8Array | null;
  data: Record<string, unknown>;
} | null> {
  const rows = await db.query<{
    at: Date;
    publisherId: string;
    country: string | null;
    device: string | null;
    test: boolean;
    record: Uint8Array | null;
    data: Record<string, unknown>;
  }>(
    `select at, publisher_id as "publisherId", country, device, test, record,
       coalesce(data, '{}') as data
     from events
     where day = $2 and id = $1 and kind = 'request'`,
    [requestId, day],
  );
  return rows[0] ?? null;
}

/**
 * The ads shown in answer to a request. Their ids are of the moment it came in, so the key finds
 * them.
 */
export async function findShown(
  db: Db,
  requestId: string,
  day: string,
  [from, to]: readonly [string, string],
): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select id
     from events
     where day = $2 and id >= $3 and id < $4 and kind = 'win' and request_id = $1
     order by id`,
    [requestId, day, from, to],
  );
  return rows.map(({ id }) => id);
}

/** What came back of these ads, counted or not. */
export function findBeacons(
  db: Db,
  ids: readonly string[],
  day: string,
): Promise<
  { id: string; kind: string; at: Date; invalid: string | null; unbilled: string | null }[]
> {
  return db.query(
    `select id, kind, at, invalid, unbilled
     from events
     where day = $2 and id = any($1::uuid[])
       and kind in ('impression', 'viewable', 'disclosed', 'click')
     order by at, kind`,
    [ids, day],
  );
}

export function findNames(
  db: Db,
  adIds: readonly string[],
): Promise<
  {
    adId: string;
    ad: string;
    campaignId: string;
    campaign: string;
    advertiser: string;
    isDemo: boolean;
  }[]
> {
  return db.query(
    `select x.id as "adId", x.name as ad, c.id as "campaignId", c.name as campaign,
       a.name as advertiser, a.is_demo as "isDemo"
     from (
         select id, coalesce(headline, name) as name, campaign_id
         from ads
         where id = any($1::uuid[])
         union all
         select u.id, coalesce(u.headline, u.name), l.campaign_id
         from ad_units u
         join campaign_ad_units l on l.ad_unit_id = u.id
         where u.id = any($1::uuid[])
       ) x
     join campaigns c on c.id = x.campaign_id
     join advertisers a on a.id = c.advertiser_id`,
    [adIds],
  );
}

export function listAudit(
  db: Db,
  filter: { accountId: string | null; before: Date | null; limit: number },
): Promise<Record<string, unknown>[]> {
  return db.query(
    `select l.id, l.at, l.actor_kind, l.actor_id, p.email as actor_email, l.account_id, l.action,
       l.entity, l.entity_id, l.before, l.after
     from audit_log l
     left join people p on l.actor_kind = 'person' and p.id::text = l.actor_id
     where ($1::uuid is null or l.account_id = $1) and ($2::timestamptz is null or l.at < $2)
     order by l.at desc, l.id desc limit $3`,
    [filter.accountId, filter.before, filter.limit],
  );
}

export interface InvalidSum {
  reason: string;
  kind: string;
  publisherId: string | null;
  events: number;
}

const mostInvalidSums = 500;

/** What did not count since that day, by reason, kind and publisher, the most first. */
export async function sumInvalidTraffic(db: Db, since: Date, until: Date): Promise<InvalidSum[]> {
  const sums = new Map<string, InvalidSum>();
  for await (const page of eventPages(db, { from: since, to: until }))
    for (const row of await sumInvalidOf(db, page)) {
      const key = JSON.stringify([row.reason, row.kind, row.publisherId]);
      sums.set(key, { ...row, events: row.events + (sums.get(key)?.events ?? 0) });
    }
  return [...sums.values()].sort((a, b) => b.events - a.events).slice(0, mostInvalidSums);
}

function sumInvalidOf(db: Db, page: EventPage): Promise<InvalidSum[]> {
  return db.query<InvalidSum>(
    `select invalid as reason, kind, publisher_id as "publisherId", count(*) as events
     from ${eventFactsWhere(isInPage)} e
     where invalid is not null
     group by 1, 2, 3`,
    pageParameters(page),
  );
}

export interface RefundFilter {
  advertiserId: string | null;
  campaignId: string | null;
  publisherId: string | null;
  from: Date;
  to: Date;
}

/** Counted events of a stretch of time that were not reversed before, oldest first. */
export function findRefundable(
  tx: Db,
  filter: RefundFilter,
  limit: number,
): Promise<CountedEvent[]> {
  return tx.query<CountedEvent>(
    `${countedEvents((day) => `${day} >= $1::timestamptz::date - 31 and ${day} <= $2::timestamptz::date + 8`)}
       and e.at >= $1 and e.at < $2
       and ($3::uuid is null or e.advertiser_id = $3) and ($4::uuid is null or e.campaign_id = $4)
         and ($5::uuid is null or e.publisher_id = $5)
     order by e.day, e.id, e.kind limit $6`,
    [filter.from, filter.to, filter.advertiserId, filter.campaignId, filter.publisherId, limit],
  );
}
