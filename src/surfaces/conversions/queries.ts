import { isBilledAt } from '../../domain/billing/billing-models.js';
import { nilUuid, uuidDay } from '../../domain/uuid.js';
import type { Db } from '../../platform/db/db.js';
import type { Terms } from './crediting/trust-queries.js';
import { firstAndLast } from '../../platform/events/partitions.js';

/** Whether anybody at all opted out, with this advertiser or everywhere. */
export async function hasOptOuts(tx: Db, advertiserId: string): Promise<boolean> {
  const [row] = await tx.query<{ exist: boolean }>(
    `select exists (select from opt_outs where advertiser_id in ($1, $2)) as exist`,
    [advertiserId, nilUuid],
  );
  return row?.exist === true;
}

/** Which of the identities opted out, with this advertiser or everywhere. */
export async function findOptOuts(
  tx: Db,
  advertiserId: string,
  identities: readonly string[],
): Promise<ReadonlySet<string>> {
  if (identities.length === 0) return new Set();
  const rows = await tx.query<{ identity: string }>(
    `select identity from opt_outs where advertiser_id in ($1, $3) and identity = any($2::uuid[])`,
    [advertiserId, bareArray(identities), nilUuid],
  );
  return new Set(rows.map((row) => bareUuid(row.identity)));
}

/**
 * Which of the keys were not there, or only from before the window. Sorted, so that concurrent
 * batches cannot deadlock.
 */
export async function claimKeys(
  tx: Db,
  advertiserId: string,
  keys: readonly string[],
  now: number,
  windowMs: number,
  /** Which conversion each key is of, where that is known. */
  conversionIds: readonly string[] = [],
): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  // Nearly always all of them are new; a thousand rows that say so would cost more than the
  // look-up.
  const [row] = await tx.query<{ count: number; keys: string | null }>(
    `with claimed as (
         insert into conversion_keys as k (advertiser_id, key, first_at, conversion_id)
         select $1, key, $3, id
         from unnest($2::uuid[], $6::uuid[]) as c (key, id)
         order by key
         on conflict (advertiser_id, key) do update set first_at = excluded.first_at,
           conversion_id = excluded.conversion_id
         where k.first_at <= $4
         returning key
       )
     select count(*) as count, case when count(*) < $5 then string_agg(key::text, ',') end as keys
     from claimed`,
    [
      advertiserId,
      bareArray(keys),
      new Date(now),
      new Date(now - windowMs),
      keys.length,
      bareArray(conversionIds),
    ],
  );
  return new Set(row?.count === keys.length ? keys : bareUuid(row?.keys ?? '').split(','));
}

/** A served ad that was clicked or seen, as the event log has it. */
export interface Touch {
  id: string;
  /** Epoch milliseconds. */
  at: number;
  publisherId: string | null;
  campaignId: string | null;
  adGroupId: string | null;
  adId: string | null;
  placement: string | null;
  device: string | null;
  country: string | null;
  /** The model and the price when the ad is billed per conversion. */
  charge: string | null;
  priceMicros: number | null;
  /** Whether an impression of the ad was counted, before the click or soon after it. */
  wasSeen: boolean;
  /** What a conversion is paid on, as it was settled when the ad was shown. */
  terms: Terms | null;
}

interface TouchRow extends Touch {
  kind: string;
  advertiserId: string | null;
  counts: boolean;
}

/** A click is paid when an impression of its ad was counted, at the latest this long after it. */
const seenAfterMs = 10 * 60_000;

const touchesByKey = `
  select e.*
  from unnest($4::date[], $5::uuid[]) as k (day, id)
  cross join lateral (
      select id, kind, advertiser_id as "advertiserId",
        (extract(epoch from at) * 1000)::float8 as at,
        publisher_id as "publisherId", campaign_id as "campaignId", ad_group_id as "adGroupId",
        ad_id as "adId", placement, device, country, data ->> 'charge' as charge,
        (data ->> 'price_micros')::bigint as "priceMicros", data -> 'terms' as terms,
        invalid is null and not test as counts
      from events
      where day = k.day and id = k.id and (advertiser_id = $1 or advertiser_id is null)
        and kind in ($2, $3, 'impression', 'impression_reversal', 'win')
        and day >= $6 and day <= $7
      limit 10
    ) e`;

