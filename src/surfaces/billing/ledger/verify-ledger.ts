import type { Db } from '../../../platform/db/db.js';
import { countLedger, findLedgerDifferences, type LedgerDifference } from './verify-queries.js';

export interface LedgerReport {
  entries: number;
  invoices: number;
  differences: LedgerDifference[];
}

/** Checks that ledger, invoices, billed spend and credit say the same. */
export async function verifyLedger(db: Db): Promise<LedgerReport> {
  return { ...(await countLedger(db)), differences: await findLedgerDifferences(db) };
}
