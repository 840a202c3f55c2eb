import { spentCredit } from '../../platform/budgets/billing-sql.js';
import { announce, announceEachCampaign, channels } from '../../platform/channels.js';
import type { Db } from '../../platform/db/db.js';

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

const entryColumns = `id, advertiser_id as "advertiserId", at, kind, amount_micros as "amountMicros", invoice_id as "invoiceId", reverses, reference, reason`;

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

/** Days on which what was spent is not what is on invoices, up to but without a day. */
export function listUnsettledDays(
  tx: Db,
  advertiserId: string,
  beforeDay: string | null,
): Promise<CampaignDay[]> {
  return tx.query<CampaignDay>(
    `select s.campaign_id as "campaignId", coalesce(c.name, '') as "campaignName", s.day,
       s.spent as "spentMicros", coalesce(b.billed_micros, 0) as "billedMicros"
     from (
         select campaign_id, (bucket at time zone 'UTC')::date as day,
           sum(spend_micros)::bigint as spent
         from campaign_hours
         where advertiser_id = $1
         group by 1, 2
       ) s
     left join billed_spend b on b.advertiser_id = $1 and b.campaign_id = s.campaign_id and b.day = s.day
     left join campaigns c on c.id = s.campaign_id
     where s.spent <> coalesce(b.billed_micros, 0) and ($2::date is null or s.day < $2)
     order by s.campaign_id, s.day`,
    [advertiserId, beforeDay],
  );
}

/** From now on these days are billed as they stand. */
export async function markBilled(
  tx: Db,
  advertiserId: string,
  days: readonly CampaignDay[],
): Promise<void> {
  await tx.query(
    `insert into billed_spend (advertiser_id, campaign_id, day, billed_micros)
     select $1, *
     from unnest($2::uuid[], $3::date[], $4::bigint[])
     on conflict (advertiser_id, campaign_id, day)
       do update set billed_micros = excluded.billed_micros`,
    [
      advertiserId,
      days.map((day) => day.campaignId),
      days.map((day) => day.day),
      days.map((day) => day.spentMicros),
    ],
  );
}

/** Advertisers with billed days that cost less by now: traffic was taken back. */
export async function listOwedRefunds(db: Db): Promise<string[]> {
  const rows = await db.query<{ id: string }>(
    `select distinct b.advertiser_id as id
     from billed_spend b
     cross join lateral (
         select sum(h.spend_micros) as spent
         from campaign_hours h
         where h.advertiser_id = b.advertiser_id and h.campaign_id = b.campaign_id
           and h.bucket >= b.day::timestamp at time zone 'UTC'
           and h.bucket < (b.day + 1)::timestamp at time zone 'UTC'
       ) s
     where s.spent < b.billed_micros
     order by 1`,
  );
  return rows.map((row) => row.id);
}

export async function markSynced(db: Db, now: Date): Promise<void> {
  await db.query(
    `insert into billing_accounts (advertiser_id, last_spend_sync_at)
     select id, $1
     from advertisers
     order by id
     on conflict (advertiser_id) do update set last_spend_sync_at = excluded.last_spend_sync_at`,
    [now],
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
