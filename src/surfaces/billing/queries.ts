import { spentCredit } from '../../platform/budgets/billing-sql.js';
import { announce, announceEachCampaign, channels } from '../../platform/channels.js';
import type { Db } from '../../platform/db/db.js';
import { utcDaySql } from '../../platform/db/utc-day-sql.js';

export type EntryKind =
  'credit' | 'charge' | 'payment' | 'refund' | 'adjustment' | 'void' | 'notice';

export interface LedgerEntry {
  id: string;
  advertiserId: string;
  at: Date;
  kind: EntryKind;
  /** As the advertiser sees it: what it gets is positive. */
  amountMicros: number;
  invoiceId: string | null;
  reverses: string | null;
  reference: string | null;
  reason: string;
}

const entryColumns = `id, advertiser_id as "advertiserId", at, kind,
  amount_micros as "amountMicros", invoice_id as "invoiceId", reverses, reference, reason`;

/** Billing enabled, or credit left, and no payment that came back or never came. */
export async function billingGate(db: Db, advertiserId: string): Promise<boolean> {
  const rows = await db.query<{ may: boolean }>(
    `select (
         a.billing_enabled or a.credit_micros > ${spentCredit('a.id')}
       ) and not exists (select from payment_holds h where h.advertiser_id = a.id) as may
     from advertisers a
     where a.id = $1`,
    [advertiserId],
  );
  return rows[0]?.may ?? false;
}

/**
 * Everything that writes an advertiser's ledger waits here for its turn. False: no such advertiser.
 */
export async function lockAccount(tx: Db, advertiserId: string): Promise<boolean> {
  await tx.query(
    `insert into billing_accounts (advertiser_id)
     select id
     from advertisers
     where id = $1
     on conflict do nothing`,
    [advertiserId],
  );
  return (
    (
      await tx.query(`select 1 from billing_accounts where advertiser_id = $1 for update`, [
        advertiserId,
      ])
    ).length > 0
  );
}

/** False when the same thing was told before. */
export async function insertEntry(tx: Db, entry: LedgerEntry): Promise<boolean> {
  const rows = await tx.query(
    `insert into ledger_entries (
         id, advertiser_id, at, kind, amount_micros, invoice_id, reverses, reference, reason
       )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     on conflict do nothing
     returning id`,
    [
      entry.id,
      entry.advertiserId,
      entry.at,
      entry.kind,
      entry.amountMicros,
      entry.invoiceId,
      entry.reverses,
      entry.reference,
      entry.reason,
    ],
  );
  return rows.length > 0;
}

export async function addCredit(tx: Db, advertiserId: string, amountMicros: number): Promise<void> {
  await tx.query(`update advertisers set credit_micros = credit_micros + $2 where id = $1`, [
    advertiserId,
    amountMicros,
  ]);
}

/** Serving looks again at whether these campaigns have credit. */
export async function announceCredit(tx: Db, advertiserId: string): Promise<void> {
  await tx.query(
    `select ${announceEachCampaign('c.id')}
     from campaigns c
     where c.advertiser_id = $1 and c.status = 'active'`,
    [advertiserId],
  );
}

export async function announceEveryCredit(db: Db): Promise<void> {
  await announce(db, channels.inventory, null);
}

export interface Balance {
  /** Credit not used up by invoices. */
  creditMicros: number;
  /** What prepaid campaigns may still spend: credit ever granted without what was spent. */
  leftMicros: number;
}

export async function loadBalance(db: Db, advertiserId: string): Promise<Balance> {
  const [row] = await db.query<Balance>(
    `select (
         coalesce((select sum(amount_micros) from ledger_entries where advertiser_id = $1), 0) +
           coalesce(
           (
             select sum(i.due_micros)
             from invoices i
             where i.advertiser_id = $1
               and not exists (
                 select
                 from ledger_entries p
                 where p.invoice_id = i.id and p.kind in ('payment', 'void')
               )
           ), 0
         )
       )::bigint as "creditMicros",
       (
         a.credit_micros - ${spentCredit('a.id')}
       )::bigint as "leftMicros"
     from advertisers a
     where a.id = $1`,
    [advertiserId],
  );
  return row ?? { creditMicros: 0, leftMicros: 0 };
}

/** Nothing is owed for what was spent, and campaigns that run on credit have some left. */
export async function isCovered(db: Db, advertiserId: string): Promise<boolean> {
  const { creditMicros, leftMicros } = await loadBalance(db, advertiserId);
  if (creditMicros < 0) return false;
  const [row] = await db.query<{ enabled: boolean }>(
    `select billing_enabled as enabled from advertisers where id = $1`,
    [advertiserId],
  );
  return row?.enabled === true || leftMicros > 0;
}

