import { nilUuid, uuidDay } from '../../domain/uuid.js';
import type { Db } from '../../platform/db/db.js';

/** Positions of the identities that opted out, with this advertiser or everywhere. */
export async function findOptOuts(tx: Db, advertiserId: string, identities: readonly string[]): Promise<Set<number>> {
  if (identities.length === 0) return new Set();
  const rows = await tx.query<{ n: number }>(
    `select k.n from unnest($2::uuid[]) with ordinality as k (identity, n)
     where exists (select from opt_outs o where o.advertiser_id = $1 and o.identity = k.identity) or exists (select from opt_outs o where o.advertiser_id = $3 and o.identity = k.identity)`,
    [advertiserId, identities, nilUuid],
  );
  return new Set(rows.map((row) => row.n - 1));
}

/** Positions of the keys that were not there, or only from before the window. Sorted, so that concurrent batches cannot deadlock. */
export async function claimKeys(tx: Db, advertiserId: string, keys: readonly string[], now: number, windowMs: number): Promise<Set<string>> {
  if (keys.length === 0) return new Set();
  const rows = await tx.query<{ key: string }>(
    `insert into conversion_keys as k (advertiser_id, key, first_at) select $1, key, $3 from unnest($2::uuid[]) as key
     on conflict (advertiser_id, key) do update set first_at = excluded.first_at where k.first_at <= $4
     returning key`,
    [advertiserId, [...keys].sort(), new Date(now), new Date(now - windowMs)],
  );
  return new Set(rows.map((row) => row.key.replaceAll('-', '')));
}

/** A served ad that was clicked or seen, as the event log has it. */
export interface Touch {
  id: string;
  at: Date;
  publisherId: string | null;
  campaignId: string | null;
  adGroupId: string | null;
  adId: string | null;
  placement: string | null;
  device: string | null;
  country: string | null;
  charge: string | null;
  priceMicros: number | null;
  conversionType: string | null;
}

/** Counted clicks or impressions of this advertiser among the ids. Each is one look-up by primary key, in the days given only. */
export function findTouches(tx: Db, advertiserId: string, kind: 'click' | 'impression', ids: readonly string[]): Promise<Touch[]> {
  const days = ids.map(uuidDay);
  return tx.query<Touch>(
    `select e.id, e.at, e.publisher_id as "publisherId", e.campaign_id as "campaignId", e.ad_group_id as "adGroupId", e.ad_id as "adId", e.placement, e.device, e.country,
            w.charge, w.price_micros as "priceMicros", c.conversion_type as "conversionType"
     from unnest($3::date[], $4::uuid[]) as k (day, id)
     cross join lateral (select * from events e where e.day = k.day and e.id = k.id and e.kind = $2 and e.day = any($5::date[]) limit 1) e
     left join lateral (select data ->> 'charge' as charge, (data ->> 'price_micros')::bigint as price_micros from events w where w.day = k.day and w.id = k.id and w.kind = 'win' and w.day = any($5::date[]) limit 1) w on true
     left join campaigns c on c.id = e.campaign_id
     where e.advertiser_id = $1 and e.invalid is null and not e.test
       and not exists (select from events r where r.day = k.day and r.id = k.id and r.kind = $2 || '_reversal' and r.day = any($5::date[]))`,
    [advertiserId, kind, days, ids, [...new Set(days)]],
  );
}

export interface ClickLink {
  identity: string;
  clickedAt: number;
  serveId: string;
}

export async function insertClickLinks(tx: Db, advertiserId: string, links: readonly ClickLink[]): Promise<void> {
  if (links.length === 0) return;
  const sorted = [...links].sort((a, b) => (a.identity === b.identity ? a.clickedAt - b.clickedAt : a.identity < b.identity ? -1 : 1));
  await tx.query(
    `insert into click_links (advertiser_id, identity, clicked_at, serve_id) select $1, identity, to_timestamp(at / 1000.0), serve_id from unnest($2::uuid[], $3::bigint[], $4::uuid[]) as l (identity, at, serve_id)
     on conflict do nothing`,
    [advertiserId, sorted.map((link) => link.identity), sorted.map((link) => link.clickedAt), sorted.map((link) => link.serveId)],
  );
}

