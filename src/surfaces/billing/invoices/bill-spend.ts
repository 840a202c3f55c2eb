import type { Clock } from '../../../platform/clock.js';
import type { Db } from '../../../platform/db/db.js';
import type { MintId } from '../../../platform/ids.js';
import type { JobQueue } from '../../../platform/jobs/job-queue.js';
import { insertInvoice, type InvoiceLine, type NewInvoice } from './invoice-queries.js';
import { postEntry } from '../ledger/post-entry.js';
import {
  type CampaignDay,
  checkUnsettledDays,
  findUnsettledDays,
  loadBalance,
  lockAccount,
  markBilled,
  nextInvoiceNumber,
  setLastBilled,
} from '../queries.js';
import { isInvoiceTime, splitInvoice } from './split-invoice.js';
import { utcDay } from '../../../domain/time/utc-day.js';

export interface BillingDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  jobs: JobQueue;
}

/**
 * Turns what an advertiser spent and was not billed for into an invoice. `scheduled` takes whole
 * days only and waits until
 * it is time; otherwise everything so far is billed now. Null when there is nothing to bill.
 */
export async function billSpend(
  deps: BillingDeps,
  advertiserId: string,
  scheduled: boolean,
): Promise<NewInvoice | null> {
  const now = deps.clock();
  const today = utcDay(now);
  const unsettled = await findUnsettledDays(deps.db, advertiserId);
  if (unsettled.length === 0) return null;
  return deps.db.transaction(async (tx) => {
    if (!(await lockAccount(tx, advertiserId))) return null;
    const standing = await checkUnsettledDays(tx, advertiserId, unsettled);
    await refundDays(tx, deps.mintId, now, { advertiserId, days: standing });
    const days = standing.filter(
      (day) => day.spentMicros > day.billedMicros && (!scheduled || day.day < today),
    );
    const first = days.map((day) => day.day).sort()[0];
    const totalMicros = days.reduce((sum, day) => sum + day.spentMicros - day.billedMicros, 0);
    if (
      first === undefined ||
      (scheduled && !isInvoiceTime({ totalMicros, firstDay: first }, today))
    )
      return null;
    const invoice = await issue(tx, deps, { advertiserId, now, totalMicros, days });
    if (invoice.dueMicros > 0)
      await deps.jobs.enqueue(tx, 'collect-invoice', invoice.id, { invoice_id: invoice.id });
    return invoice;
  });
}

/**
 * Spend that was billed and then taken back becomes credit. The invoice stays as it was. Returns
 * how much.
 */
export async function settleRefunds(
  deps: Pick<BillingDeps, 'db' | 'clock' | 'mintId'>,
  advertiserId: string,
): Promise<number> {
  const owed = (await findUnsettledDays(deps.db, advertiserId)).filter(isOwed);
  if (owed.length === 0) return 0;
  return deps.db.transaction(async (tx) => {
    if (!(await lockAccount(tx, advertiserId))) return 0;
    const days = await checkUnsettledDays(tx, advertiserId, owed);
    return refundDays(tx, deps.mintId, deps.clock(), { advertiserId, days });
  });
}

/** Billed for more than is counted by now. */
function isOwed({ spentMicros, billedMicros }: CampaignDay): boolean {
  return spentMicros < billedMicros;
}

async function refundDays(
  tx: Db,
  mintId: MintId,
  now: number,
  { advertiserId, days: unsettled }: { advertiserId: string; days: readonly CampaignDay[] },
): Promise<number> {
  const owed = unsettled.filter(isOwed);
  if (owed.length === 0) return 0;
  const amountMicros = owed.reduce((sum, day) => sum + day.billedMicros - day.spentMicros, 0);
  const days = owed.map((day) => day.day).sort();
  await postEntry(tx, mintId, now, {
    advertiserId,
    kind: 'refund',
    amountMicros,
    reason: `Taken back of the spend of ${period(days)}`,
  });
  await markBilled(tx, advertiserId, owed);
  return amountMicros;
}

async function issue(
  tx: Db,
  { mintId }: BillingDeps,
  bill: { advertiserId: string; now: number; totalMicros: number; days: CampaignDay[] },
): Promise<NewInvoice> {
  const { advertiserId, now, totalMicros } = bill;
  const days = bill.days.map((day) => day.day).sort();
  const invoice: NewInvoice = {
    id: mintId(now),
    number: await nextInvoiceNumber(tx),
    advertiserId,
    issuedAt: new Date(now),
    periodStart: days[0] ?? '',
    periodEnd: days.at(-1) ?? '',
    totalMicros,
    ...splitInvoice(totalMicros, (await loadBalance(tx, advertiserId)).creditMicros),
    lines: linesOf(bill.days),
  };
  await insertInvoice(tx, invoice);
  await postEntry(tx, mintId, now, {
    advertiserId,
    kind: 'charge',
    amountMicros: -totalMicros,
    invoiceId: invoice.id,
    reason: `Spend of ${period(days)}`,
  });
  if (invoice.roundingMicros > 0)
    await postEntry(tx, mintId, now, {
      advertiserId,
      kind: 'adjustment',
      amountMicros: invoice.roundingMicros,
      invoiceId: invoice.id,
      reason: 'Rounded down to whole cents',
    });
  await markBilled(tx, advertiserId, bill.days);
  await setLastBilled(tx, advertiserId, invoice.issuedAt);
  return invoice;
}

/** One line for each campaign. */
function linesOf(days: readonly CampaignDay[]): InvoiceLine[] {
  const lines = new Map<string, InvoiceLine>();
  for (const { campaignId, campaignName, day, spentMicros, billedMicros } of days) {
    const line = lines.get(campaignId) ?? {
      campaign_id: campaignId,
      campaign_name: campaignName,
      from: day,
      to: day,
      amount_micros: 0,
      days: [],
    };
    const amount = spentMicros - billedMicros;
    lines.set(campaignId, {
      ...line,
      from: day < line.from ? day : line.from,
      to: day > line.to ? day : line.to,
      amount_micros: line.amount_micros + amount,
      days: [...(line.days ?? []), { day, amount_micros: amount }],
    });
  }
  return [...lines.values()];
}

function period(days: readonly string[]): string {
  const [first = ''] = days;
  const last = days.at(-1) ?? first;
  return first === last ? first : `${first} to ${last}`;
}
