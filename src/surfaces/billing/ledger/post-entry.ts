import type { Db } from '../../../platform/db/db.js';
import type { MintId } from '../../../platform/ids.js';
import {
  addCredit,
  announceCredit,
  type EntryKind,
  insertEntry,
  type LedgerEntry,
} from '../queries.js';

export interface Posting {
  advertiserId: string;
  kind: EntryKind;
  amountMicros: number;
  reason: string;
  invoiceId?: string;
  reverses?: string;
  reference?: string;
}

/**
 * Kinds that put money in; refunds do not, because the spend they give back has left the budgets
 * already.
 */
const grants: ReadonlySet<EntryKind> = new Set(['credit', 'payment', 'adjustment']);

/**
 * Writes the ledger, and with it the credit that budgets are held against. Call with the account
 * locked. Null when the
 * same thing was told before.
 */
export async function postEntry(
  tx: Db,
  mintId: MintId,
  now: number,
  posting: Posting,
): Promise<LedgerEntry | null> {
  const {
    advertiserId,
    kind,
    amountMicros,
    reason,
    invoiceId = null,
    reverses = null,
    reference = null,
  } = posting;
  const entry: LedgerEntry = {
    id: mintId(now),
    advertiserId,
    at: new Date(now),
    kind,
    amountMicros,
    invoiceId,
    reverses,
    reference,
    reason,
  };
  if (!(await insertEntry(tx, entry))) return null;
  if (grants.has(kind)) await addCredit(tx, advertiserId, amountMicros);
  if (kind !== 'charge') await announceCredit(tx, advertiserId);
  return entry;
}