/**
 * Counted clicks or impressions of this advertiser among the ids, one look-up by primary key each.
 * The limit, more than there can be,
 * leaves the planner no other way: a plain join would read whole days.
 */
export async function findTouches(
  tx: Db,
  advertiserId: string,
  kind: 'click' | 'impression',
  ids: readonly string[],
): Promise<Touch[]> {
  const days = ids.map(uuidDay);
  const rows = await tx.query<TouchRow>(touchesByKey, [
    advertiserId,
    kind,
    `${kind}_reversal`,
    bareArray(days),
    bareArray(ids),
    ...firstAndLast(days),
  ]);
  const wins = new Map(rows.filter((row) => row.kind === 'win').map((row) => [row.id, row]));
  const reversed = new Set(
    rows.filter((row) => row.kind === `${kind}_reversal`).map((row) => row.id),
  );
  const unseen = new Set(
    rows.filter((row) => row.kind === 'impression_reversal').map((row) => row.id),
  );
  const seenAt = new Map(
    rows
      .filter((row) => row.kind === 'impression' && row.counts && !unseen.has(row.id))
      .map((row) => [row.id, row.at]),
  );
  return (
    rows
      .filter((row) => row.kind === kind && row.counts && !reversed.has(row.id))
      // One that names no advertiser leaves that to its ad, which is another's if it is not here.
      .filter((row) => row.advertiserId !== null || wins.has(row.id))
      .map((row) => {
        const win = wins.get(row.id);
        const terms = isBilledAt(win?.charge, 'conversion') ? win : null;
        return {
          ...row,
          publisherId: row.publisherId ?? win?.publisherId ?? null,
          campaignId: row.campaignId ?? win?.campaignId ?? null,
          adGroupId: row.adGroupId ?? win?.adGroupId ?? null,
          adId: row.adId ?? win?.adId ?? null,
          placement: row.placement ?? win?.placement ?? null,
          device: row.device ?? win?.device ?? null,
          country: row.country ?? win?.country ?? null,
          charge: terms?.charge ?? null,
          priceMicros: terms?.priceMicros ?? null,
          terms: terms?.terms ?? null,
          wasSeen: (seenAt.get(row.id) ?? Infinity) <= row.at + seenAfterMs,
        };
      })
  );
}

export interface ClickLink {
  identity: string;
  clickedAt: number;
  serveId: string;
}

export async function insertClickLinks(
  tx: Db,
  advertiserId: string,
  links: readonly ClickLink[],
): Promise<void> {
  if (links.length === 0) return;
  // Sorted there, so that concurrent batches cannot deadlock.
  await tx.query(
    `insert into click_links (advertiser_id, identity, clicked_at, serve_id)
     select $1, identity, to_timestamp(at / 1000.0), serve_id
     from unnest($2::uuid[], $3::bigint[], $4::uuid[]) as l (identity, at, serve_id)
     order by identity, at, serve_id
     on conflict do nothing`,
    [
      advertiserId,
      bareArray(links.map((link) => link.identity)),
      bareArray(links.map((link) => link.clickedAt)),
      bareArray(links.map((link) => link.serveId)),
    ],
  );
}

export interface LinkedClick {
  identity: string;
  serveId: string;
  /** Epoch milliseconds, as in the rest: reading a thousand dates costs more than finding them. */
  at: number;
}

/** The last click of each identity inside [from, until]. */
export function findLastClicks(
  tx: Db,
  advertiserId: string,
  identities: readonly string[],
  from: number,
  until: number,
): Promise<LinkedClick[]> {
  return tx.query<LinkedClick>(
    `select distinct on (l.identity) replace(l.identity::text, '-', '') as identity,
       serve_id as "serveId", (extract(epoch from clicked_at) * 1000)::float8 as at
     from click_links l
     where advertiser_id = $1 and l.identity = any($2::uuid[]) and clicked_at >= $3
       and clicked_at <= $4
     order by l.identity desc, clicked_at desc, serve_id desc`,
    [advertiserId, bareArray([...new Set(identities)]), new Date(from), new Date(until)],
  );
}

