import type { Db } from '../../../platform/db/db.js';

export interface ListedConversion {
  id: string;
  at: Date;
  eventName: string;
  amountMicros: number;
  currency: string;
  campaignId: string | null;
  adGroupId: string | null;
  orderId: string | null;
  pageUrl: string | null;
  source: string;
  attribution: 'click' | 'view' | null;
}

export interface ConversionFilter {
  campaignId: string | null;
  eventType: string | null;
}

/** Latest first by when they happened, from before the cursor. */
export function listConversions(
  db: Db,
  advertiserId: string,
  filter: ConversionFilter,
  before: { at: Date; id: string } | null,
  limit: number,
): Promise<ListedConversion[]> {
  return db.query<ListedConversion>(
    `select id, at, event_name as "eventName", amount_micros - refunded_micros as "amountMicros",
       currency, campaign_id as "campaignId", ad_group_id as "adGroupId", order_id as "orderId",
       page_url as "pageUrl", source, attribution
     from conversions
     where advertiser_id = $1 and reversed_at is null and ($2::uuid is null or campaign_id = $2)
       and ($3::text is null or lower(event_name) = lower($3))
         and ($4::timestamptz is null or (at, id) < ($4, $5::uuid))
     order by at desc, id desc limit $6`,
    [
      advertiserId,
      filter.campaignId,
      filter.eventType,
      before?.at ?? null,
      before?.id ?? null,
      limit,
    ],
  );
}

export async function countConversions(
  db: Db,
  advertiserId: string,
  filter: ConversionFilter,
): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select coalesce(sum(conversions), 0)::bigint as count
     from conversion_counts
     where advertiser_id = $1 and ($2::uuid is null or campaign_id = $2)
       and ($3::text is null or lower(event_type) = lower($3))`,
    [advertiserId, filter.campaignId, filter.eventType],
  );
  return row?.count ?? 0;
}

/**
 * One line of a report: by day (1 is the first), by domain or by event type; the other two are
 * null.
 */
export interface Slice {
  day: number | null;
  domain: string | null;
  eventType: string | null;
  count: number;
  lastSeen: Date | null;
}

export function slicePixelEvents(
  db: Db,
  advertiserId: string,
  boundaries: readonly number[],
  filter: { domain: string | null; eventType: string | null },
): Promise<Slice[]> {
  return db.query<Slice>(
    `select day, domain, event_type as "eventType", sum(events)::bigint as count,
       max(last_seen) as "lastSeen"
     from (
         select width_bucket(bucket, $2::timestamptz[]) as day, *
         from pixel_totals
         where advertiser_id = $1 and bucket >= $3 and bucket < $4
       ) t
     where events <> 0 and ($5::text is null or position(lower($5) in domain) > 0)
       and ($6::text is null or lower(event_type) = lower($6))
     group by grouping sets ((day), (domain), (event_type))`,
    [advertiserId, ...bounds(boundaries), filter.domain, filter.eventType],
  );
}

export function sliceConversions(
  db: Db,
  advertiserId: string,
  boundaries: readonly number[],
  eventType: string | null,
): Promise<Slice[]> {
  return db.query<Slice>(
    `select day, null as domain, event_type as "eventType", sum(conversions)::bigint as count,
       null as "lastSeen"
     from (
         select width_bucket(bucket, $2::timestamptz[]) as day, *
         from conversion_totals
         where advertiser_id = $1 and bucket >= $3 and bucket < $4
       ) t
     where conversions <> 0 and ($5::text is null or lower(event_type) = lower($5))
     group by grouping sets ((day), (event_type))`,
    [advertiserId, ...bounds(boundaries), eventType],
  );
}

export async function hasPixelEvents(db: Db, advertiserId: string): Promise<boolean> {
  return (
    (await db.query(`select from pixel_totals where advertiser_id = $1 limit 1`, [advertiserId]))
      .length > 0
  );
}

function bounds(boundaries: readonly number[]): [all: string[], first: Date, end: Date] {
  return [
    boundaries.map((at) => new Date(at).toISOString()),
    new Date(boundaries[0] ?? 0),
    new Date(boundaries.at(-1) ?? 0),
  ];
}
