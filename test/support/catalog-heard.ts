import { randomUUID } from 'node:crypto';
import type { Database } from '../../src/platform/db/db.js';

/**
 * Resolves when every change of the catalog announced so far has reached this process:
 * notifications arrive in order.
 */
export async function catalogHeard(db: Database): Promise<void> {
  const token = `heard ${randomUUID()}`;
  let stop: () => Promise<void> = async () => undefined;
  await new Promise<void>((resolve, reject) => {
    db.listen('catalog', (payload) => {
      if (payload === token) resolve();
    })
      .then((unlisten) => {
        stop = unlisten;
        return db.query(`select pg_notify('catalog', $1)`, [token]);
      })
      .catch(reject);
  });
  await stop();
}
