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
}

const columns = `id, publisher_id as "publisherId", amount_micros as "amountMicros", through_day as "throughDay", approved_at as "approvedAt", approved_by as "approvedBy", reference`;

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
         id, publisher_id, amount_micros, through_day, approved_at, approved_by, reference
       )
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      payout.id,
      payout.publisherId,
      payout.amountMicros,
      payout.throughDay,
      payout.approvedAt,
      payout.approvedBy,
      payout.reference,
    ],
  );
}
