import type { Db } from '../db/db.js';
import { accountsChannel } from './account-directory.js';

/** Tells every node that keys or accounts changed, when the transaction commits. */
export async function announceAccountsChange(tx: Db): Promise<void> {
  await tx.query(`select pg_notify('${accountsChannel}', '')`);
}
