import type { App } from '../../app.js';
import { billSpend } from '../../surfaces/billing/invoices/bill-spend.js';
import { payInvoice } from '../../surfaces/billing/payments/take-payment.js';
import { dayMs } from '../../domain/time/utc-day.js';

const months = 12;
const paidAfterDays = 7;

/**
 * Every past month is billed on the first of the next, the way the job does it, and paid a week
 * later. This month stays to be billed.
 */
export async function seedInvoices(
  { services: { db, clock, mintId, jobs } }: Pick<App, 'services'>,
  advertiserIds: readonly string[],
): Promise<void> {
  const [known] = await db.query(
    `select 1 from invoices where advertiser_id = any($1::uuid[]) limit 1`,
    [advertiserIds],
  );
  if (known !== undefined) return;
  const now = clock();
  for (const at of monthStarts(now))
    for (const advertiserId of advertiserIds) {
      const invoice = await billSpend({ db, clock: () => at, mintId, jobs }, advertiserId, true);
      if (invoice === null || invoice.dueMicros === 0) continue;
      const paidAt = Math.min(now, at + paidAfterDays * dayMs);
      await db.transaction((tx) => payInvoice(tx, mintId, paidAt, invoice.id, 'Bank transfer'));
    }
}

/** A day old at least: what the last month cost is known by then. */
function monthStarts(now: number): number[] {
  const today = new Date(now);
  return Array.from({ length: months + 1 }, (_, ago) =>
    Date.UTC(today.getUTCFullYear(), today.getUTCMonth() - months + ago),
  ).filter((at) => at < now - dayMs);
}
