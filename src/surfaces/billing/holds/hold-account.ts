import type { Db } from '../../../platform/db/db.js';
import type { MintId } from '../../../platform/ids.js';
import { findInvoice } from '../invoices/invoice-queries.js';
import {
  deleteHold,
  findPayment,
  type HoldReason,
  insertHold,
  listHolds,
  sumTakenBack,
} from './hold-queries.js';
import { postEntry } from '../ledger/post-entry.js';
import { findEntryByReference, isCovered, lockAccount } from '../queries.js';
import type { ReturnNews } from '../payments/payment-provider.js';

export interface HoldDeps {
  mintId: MintId;
  /** Stops the campaigns of an account that is held, and starts them again. */
  pauseCampaigns: (tx: Db, advertiserId: string) => Promise<void>;
  resumeCampaigns: (tx: Db, advertiserId: string) => Promise<void>;
}

/** Nothing runs until what the reference names is settled. Told again, nothing changes. */
export async function holdAccount(
  tx: Db,
  deps: HoldDeps,
  now: number,
  hold: { reference: string; advertiserId: string; reason: HoldReason },
): Promise<boolean> {
  if (!(await insertHold(tx, { ...hold, since: new Date(now) }))) return false;
  await deps.pauseCampaigns(tx, hold.advertiserId);
  return true;
}

/** Settled. With the last hold gone, what was stopped runs again. */
export async function releaseHold(tx: Db, deps: HoldDeps, reference: string): Promise<boolean> {
  const advertiserId = await deleteHold(tx, reference);
  if (advertiserId === null) return false;
  if ((await listHolds(tx, advertiserId)).length === 0)
    await deps.resumeCampaigns(tx, advertiserId);
  return true;
}

/** Money came in: who was stopped because a refund left nothing goes on once that is covered. */
export async function releaseRefunded(tx: Db, deps: HoldDeps, advertiserId: string): Promise<void> {
  const held = (await listHolds(tx, advertiserId)).filter(({ reason }) => reason === 'refunded');
  if (held.length === 0 || !(await isCovered(tx, advertiserId))) return;
  for (const { reference } of held) await releaseHold(tx, deps, reference);
}

/** An invoice whose payment failed or is late. */
export async function missPayment(
  tx: Db,
  deps: HoldDeps,
  now: number,
  missed: { invoiceId: string; reason: 'payment_failed' | 'overdue' },
): Promise<void> {
  const invoice = await findInvoice(tx, missed.invoiceId, null);
  if (invoice === null || invoice.paidAt !== null || invoice.voidedAt !== null) return;
  const { advertiserId, number, id } = invoice;
  await lockAccount(tx, advertiserId);
  const reference = `invoice:${id}`;
  if (!(await holdAccount(tx, deps, now, { reference, advertiserId, reason: missed.reason })))
    return;
  await postEntry(tx, deps.mintId, now, {
    advertiserId,
    kind: 'notice',
    amountMicros: 0,
    invoiceId: id,
    reason: `Invoice ${number}: ${missed.reason === 'overdue' ? 'payment overdue' : 'payment failed'}`,
  });
}

/** Money that left again: refunded by us, or disputed with the payer's bank. */
export async function takeMoneyBack(
  tx: Db,
  deps: HoldDeps,
  now: number,
  news: ReturnNews,
): Promise<void> {
  const known = await findPayment(tx, news.payments);
  const advertiserId = known?.advertiserId ?? news.advertiserId;
  if (advertiserId === null || !(await lockAccount(tx, advertiserId))) return;
  const { reference } = news;
  /** Null when it was told before. */
  const post = (amountMicros: number, of: string, reason: string) =>
    postEntry(tx, deps.mintId, now, {
      advertiserId,
      kind: amountMicros === 0 ? 'notice' : 'adjustment',
      amountMicros,
      reference: of,
      reason,
    });
  const hold = (reason: HoldReason) =>
    holdAccount(tx, deps, now, { reference, advertiserId, reason });
  const wasTold = async (what: string): Promise<boolean> =>
    (await findEntryByReference(tx, `${reference}:${what}`)) !== null;
  const taken = await sumTakenBack(tx, advertiserId, reference);
  switch (news.kind) {
    case 'refunded': {
      // Told is how much was given back so far.
      const more = news.amountMicros - taken;
      if (more <= 0) return;
      await post(-more, `${reference}:${news.amountMicros}`, 'Payment refunded');
      // What is left pays for what was spent, or nothing runs until it does.
      if (!(await isCovered(tx, advertiserId))) await hold('refunded');
      return;
    }
    // The end of a dispute may be told before its beginning, which then changes nothing.
    case 'inquired':
      if (await wasTold('closed')) return;
      if ((await post(0, `${reference}:asked`, 'Payment questioned by the bank')) !== null)
        await hold('disputed');
      return;
    case 'inquiry_closed':
      await post(0, `${reference}:closed`, 'Question of the bank settled');
      if (taken === 0) await releaseHold(tx, deps, reference);
      return;
    case 'disputed':
      if (news.amountMicros <= 0 || (await wasTold('won'))) return;
      if ((await post(-news.amountMicros, reference, 'Payment disputed')) !== null)
        await hold('disputed');
      return;
    case 'dispute_lost':
      await post(0, `${reference}:lost`, 'Dispute lost');
      return;
    case 'dispute_won':
      await post(Math.min(taken, news.amountMicros), `${reference}:won`, 'Dispute won');
      await releaseHold(tx, deps, reference);
  }
}