export interface ViewerLink {
  n: number;
  clickServeId: string | null;
  clickedAt: Date | null;
  viewServeId: string | null;
  viewedAt: Date | null;
}

/** What publishers' hashed e-mails last clicked and saw of this advertiser. */
export function findViewerLinks(
  tx: Db,
  advertiserId: string,
  viewers: readonly string[],
): Promise<ViewerLink[]> {
  return tx.query<ViewerLink>(
    `select k.n - 1 as n, v.click_id as "clickServeId", v.clicked_at as "clickedAt",
       v.view_id as "viewServeId", v.viewed_at as "viewedAt"
     from unnest($2::text[]) with ordinality as k (viewer, n)
     cross join lateral (
         select *
         from viewer_links v
         where v.advertiser_id = $1 and v.identity = k.viewer
         limit 1
       ) v`,
    [advertiserId, bareArray(viewers)],
  );
}

export async function loadRates(
  tx: Db,
  currencies: readonly string[],
): Promise<Map<string, number>> {
  const rates = new Map([['USD', 1]]);
  const foreign = currencies.filter((currency) => currency !== 'USD');
  if (foreign.length === 0) return rates;
  const rows = await tx.query<{ currency: string; rate: string }>(
    `select currency, usd_per_unit as rate from currency_rates where currency = any($1::text[])`,
    [foreign],
  );
  for (const row of rows) rates.set(row.currency, Number(row.rate));
  return rates;
}

export interface ConversionRow {
  id: string;
  /** Epoch milliseconds. */
  at: number;
  event_name: string;
  event_id: string;
  attribution: 'click' | 'view' | null;
  evidence: string | null;
  serve_id: string | null;
  campaign_id: string | null;
  ad_group_id: string | null;
  amount_micros: number;
  currency: string;
  value_micros: number;
  order_id: string | null;
  page_url: string | null;
  /** JSON text. */
  details: string;
}

export async function insertConversions(
  tx: Db,
  advertiserId: string,
  source: string,
  rows: readonly ConversionRow[],
): Promise<void> {
  await tx.query(
    `insert into conversions (
         advertiser_id, source, id, at, event_name, event_id, attribution, evidence, serve_id,
         campaign_id, ad_group_id, amount_micros, currency, value_micros, order_id, page_url,
         details
       )
     select $1, $2, r.id, to_timestamp(r.at / 1000.0), r.event_name, r.event_id, r.attribution,
       r.evidence, r.serve_id, r.campaign_id, r.ad_group_id, r.amount_micros, r.currency,
       r.value_micros, r.order_id, r.page_url, r.details
     from rows
     from (
         unnest($3::uuid[], $4::bigint[]), json_array_elements_text($5::json),
         json_array_elements_text($6::json),
         unnest(
           $7::text[], $8::text[], $9::uuid[], $10::uuid[], $11::uuid[], $12::bigint[], $13::text[],
           $14::bigint[]
         ), json_array_elements_text($15::json), json_array_elements_text($16::json),
         json_array_elements($17::json)
       ) as r (
         id, at, event_name, event_id, attribution, evidence, serve_id, campaign_id, ad_group_id,
         amount_micros, currency, value_micros, order_id, page_url, details
       )`,
    [
      advertiserId,
      source,
      bareArray(rows.map((row) => row.id)),
      bareArray(rows.map((row) => row.at)),
      jsonArray(rows.map((row) => row.event_name)),
      jsonArray(rows.map((row) => row.event_id)),
      bareArray(rows.map((row) => row.attribution)),
      bareArray(rows.map((row) => row.evidence)),
      bareArray(rows.map((row) => row.serve_id)),
      bareArray(rows.map((row) => row.campaign_id)),
      bareArray(rows.map((row) => row.ad_group_id)),
      bareArray(rows.map((row) => row.amount_micros)),
      bareArray(rows.map((row) => row.currency)),
      bareArray(rows.map((row) => row.value_micros)),
      jsonArray(rows.map((row) => row.order_id)),
      jsonArray(rows.map((row) => row.page_url)),
      enclosed(
        '[',
        rows.map((row) => row.details),
        ']',
      ),
    ],
  );
}

