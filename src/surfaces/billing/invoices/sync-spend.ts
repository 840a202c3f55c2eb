import { type BillingDeps, settleRefunds } from './bill-spend.js';
import { announceEveryCredit, listSpenders, markSynced } from '../queries.js';

/**
 * Compares what was billed with what reports say by now, and gives back what is too much. Returns
 * the advertisers that got something.
 */
export async function syncSpend(
  deps: Pick<BillingDeps, 'db' | 'clock' | 'mintId'>,
): Promise<string[]> {
  const refunded: string[] = [];
  for (const advertiserId of await listSpenders(deps.db))
    if ((await settleRefunds(deps, advertiserId)) > 0) refunded.push(advertiserId);
  await markSynced(deps.db, null, new Date(deps.clock()));
  return refunded;
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
