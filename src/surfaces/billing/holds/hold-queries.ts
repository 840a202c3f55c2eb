import type { Db } from '../../../platform/db/db.js';

export interface Payment {
  reference: string;
  advertiserId: string;
  invoiceId: string | null;
  amountMicros: number;
}

export async function insertPayment(tx: Db, payment: Payment, at: Date): Promise<void> {
  await tx.query(
    `insert into payments (reference, advertiser_id, invoice_id, amount_micros, at)
     values ($1, $2, $3, $4, $5)
     on conflict do nothing`,
    [payment.reference, payment.advertiserId, payment.invoiceId, payment.amountMicros, at],
  );
}

export async function findPayment(tx: Db, references: readonly string[]): Promise<Payment | null> {
  const [row] = await tx.query<Payment>(
    `select reference, advertiser_id as "advertiserId", invoice_id as "invoiceId",
       amount_micros as "amountMicros"
     from payments
     where reference = any($1::text[])
     limit 1`,
    [references],
  );
  return row ?? null;
}

/** What was taken back under a reference and those made from it, which go on after a colon. */
export async function sumTakenBack(
  tx: Db,
  advertiserId: string,
  reference: string,
): Promise<number> {
  const [row] = await tx.query<{ sum: number }>(
    `select coalesce(-sum(amount_micros), 0)::bigint as sum
     from ledger_entries
     where advertiser_id = $1 and (reference = $2 or starts_with(reference, $2 || ':'))`,
    [advertiserId, reference],
  );
  return row?.sum ?? 0;
}

export type HoldReason = 'disputed' | 'refunded' | 'payment_failed' | 'overdue';

/** False when it was held for this before. */
export async function insertHold(
  tx: Db,
  hold: { reference: string; advertiserId: string; reason: HoldReason; since: Date },
): Promise<boolean> {
  const rows = await tx.query(
    `insert into payment_holds (reference, advertiser_id, reason, since)
     values ($1, $2, $3, $4)
     on conflict do nothing
     returning reference`,
    [hold.reference, hold.advertiserId, hold.reason, hold.since],
  );
  return rows.length > 0;
}

/** Whom the hold was for; null when there was none. */
export async function deleteHold(tx: Db, reference: string): Promise<string | null> {
  const [row] = await tx.query<{ advertiserId: string }>(
    `delete
     from payment_holds
     where reference = $1
     returning advertiser_id as "advertiserId"`,
    [reference],
  );
  return row?.advertiserId ?? null;
}

export interface ListedHold {
  reference: string;
  advertiserId: string;
  advertiserName: string;
  reason: HoldReason;
  since: Date;
}

const columns = `reference, advertiser_id as "advertiserId", reason, since,
  (select a.name from advertisers a where a.id = h.advertiser_id) as "advertiserName"`;

export function listHolds(db: Db, advertiserId: string | null): Promise<ListedHold[]> {
  return db.query<ListedHold>(
    `select ${columns}
     from payment_holds h
     where $1::uuid is null or advertiser_id = $1
     order by since, reference`,
    [advertiserId],
  );
}

export async function findHold(tx: Db, reference: string): Promise<ListedHold | null> {
  const [row] = await tx.query<ListedHold>(
    `select ${columns} from payment_holds h where reference = $1`,
    [reference],
  );
  return row ?? null;
}

/** Open invoices issued before then that nobody is held for yet. */
export function listOverdue(
  db: Db,
  before: Date,
): Promise<{ id: string; number: number; advertiserId: string }[]> {
  return db.query(
    `select i.id, i.number, i.advertiser_id as "advertiserId"
     from invoices i
     where i.issued_at < $1 and i.due_micros > 0
       and not exists (
         select
         from ledger_entries p
         where p.invoice_id = i.id and p.kind in ('payment', 'void')
       )
       and not exists (select from payment_holds h where h.reference = 'invoice:' || i.id)
     order by i.id limit 500`,
    [before],
  );
}