/**
 * An array parameter written out: ids, numbers and our own words need no quoting, and the driver
 * would look at each of them twice.
 */
function bareArray(values: readonly (string | number | null)[]): string {
  return enclosed(
    '{',
    values.map((value) => (value === null ? 'null' : String(value))),
    '}',
  );
}

/** Joined in one go: brackets put around a long text afterwards would copy all of it once more. */
function enclosed(open: string, values: string[], close: string): string {
  if (values.length === 0) return open + close;
  values[0] = open + (values[0] ?? '');
  values[values.length - 1] += close;
  return values.join(',');
}

/** Texts from outside, quoted natively in one go. */
function jsonArray(texts: readonly (string | null)[]): string {
  return JSON.stringify(texts);
}

/** Keys travel without dashes and come back with them. */
function bareUuid(uuid: string): string {
  return uuid.replaceAll('-', '');
}

export async function listRates(db: Db): Promise<Record<string, number>> {
  const rows = await db.query<{ currency: string; rate: string }>(
    `select currency, usd_per_unit as rate from currency_rates order by currency`,
  );
  return Object.fromEntries(rows.map((row) => [row.currency, Number(row.rate)]));
}

export async function replaceRates(
  db: Db,
  rates: readonly { currency: string; rate: number }[],
  now: number,
): Promise<void> {
  const currencies = rates.map((one) => one.currency);
  await db.query(`delete from currency_rates where currency <> all($1::text[])`, [currencies]);
  await db.query(
    `insert into currency_rates (currency, usd_per_unit, updated_at)
     select currency, rate, $3
     from unnest($1::text[], $2::numeric[]) as r (currency, rate)
     order by 1
     on conflict (currency) do update set usd_per_unit = excluded.usd_per_unit,
       updated_at = excluded.updated_at`,
    [currencies, rates.map((one) => one.rate), new Date(now)],
  );
}

/** Removes what can no longer matter, in small steps. Returns how many rows went. */
export async function deleteExpired(
  db: Db,
  table:
    'conversion_keys' | 'click_links' | 'pixel_sessions' | 'conversion_charges' | 'past_budgets',
  before: Date,
): Promise<number> {
  const column = {
    conversion_keys: 'first_at',
    click_links: 'clicked_at',
    pixel_sessions: 'seen_at',
    conversion_charges: 'at',
    past_budgets: 'until',
  }[table];
  let removed = 0;
  for (;;) {
    const rows = await db.query<{ count: number }>(
      `with gone as (
           delete from ${table}
           where ctid = any(array(select ctid from ${table} where ${column} < $1 limit 5000))
           returning 1
         )
       select count(*) as count
       from gone`,
      [before],
    );
    const count = rows[0]?.count ?? 0;
    removed += count;
    if (count < 5000) return removed;
  }
}

/** Conversions received before the id's time. Totals stay. */
export async function deleteOldConversions(db: Db, beforeId: string): Promise<number> {
  let removed = 0;
  for (;;) {
    const rows = await db.query<{ count: number }>(
      `with gone as (
           delete from conversions c
           using (
               select a.id as advertiser, o.id
               from advertisers a
               cross join lateral (
                   select id
                   from conversions
                   where advertiser_id = a.id and id < $1
                   order by id limit 5000
                 ) o
               limit 5000
             ) old
           where c.advertiser_id = old.advertiser and c.id = old.id
           returning 1
         )
       select count(*) as count
       from gone`,
      [beforeId],
    );
    const count = rows[0]?.count ?? 0;
    removed += count;
    if (count < 5000) return removed;
  }
}
