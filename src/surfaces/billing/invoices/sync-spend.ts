import { type BillingDeps, settleRefunds } from './bill-spend.js';
import { announceEveryCredit, listOwedRefunds, markSynced } from '../queries.js';

/**
 * Compares what was billed with what reports say by now, and gives back what is too much. Returns
 * the advertisers that got something.
 */
export async function syncSpend(
  deps: Pick<BillingDeps, 'db' | 'clock' | 'mintId'>,
): Promise<string[]> {
  const owed = await listOwedRefunds(deps.db);
  for (const advertiserId of owed) await settleRefunds(deps, advertiserId);
  await markSynced(deps.db, new Date(deps.clock()));
  return owed;
}

/**
 * After traffic was taken back: refunds are written, and campaigns that had run out of credit may
 * serve again at once.
 */
export async function afterRefund(
  deps: Pick<BillingDeps, 'db' | 'clock' | 'mintId'>,
): Promise<void> {
  await syncSpend(deps);
  await announceEveryCredit(deps.db);
}
