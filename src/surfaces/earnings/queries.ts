import type { Db } from '../../platform/db/db.js';

export interface EarningsRow {
  publisherId: string;
  name: string;
  status: string;
  /** Earned before the hold began, and since; and what a pixel told of, which is held longer. */
  maturedMicros: number;
  recentMicros: number;
  pixelMicros: number;
  /** Whether what its people bought shows that they are people; null where nothing tells. */
  isProven: boolean | null;
  paidMicros: number;
  /** Shown lately, and of how much the label was seen. */
  impressions: number;
  viewable: number;
  disclosed: number;
}

/**
 * What each publisher, or one, has earned as reports say by now. Conversions a pixel told of are
 * held for two weeks whatever the hold of the rest.
 */
export function sumEarnings(
  db: Db,
  options: { publisherId: string | null; heldSince: Date; pixelHeldSince: Date; shownSince: Date },
): Promise<EarningsRow[]> {
  return db.query<EarningsRow>(
    `select p.id as "publisherId", p.name, p.status,
       (coalesce(h.matured, 0) - coalesce(x.held, 0))::bigint as "maturedMicros",
       coalesce(h.held, 0)::bigint as "recentMicros", coalesce(x.held, 0)::bigint as "pixelMicros",
       coalesce(o.paid, 0)::bigint as "paidMicros", e.is_proven as "isProven",
       coalesce(h.impressions, 0)::bigint as impressions,
       coalesce(h.viewable, 0)::bigint as viewable, coalesce(h.disclosed, 0)::bigint as disclosed
     from publishers p
     left join (
         select publisher_id, sum(revenue_micros) filter (where bucket < $2) as matured,
           sum(revenue_micros) filter (where bucket >= $2) as held,
           sum(impressions) filter (where bucket >= $4) as impressions,
           sum(viewable) filter (where bucket >= $4) as viewable,
           sum(disclosed) filter (where bucket >= $4) as disclosed
         from publisher_hours
         group by 1
       ) h on h.publisher_id = p.id
     left join (
         select publisher_id, sum(revenue_micros) as held
         from events
         where day >= $3::timestamptz::date - 1 and at >= $3 and at < $2
           and kind in ('conversion', 'conversion_reversal') and revenue_micros <> 0
           and exists (
             select 1
             from conversions c
             where c.advertiser_id = events.advertiser_id and c.id = events.id
               and c.source = 'pixel'
           )
         group by 1
       ) x on x.publisher_id = p.id
     left join (
         select publisher_id, sum(amount_micros) as paid
         from payouts
         where status <> 'void'
         group by 1
       ) o on o.publisher_id = p.id
     left join publisher_evidence e on e.publisher_id = p.id
     where $1::uuid is null or p.id = $1
     order by p.name, p.id`,
    [options.publisherId, options.heldSince, options.pixelHeldSince, options.shownSince],
  );
}

export interface Payout {
  id: string;
  publisherId: string;
  amountMicros: number;
  throughDay: string;
  approvedAt: Date;
  approvedBy: string;
  reference: string | null;
  /** `manual`, or the provider that sends it. */
  method: string;
  /** `approved`: to be sent; `failed`: refused, see `problem`; `void`: taken back unsent. */
  status: 'paid' | 'approved' | 'failed' | 'void';
  problem: string | null;
  /** How often the provider said no. */
  refusals: number;
}

const columns = `id, publisher_id as "publisherId", amount_micros as "amountMicros",
  through_day as "throughDay", approved_at as "approvedAt", approved_by as "approvedBy", reference,
  method, status, problem, refusals`;

export function listPayouts(db: Db, publisherId: string | null): Promise<Payout[]> {
  return db.query<Payout>(
    `select ${columns}
     from payouts
     where $1::uuid is null or publisher_id = $1
     order by approved_at desc, id desc
     limit 1000`,
    [publisherId],
  );
}

/** Two approvals of one publisher happen one after the other. */
export async function lockPublisher(tx: Db, publisherId: string): Promise<boolean> {
  return (
    (await tx.query(`select 1 from publishers where id = $1 for update`, [publisherId])).length > 0
  );
}

export async function insertPayout(tx: Db, payout: Payout): Promise<void> {
  await tx.query(
    `insert into payouts (
         id, publisher_id, amount_micros, through_day, approved_at, approved_by, reference, method,
         status
       )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      payout.id,
      payout.publisherId,
      payout.amountMicros,
      payout.throughDay,
      payout.approvedAt,
      payout.approvedBy,
      payout.reference,
      payout.method,
      payout.status,
    ],
  );
}

export async function findPayout(db: Db, id: string): Promise<Payout | null> {
  const [row] = await db.query<Payout>(`select ${columns} from payouts where id = $1`, [id]);
  return row ?? null;
}

/** About to be sent: from now on nobody takes it back. Null when that happened already. */
export async function claimPayout(db: Db, id: string): Promise<Payout | null> {
  const [row] = await db.query<Payout>(
    `update payouts
     set status = 'approved'
     where id = $1 and status in ('approved', 'failed')
     returning ${columns}`,
    [id],
  );
  return row ?? null;
}

export async function markPaid(db: Db, id: string, reference: string): Promise<Payout | null> {
  const [row] = await db.query<Payout>(
    `update payouts
     set status = 'paid', problem = null, reference = $2
     where id = $1 and status in ('approved', 'failed')
     returning ${columns}`,
    [id, reference],
  );
  return row ?? null;
}

/** What the provider said of this try; a later try is not judged by it. */
export async function markUnsent(
  db: Db,
  { id, refusals }: Pick<Payout, 'id' | 'refusals'>,
  { isRefused, problem }: { isRefused: boolean; problem: string },
): Promise<Payout | null> {
  const [row] = await db.query<Payout>(
    `update payouts
     set status = case when $3 then 'failed' else status end,
       refusals = refusals + case when $3 then 1 else 0 end, problem = $4
     where id = $1 and status = 'approved' and refusals = $2
     returning ${columns}`,
    [id, refusals, isRefused, problem],
  );
  return row ?? null;
}

/** Only a refusal is sure: what may have been sent cannot be taken back. */
export async function voidPayout(db: Db, id: string): Promise<Payout | null> {
  const [row] = await db.query<Payout>(
    `update payouts
     set status = 'void'
     where id = $1 and status = 'failed'
     returning ${columns}`,
    [id],
  );
  return row ?? null;
}

export interface PayoutAccount {
  publisherId: string;
  provider: string;
  reference: string;
}

export async function findPayoutAccount(
  db: Db,
  publisherId: string,
  provider: string,
): Promise<PayoutAccount | null> {
  const [row] = await db.query<PayoutAccount>(
    `select publisher_id as "publisherId", provider, reference
     from payout_accounts
     where publisher_id = $1 and provider = $2`,
    [publisherId, provider],
  );
  return row ?? null;
}

/** The first one stays: two requests at once open the same account. */
export async function savePayoutAccount(db: Db, account: PayoutAccount, at: Date): Promise<void> {
  await db.query(
    `insert into payout_accounts (publisher_id, provider, reference, created_at)
     values ($1, $2, $3, $4)
     on conflict (publisher_id) do update set provider = excluded.provider,
       reference = excluded.reference
     where payout_accounts.provider <> excluded.provider`,
    [account.publisherId, account.provider, account.reference, at],
  );
}

export async function nameOfPublisher(db: Db, id: string): Promise<string> {
  const [row] = await db.query<{ name: string }>(`select name from publishers where id = $1`, [id]);
  return row?.name ?? '';
}