export async function findEntry(tx: Db, entryId: string): Promise<LedgerEntry | null> {
  return (
    (
      await tx.query<LedgerEntry>(`select ${entryColumns} from ledger_entries where id = $1`, [
        entryId,
      ])
    )[0] ?? null
  );
}

export async function findEntryByReference(tx: Db, reference: string): Promise<LedgerEntry | null> {
  return (
    (
      await tx.query<LedgerEntry>(
        `select ${entryColumns} from ledger_entries where reference = $1`,
        [reference],
      )
    )[0] ?? null
  );
}

/** Newest first. */
export function listEntries(
  db: Db,
  advertiserId: string,
  beforeId: string | null,
  limit: number,
): Promise<LedgerEntry[]> {
  return db.query<LedgerEntry>(
    `select ${entryColumns}
     from ledger_entries
     where advertiser_id = $1 and ($2::uuid is null or id < $2)
     order by id desc limit $3`,
    [advertiserId, beforeId, limit],
  );
}

export interface BillingSummary {
  spendMicros: number;
  billedMicros: number;
  billingEnabled: boolean;
  lastSpendSyncAt: Date | null;
  lastBilledAt: Date | null;
}

export async function loadSummary(db: Db, advertiserId: string): Promise<BillingSummary | null> {
  const rows = await db.query<BillingSummary>(
    `select coalesce(
         (select sum(h.spend_micros) from campaign_hours h where h.advertiser_id = a.id), 0
       )::bigint as "spendMicros",
       coalesce(
         (select sum(b.billed_micros) from billed_spend b where b.advertiser_id = a.id), 0
       )::bigint as "billedMicros", a.billing_enabled as "billingEnabled",
       k.last_spend_sync_at as "lastSpendSyncAt", k.last_billed_at as "lastBilledAt"
     from advertisers a
     left join billing_accounts k on k.advertiser_id = a.id
     where a.id = $1`,
    [advertiserId],
  );
  return rows[0] ?? null;
}

export interface CampaignDay {
  campaignId: string;
  campaignName: string;
  day: string;
  spentMicros: number;
  billedMicros: number;
}

/** Where a walk over an advertiser's hours has come to. */
interface HourPlace {
  campaignId: string;
  from: Date;
}

/** So many hours are read at once: on the embedded engine everybody else waits for them. */
const hoursAtOnce = 300;
/** So many days are looked up or stored at once. */
const daysAtOnce = 250;

/**
 * Days on which what was spent is not what is on invoices. Read page by page, so that nobody waits
 * for years of history; outside a transaction, so they have to be looked at again inside one.
 */
export async function findUnsettledDays(db: Db, advertiserId: string): Promise<CampaignDay[]> {
  const found: CampaignDay[] = [];
  let place: HourPlace | null = { campaignId: nilUuid, from: new Date(0) };
  while (place !== null) {
    const page: (CampaignDay & { hours: number; isLast: boolean })[] = await readDays(
      db,
      advertiserId,
      place,
    );
    const last = page.find(({ isLast }) => isLast);
    // The last day of a full page may go on in the next one.
    const isFull = last !== undefined && last.hours === hoursAtOnce;
    for (const { hours: _hours, isLast, ...day } of page)
      if (day.spentMicros !== day.billedMicros && !(isLast && isFull)) found.push(day);
    place = isFull
      ? { campaignId: last.campaignId, from: new Date(`${last.day}T00:00:00Z`) }
      : null;
  }
  return found;
}

const nilUuid = '00000000-0000-0000-0000-000000000000';

function readDays(
  db: Db,
  advertiserId: string,
  { campaignId, from }: HourPlace,
): Promise<(CampaignDay & { hours: number; isLast: boolean })[]> {
  return db.query(
    `with hours as (
         select campaign_id, bucket, spend_micros
         from campaign_hours
         where advertiser_id = $1 and (campaign_id, bucket) >= ($2::uuid, $3::timestamptz)
         order by campaign_id, bucket
         limit ${hoursAtOnce}
       ),
       days as (
         select campaign_id, ${utcDaySql('bucket')} as day,
           sum(spend_micros)::bigint as spent, sum(count(*)) over () as hours,
           row_number() over (
             order by campaign_id desc, ${utcDaySql('bucket')} desc
           ) = 1 as is_last
         from hours
         group by 1, 2
       )
     select s.campaign_id as "campaignId", coalesce(c.name, '') as "campaignName", s.day,
       s.spent as "spentMicros", coalesce(b.billed_micros, 0) as "billedMicros",
       s.hours::int as hours, s.is_last as "isLast"
     from days s
     left join billed_spend b on b.advertiser_id = $1 and b.campaign_id = s.campaign_id
       and b.day = s.day
     left join campaigns c on c.id = s.campaign_id
     where s.is_last or s.spent <> coalesce(b.billed_micros, 0)
     order by s.campaign_id, s.day`,
    [advertiserId, campaignId, from],
  );
}

