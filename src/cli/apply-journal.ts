import { resolve } from 'node:path';
import type { Config } from '../config.js';
import { readAdminFile } from '../platform/auth/admin-token.js';
import { systemClock } from '../platform/clock.js';
import { settleCorners } from '../platform/corners/settle-corners.js';
import { openEventLog } from '../platform/events/open-event-log.js';
import { createPartitions } from '../platform/events/partitions.js';
import { silentLog } from '../platform/log.js';
import { journalRecorders } from '../recorders.js';
import { storeMark } from './find-server.js';
import type { Store } from './open-store.js';

/**
 * Brings what a stopped server left in its journal into the store, so that a command that reads the
 * store reads everything that was acknowledged.
 */
export async function applyJournal(
  store: Pick<Store, 'db' | 'nodeDir'>,
  print: (line: string) => void,
): Promise<void> {
  const eventLog = await openEventLog(store.nodeDir, {
    db: store.db,
    partitions: createPartitions(store.db),
    recorders: journalRecorders(),
    clock: systemClock,
    log: silentLog,
    // What the server keeps for a bad day is not ours to let go.
    keepMs: Infinity,
  });
  const bytes = eventLog.stats.journalled;
  eventLog.start();
  await eventLog.drain();
  if (bytes > 0) print(`applied ${bytes} bytes of the journal first`);
  if (eventLog.stats.damaged > 0)
    print(
      `${eventLog.stats.damaged} damaged places of the journal could not be read: see ${store.nodeDir}/journal/damaged`,
    );
  await eventLog.close();
}

/**
 * Of several processes on one data folder each has a journal of its own: those that run are waited
 * for, what the others left is brought in.
 */
export async function settleOthers(
  { db, nodeDir }: Pick<Store, 'db' | 'nodeDir'>,
  config: Pick<Config, 'DATABASE_URL' | 'DATA_DIR'>,
  print: (line: string) => void,
): Promise<void> {
  // The embedded store has one process; corners beside it are of a database server.
  if (config.DATABASE_URL === '') return;
  const ours = storeMark(config);
  await settleCorners({
    db,
    nodeDir,
    dataDir: resolve(config.DATA_DIR),
    isOurs: (corner) => (readAdminFile(corner)?.store ?? ours) === ours,
    applyLeft: (corner) => applyJournal({ db, nodeDir: corner }, print),
  });
}
