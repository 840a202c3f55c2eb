import type { Db } from '../../../platform/db/db.js';
import { lessonName } from '../crediting/trust-queries.js';

export type ReversalStatus = 'applied' | 'waiting' | 'refused' | 'late';

export interface Reversal {
  conversionId: string;
  advertiserId: string;
  publisherId: string | null;
  orderId: string | null;
  reason: string;
  spendMicros: number;
  status: ReversalStatus;
  requestedAt: Date;
  decidedAt: Date | null;
  decidedBy: string | null;
  note: string | null;
}

const columns = `conversion_id as "conversionId", advertiser_id as "advertiserId",
  publisher_id as "publisherId", order_id as "orderId", reason, spend_micros as "spendMicros",
  status, requested_at as "requestedAt", decided_at as "decidedAt", decided_by as "decidedBy",
  note`;

export async function insertReversal(tx: Db, reversal: Reversal): Promise<void> {
  await tx.query(
    `insert into conversion_reversals (
         conversion_id, advertiser_id, publisher_id, order_id, reason, spend_micros, status,
         requested_at, decided_at, decided_by
       )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
     on conflict do nothing`,
    [
      reversal.conversionId,
      reversal.advertiserId,
      reversal.publisherId,
      reversal.orderId,
      reversal.reason,
      reversal.spendMicros,
      reversal.status,
      reversal.requestedAt,
      reversal.decidedAt,
      reversal.decidedBy,
    ],
  );
}

export async function findReversals(
  tx: Db,
  conversionIds: readonly string[],
): Promise<Map<string, ReversalStatus>> {
  const rows = await tx.query<{ id: string; status: ReversalStatus }>(
    `select conversion_id as id, status
     from conversion_reversals
     where conversion_id = any($1::uuid[])`,
    [conversionIds],
  );
  return new Map(rows.map((row) => [row.id, row.status]));
}

export async function lockReversal(tx: Db, conversionId: string): Promise<Reversal | null> {
  const [row] = await tx.query<Reversal>(
    `select ${columns} from conversion_reversals where conversion_id = $1 for update`,
    [conversionId],
  );
  return row ?? null;
}

export async function decideReversal(
  tx: Db,
  conversionId: string,
  decision: { status: ReversalStatus; at: Date; by: string; note: string | null },
): Promise<void> {
  await tx.query(
    `update conversion_reversals
     set status = $2, decided_at = $3, decided_by = $4, note = $5
     where conversion_id = $1`,
    [conversionId, decision.status, decision.at, decision.by, decision.note],
  );
}

/** Paid conversions of an advertiser since then, and how many of them were taken back. */
export async function countCharged(
  tx: Db,
  advertiserId: string,
  since: Date,
): Promise<{ charged: number; reversed: number }> {
  const [row] = await tx.query<{ charged: number; reversed: number }>(
    `select (
         select count(*)
         from conversion_charges
         where advertiser_id = $1 and at >= $2 and event_name not in ('', '${lessonName}')
       ) as charged,
       (
         select count(*)
         from conversion_reversals
         where advertiser_id = $1 and requested_at >= $2 and status in ('applied', 'waiting')
       ) as reversed`,
    [advertiserId, since],
  );
  return row ?? { charged: 0, reversed: 0 };
}

export interface ListedReversal extends Reversal {
  advertiserName: string;
}

/**
 * Those that wait first, then the latest; of everybody, of an advertiser's shop or of a publisher.
 */
export function listReversals(
  db: Db,
  filter: { status?: ReversalStatus; advertiserId?: string; publisherId?: string },
  limit: number,
): Promise<ListedReversal[]> {
  return db.query<ListedReversal>(
    `select ${columns},
       (select a.name from advertisers a where a.id = r.advertiser_id) as "advertiserName"
     from conversion_reversals r
     where ($1::text is null or status = $1) and ($2::uuid is null or advertiser_id = $2)
       and ($3::uuid is null or publisher_id = $3)
     order by status <> 'waiting', requested_at desc, conversion_id
     limit $4`,
    [filter.status ?? null, filter.advertiserId ?? null, filter.publisherId ?? null, limit],
  );
}

/** What publishers earned by conversions, taken back since or not. */
export async function loadRevenues(
  db: Db,
  ids: readonly string[],
  days: readonly string[],
): Promise<Map<string, number>> {
  const rows = await db.query<{ id: string; micros: number }>(
    `select id, revenue_micros as micros
     from events
     where day = any($2::date[]) and id = any($1::uuid[]) and kind = 'conversion'`,
    [ids, days],
  );
  return new Map(rows.map((row) => [row.id, row.micros]));
}