/** For each position the last click of that identity inside [from, until]. */
export function findLinkedClicks(tx: Db, advertiserId: string, wanted: readonly { identity: string; from: number; until: number }[]): Promise<{ n: number; serveId: string; at: Date }[]> {
  return tx.query(
    `select k.n - 1 as n, l.serve_id as "serveId", l.clicked_at as at
     from unnest($2::uuid[], $3::bigint[], $4::bigint[]) with ordinality as k (identity, first, last, n)
     cross join lateral (
       select serve_id, clicked_at from click_links l
       where l.advertiser_id = $1 and l.identity = k.identity and l.clicked_at >= to_timestamp(k.first / 1000.0) and l.clicked_at <= to_timestamp(k.last / 1000.0)
       order by l.clicked_at desc, l.serve_id desc limit 1
     ) l`,
    [advertiserId, wanted.map((one) => one.identity), wanted.map((one) => one.from), wanted.map((one) => one.until)],
  );
}

export interface ViewerLink {
  n: number;
  clickId: string | null;
  clickedAt: Date | null;
  viewId: string | null;
  viewedAt: Date | null;
}

/** What publishers' hashed e-mails last clicked and saw of this advertiser. */
export function findViewerLinks(tx: Db, advertiserId: string, emails: readonly string[]): Promise<ViewerLink[]> {
  return tx.query<ViewerLink>(
    `select k.n - 1 as n, v.click_id as "clickId", v.clicked_at as "clickedAt", v.view_id as "viewId", v.viewed_at as "viewedAt"
     from unnest($2::text[]) with ordinality as k (email, n)
     cross join lateral (select * from viewer_links v where v.advertiser_id = $1 and v.identity = 'em:' || k.email limit 1) v`,
    [advertiserId, emails],
  );
}

export async function loadRates(tx: Db, currencies: readonly string[]): Promise<Map<string, number>> {
  const rates = new Map([['USD', 1]]);
  const foreign = currencies.filter((currency) => currency !== 'USD');
  if (foreign.length === 0) return rates;
  const rows = await tx.query<{ currency: string; rate: string }>(`select currency, usd_per_unit as rate from currency_rates where currency = any($1::text[])`, [foreign]);
  for (const row of rows) rates.set(row.currency, Number(row.rate));
  return rates;
}

export interface ConversionRow {
  id: string;
  at: string;
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
  details: Record<string, unknown>;
}

export async function insertConversions(tx: Db, advertiserId: string, source: string, rows: readonly ConversionRow[]): Promise<void> {
  await tx.query(
    `insert into conversions (advertiser_id, source, id, at, event_name, event_id, attribution, evidence, serve_id, campaign_id, ad_group_id, amount_micros, currency, value_micros, order_id, page_url, details)
     select $1, $2, r.* from json_to_recordset($3::text::json) as r
       (id uuid, at timestamptz, event_name text, event_id text, attribution text, evidence text, serve_id uuid, campaign_id uuid, ad_group_id uuid, amount_micros bigint, currency text, value_micros bigint, order_id text, page_url text, details json)`,
    [advertiserId, source, JSON.stringify(rows)],
  );
}

export async function listRates(db: Db): Promise<Record<string, number>> {
  const rows = await db.query<{ currency: string; rate: string }>(`select currency, usd_per_unit as rate from currency_rates order by currency`);
  return Object.fromEntries(rows.map((row) => [row.currency, Number(row.rate)]));
}

export async function saveRates(db: Db, rates: readonly { currency: string; rate: number }[], now: number): Promise<void> {
  await db.query(
    `insert into currency_rates (currency, usd_per_unit, updated_at) select currency, rate, $3 from unnest($1::text[], $2::numeric[]) as r (currency, rate) order by 1
     on conflict (currency) do update set usd_per_unit = excluded.usd_per_unit, updated_at = excluded.updated_at`,
    [rates.map((one) => one.currency), rates.map((one) => one.rate), new Date(now)],
  );
}

/** Removes what can no longer matter, in small steps. Returns how many rows went. */
export async function deleteExpired(db: Db, table: 'conversion_keys' | 'click_links' | 'pixel_sessions', before: Date): Promise<number> {
  const column = { conversion_keys: 'first_at', click_links: 'clicked_at', pixel_sessions: 'seen_at' }[table];
  let removed = 0;
  for (;;) {
    const rows = await db.query<{ count: number }>(
      `with gone as (delete from ${table} where ctid = any(array(select ctid from ${table} where ${column} < $1 limit 5000)) returning 1) select count(*) as count from gone`,
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
         delete from conversions c using (select a.id as advertiser, o.id from advertisers a cross join lateral (select id from conversions where advertiser_id = a.id and id < $1 order by id limit 5000) o limit 5000) old
         where c.advertiser_id = old.advertiser and c.id = old.id returning 1
       ) select count(*) as count from gone`,
      [beforeId],
    );
    const count = rows[0]?.count ?? 0;
    removed += count;
    if (count < 5000) return removed;
  }
}
