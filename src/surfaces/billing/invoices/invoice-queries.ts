import type { Db } from '../../../platform/db/db.js';

export interface InvoiceLine {
  campaign_id: string;
  campaign_name: string;
  from: string;
  to: string;
  amount_micros: number;
  /** What it is made of. */
  days?: { day: string; amount_micros: number }[];
}

export interface NewInvoice {
  id: string;
  number: number;
  advertiserId: string;
  issuedAt: Date;
  periodStart: string;
  periodEnd: string;
  totalMicros: number;
  creditsMicros: number;
  roundingMicros: number;
  dueMicros: number;
  lines: InvoiceLine[];
}

export type InvoiceStatus = 'open' | 'paid' | 'void';

export interface Invoice extends NewInvoice {
  advertiserName: string;
  paidAt: Date | null;
  voidedAt: Date | null;
  paymentUrl: string | null;
}

const invoiceQuery = `
  select i.id, i.number, i.advertiser_id as "advertiserId", a.name as "advertiserName",
    i.issued_at as "issuedAt", i.period_start as "periodStart", i.period_end as "periodEnd",
    i.total_micros as "totalMicros", i.credits_micros as "creditsMicros",
    i.rounding_micros as "roundingMicros", i.due_micros as "dueMicros", i.lines, case
    when i.due_micros = 0 then i.issued_at else p.at end as "paidAt", v.at as "voidedAt",
    c.payment_url as "paymentUrl"
  from invoices i
  join advertisers a on a.id = i.advertiser_id
  left join ledger_entries p on p.invoice_id = i.id and p.kind = 'payment'
  left join ledger_entries v on v.invoice_id = i.id and v.kind = 'void'
  left join invoice_collections c on c.invoice_id = i.id`;

export async function insertInvoice(tx: Db, invoice: NewInvoice): Promise<void> {
  await tx.query(
    `insert into invoices (
         id, number, advertiser_id, issued_at, period_start, period_end, total_micros,
         credits_micros, rounding_micros, due_micros, lines
       )
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::jsonb)`,
    [
      invoice.id,
      invoice.number,
      invoice.advertiserId,
      invoice.issuedAt,
      invoice.periodStart,
      invoice.periodEnd,
      invoice.totalMicros,
      invoice.creditsMicros,
      invoice.roundingMicros,
      invoice.dueMicros,
      JSON.stringify(invoice.lines),
    ],
  );
}

export async function findInvoice(
  db: Db,
  invoiceId: string,
  advertiserId: string | null,
): Promise<Invoice | null> {
  return (
    (
      await db.query<Invoice>(
        `${invoiceQuery} where i.id = $1 and ($2::uuid is null or i.advertiser_id = $2)`,
        [invoiceId, advertiserId],
      )
    )[0] ?? null
  );
}

/** Newest first. */
export function listInvoices(
  db: Db,
  filter: {
    advertiserId: string | null;
    status: InvoiceStatus | null;
    beforeId: string | null;
    limit: number;
  },
): Promise<Invoice[]> {
  return db.query<Invoice>(
    `${invoiceQuery} where ($1::uuid is null or i.advertiser_id = $1)
      and ($2::uuid is null or i.id < $2)
       and ($3::text is null or $3 = case when v.id is not null then 'void' when i.due_micros = 0
         or p.id is not null then 'paid' else 'open' end)
     order by i.id desc limit $4`,
    [filter.advertiserId, filter.beforeId, filter.status, filter.limit],
  );
}

export async function saveCollection(
  db: Db,
  collection: {
    invoiceId: string;
    provider: string;
    reference: string;
    paymentUrl: string | null;
    at: Date;
  },
): Promise<void> {
  await db.query(
    `insert into invoice_collections (invoice_id, provider, reference, payment_url, created_at)
     values ($1, $2, $3, $4, $5)
     on conflict (invoice_id) do update set reference = excluded.reference,
       payment_url = excluded.payment_url`,
    [
      collection.invoiceId,
      collection.provider,
      collection.reference,
      collection.paymentUrl,
      collection.at,
    ],
  );
}

export async function findCollection(
  db: Db,
  invoiceId: string,
): Promise<{ provider: string; reference: string } | null> {
  return (
    (
      await db.query<{ provider: string; reference: string }>(
        `select provider, reference from invoice_collections where invoice_id = $1`,
        [invoiceId],
      )
    )[0] ?? null
  );
}

/**
 * What the invoice billed counts as unbilled from now on, as far as it was not refunded since.
 * Returns how much.
 */
export async function unbillInvoice(
  tx: Db,
  { id, advertiserId }: Pick<Invoice, 'id' | 'advertiserId'>,
): Promise<number> {
  const [row] = await tx.query<{ amount: number }>(
    `with back as (
         select b.campaign_id, b.day,
           least(b.billed_micros, sum((d ->> 'amount_micros')::bigint))::bigint as amount
         from invoices i
         cross join jsonb_array_elements(i.lines) l
         cross join jsonb_array_elements(l -> 'days') d
         join billed_spend b on b.advertiser_id = $2 and b.campaign_id = (l ->> 'campaign_id')::uuid
           and b.day = (d ->> 'day')::date
         where i.id = $1
         group by b.campaign_id, b.day, b.billed_micros
       ),
       taken as (
         update billed_spend b
         set billed_micros = b.billed_micros - k.amount
         from back k
         where b.advertiser_id = $2 and b.campaign_id = k.campaign_id and b.day = k.day
       )
     select coalesce(sum(amount), 0)::bigint as amount
     from back`,
    [id, advertiserId],
  );
  return row?.amount ?? 0;
}
