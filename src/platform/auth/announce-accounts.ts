import type { Db } from '../db/db.js';
import { announce, channels } from '../channels.js';

/** Tells every node that keys or accounts changed, when the transaction commits. */
export async function announceAccountsChange(tx: Db): Promise<void> {
  await announce(tx, channels.accounts, null);
}
