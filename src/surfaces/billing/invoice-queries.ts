import type { Db } from '../../platform/db/db.js';

export interface InvoiceLine {
  campaign_id: string;
  campaign_name: string;
  from: string;
  to: string;
  amount_micros: number;
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

export interface Invoice extends NewInvoice {
  advertiserName: string;
  paidAt: Date | null;
  paymentUrl: string | null;
}

const invoiceQuery = `select i.id, i.number, i.advertiser_id as "advertiserId", a.name as "advertiserName", i.issued_at as "issuedAt", i.period_start as "periodStart", i.period_end as "periodEnd",
    i.total_micros as "totalMicros", i.credits_micros as "creditsMicros", i.rounding_micros as "roundingMicros", i.due_micros as "dueMicros", i.lines,
    case when i.due_micros = 0 then i.issued_at else p.at end as "paidAt", c.payment_url as "paymentUrl"
  from invoices i join advertisers a on a.id = i.advertiser_id
  left join ledger_entries p on p.invoice_id = i.id and p.kind = 'payment'
  left join invoice_collections c on c.invoice_id = i.id`;

export async function insertInvoice(tx: Db, invoice: NewInvoice): Promise<void> {
  await tx.query(
    `insert into invoices (id, number, advertiser_id, issued_at, period_start, period_end, total_micros, credits_micros, rounding_micros, due_micros, lines) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11::jsonb)`,
    [invoice.id, invoice.number, invoice.advertiserId, invoice.issuedAt, invoice.periodStart, invoice.periodEnd, invoice.totalMicros, invoice.creditsMicros, invoice.roundingMicros, invoice.dueMicros, JSON.stringify(invoice.lines)],
  );
}

export async function findInvoice(db: Db, invoiceId: string, advertiserId: string | null): Promise<Invoice | null> {
  return (await db.query<Invoice>(`${invoiceQuery} where i.id = $1 and ($2::uuid is null or i.advertiser_id = $2)`, [invoiceId, advertiserId]))[0] ?? null;
}

/** Newest first. */
export function listInvoices(db: Db, filter: { advertiserId: string | null; status: 'open' | 'paid' | null; beforeId: string | null; limit: number }): Promise<Invoice[]> {
  return db.query<Invoice>(
    `${invoiceQuery} where ($1::uuid is null or i.advertiser_id = $1) and ($2::uuid is null or i.id < $2)
       and ($3::text is null or ($3 = 'paid') = (i.due_micros = 0 or p.id is not null))
     order by i.id desc limit $4`,
    [filter.advertiserId, filter.beforeId, filter.status, filter.limit],
  );
}

export async function saveCollection(db: Db, collection: { invoiceId: string; provider: string; reference: string; paymentUrl: string | null; at: Date }): Promise<void> {
  await db.query(
    `insert into invoice_collections (invoice_id, provider, reference, payment_url, created_at) values ($1, $2, $3, $4, $5) on conflict (invoice_id) do update set reference = excluded.reference, payment_url = excluded.payment_url`,
    [collection.invoiceId, collection.provider, collection.reference, collection.paymentUrl, collection.at],
  );
}
