import type { Db } from '../../../platform/db/db.js';

export interface LedgerDifference {
  rule: string;
  accountId: string;
  expectedMicros: number;
  foundMicros: number;
}

const ledgerDifferences = `with sums as (
         select a.id, a.credit_micros as credit,
           coalesce(
             (
               select sum(amount_micros)
               from ledger_entries e
               where e.advertiser_id = a.id and e.kind in ('credit', 'payment', 'adjustment')
             ), 0
           )::bigint as granted,
           coalesce(
             (
               select -sum(amount_micros)
               from ledger_entries e
               where e.advertiser_id = a.id and e.kind in ('charge', 'refund', 'void')
             ), 0
           )::bigint as charged,
           coalesce(
             (select sum(billed_micros) from billed_spend b where b.advertiser_id = a.id), 0
           )::bigint as billed
         from advertisers a
       ),
       checks as (
         select 'credit is what the ledger granted' as rule, id, granted as expected,
           credit as found
         from sums
         union all
         select 'billed spend is what the ledger charged', id, charged, billed
         from sums
         union all
         select 'an invoice is charged in full', i.id, -i.total_micros,
           coalesce(
             (
               select e.amount_micros
               from ledger_entries e
               where e.invoice_id = i.id and e.kind = 'charge'
             ), 0
           )
         from invoices i
         union all
         select 'an invoice is the sum of its lines', i.id, i.total_micros,
           coalesce(
             (select sum((l ->> 'amount_micros')::bigint) from jsonb_array_elements(i.lines) l), 0
           )::bigint
         from invoices i
         union all
         select 'a payment is what was due', i.id, i.due_micros, e.amount_micros
         from invoices i
         join ledger_entries e on e.invoice_id = i.id and e.kind = 'payment'
         union all
         select 'a voided invoice was not paid', i.id, 0, e.amount_micros
         from invoices i
         join ledger_entries v on v.invoice_id = i.id and v.kind = 'void'
         join ledger_entries e on e.invoice_id = i.id and e.kind = 'payment'
       )
     select rule, id as "accountId", expected as "expectedMicros", found as "foundMicros"
     from checks
     where expected <> found
     order by 1, 2`;

/** Every place where two ways of adding up the same money disagree. */
export function findLedgerDifferences(db: Db): Promise<LedgerDifference[]> {
  return db.query<LedgerDifference>(ledgerDifferences);
}

export async function countLedger(db: Db): Promise<{ entries: number; invoices: number }> {
  const [row] = await db.query<{ entries: number; invoices: number }>(
    `select (select count(*) from ledger_entries) as entries,
       (select count(*) from invoices) as invoices`,
  );
  return row ?? { entries: 0, invoices: 0 };
}
