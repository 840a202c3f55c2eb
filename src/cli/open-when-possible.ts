import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.js';
import { sqlState } from '../platform/db/session-db.js';
import { UnreachableDatabase } from '../platform/db/unreachable-database.js';
import { freeBytes } from '../platform/disk.js';
import { describeFailure } from './describe-failure.js';
import { openStore, type Store } from './open-store.js';

const retryMs = 1_000;
/** With less nothing can be opened, let alone written. */
const leastFreeBytes = 16 * 1024 * 1024;

/**
 * Opens the store, and where that may yet become possible (the server is not up yet, the disk is
 * full) waits and says why, once a reason.
 */
export async function openWhenPossible(
  config: Config,
  { onWait, onElsewhere }: { onWait: (reason: string | null) => void; onElsewhere: () => void },
): Promise<Store> {
  let said = '';
  for (;;) {
    const reason = await tryToOpen(config, onElsewhere);
    if (typeof reason !== 'string') {
      onWait(null);
      return reason;
    }
    if (reason !== said) process.stderr.write(`${reason} Waiting for it.\n`);
    said = reason;
    onWait(reason);
    await sleep(retryMs);
  }
}

async function tryToOpen(config: Config, onElsewhere: () => void): Promise<Store | string> {
  const free = await freeBytes(existingPart(resolve(config.DATA_DIR)));
  if (free !== null && free < leastFreeBytes)
    return `the disk of the data folder ${config.DATA_DIR} is full. Make room, or set DATA_DIR to another disk.`;
  try {
    return await openStore(config, onElsewhere);
  } catch (error) {
    if (!(error instanceof UnreachableDatabase) || isRefusal(error.cause)) throw error;
    return describeFailure(error);
  }
}

/** Wrong password, no such database: waiting does not help. */
function isRefusal(cause: unknown): boolean {
  return /^(28|3D)/.test(sqlState(cause) ?? '');
}

/** The folder itself may have to be made first. */
function existingPart(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingPart(dirname(path));
}