/** Those of these days that are still unsettled, as they stand now. */
export async function checkUnsettledDays(
  tx: Db,
  advertiserId: string,
  days: readonly CampaignDay[],
): Promise<CampaignDay[]> {
  const found: CampaignDay[] = [];
  for (const some of inParts(days, daysAtOnce))
    found.push(
      ...(await tx.query<CampaignDay>(
        `select d.campaign_id as "campaignId", coalesce(c.name, '') as "campaignName", d.day,
           s.spent as "spentMicros", coalesce(b.billed_micros, 0) as "billedMicros"
         from unnest($2::uuid[], $3::date[]) as d (campaign_id, day)
         cross join lateral (
             select sum(h.spend_micros)::bigint as spent
             from campaign_hours h
             where h.advertiser_id = $1 and h.campaign_id = d.campaign_id
               and h.bucket >= d.day::timestamp at time zone 'UTC'
               and h.bucket < (d.day + 1)::timestamp at time zone 'UTC'
           ) s
         left join billed_spend b on b.advertiser_id = $1 and b.campaign_id = d.campaign_id
           and b.day = d.day
         left join campaigns c on c.id = d.campaign_id
         where s.spent <> coalesce(b.billed_micros, 0)
         order by d.campaign_id, d.day`,
        [advertiserId, some.map((day) => day.campaignId), some.map((day) => day.day)],
      )),
    );
  return found;
}

function* inParts<T>(list: readonly T[], size: number): Generator<readonly T[]> {
  for (let start = 0; start < list.length; start += size) yield list.slice(start, start + size);
}

/** From now on these days are billed as they stand. */
export async function markBilled(
  tx: Db,
  advertiserId: string,
  days: readonly CampaignDay[],
): Promise<void> {
  for (const some of inParts(days, daysAtOnce))
    await tx.query(
      `insert into billed_spend (advertiser_id, campaign_id, day, billed_micros)
       select $1, *
       from unnest($2::uuid[], $3::date[], $4::bigint[])
       on conflict (advertiser_id, campaign_id, day)
         do update set billed_micros = excluded.billed_micros`,
      [
        advertiserId,
        some.map((day) => day.campaignId),
        some.map((day) => day.day),
        some.map((day) => day.spentMicros),
      ],
    );
}

/** What was billed of this advertiser, or of everybody, was compared with what reports say. */
export async function markSynced(db: Db, advertiserId: string | null, now: Date): Promise<void> {
  await db.query(
    `insert into billing_accounts (advertiser_id, last_spend_sync_at)
     select id, $2
     from advertisers
     where $1::uuid is null or id = $1
     order by id
     on conflict (advertiser_id) do update set last_spend_sync_at = excluded.last_spend_sync_at`,
    [advertiserId, now],
  );
}

export async function setLastBilled(tx: Db, advertiserId: string, at: Date): Promise<void> {
  await tx.query(`update billing_accounts set last_billed_at = $2 where advertiser_id = $1`, [
    advertiserId,
    at,
  ]);
}

export async function listSpenders(db: Db): Promise<string[]> {
  return (
    await db.query<{ id: string }>(
      `select a.id
       from advertisers a
       where exists (select from campaign_hours h where h.advertiser_id = a.id)
       order by a.id`,
    )
  ).map((row) => row.id);
}

/**
 * Numbers have no gaps: the lock makes them wait for each other until the end of the transaction.
 */
export async function nextInvoiceNumber(tx: Db): Promise<number> {
  await tx.query(`select pg_advisory_xact_lock(hashtext('sidelight invoice number'))`);
  return (
    (
      await tx.query<{ next: number }>(`select coalesce(max(number), 0) + 1 as next from invoices`)
    )[0]?.next ?? 1
  );
}

export async function loadCustomer(
  db: Db,
  advertiserId: string,
): Promise<{ name: string; email: string; customer: string | null } | null> {
  const rows = await db.query<{ name: string; email: string; customer: string | null }>(
    `select a.name, a.email, k.customer
     from advertisers a
     left join billing_accounts k on k.advertiser_id = a.id
     where a.id = $1`,
    [advertiserId],
  );
  return rows[0] ?? null;
}

/** Whom the payment provider knows by this name. */
export async function findByCustomer(db: Db, customer: string): Promise<string | null> {
  const [row] = await db.query<{ id: string }>(
    `select advertiser_id as id from billing_accounts where customer = $1 limit 1`,
    [customer],
  );
  return row?.id ?? null;
}

export async function saveCustomer(db: Db, advertiserId: string, customer: string): Promise<void> {
  await db.query(
    `insert into billing_accounts (advertiser_id, customer)
     values ($1, $2)
     on conflict (advertiser_id) do update set customer = excluded.customer`,
    [advertiserId, customer],
  );
}
