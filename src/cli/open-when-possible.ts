import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.js';
import { sqlState } from '../platform/db/session-db.js';
import { UnreachableDatabase } from '../platform/db/unreachable-database.js';
import { freeBytes } from '../platform/disk.js';
import { describeFailure, outOfRoom } from './describe-failure.js';
import { openStore, type Store } from './open-store.js';

const retryMs = 1_000;
/** With less nothing can be opened, let alone written. */
const leastFreeBytes = 16 * 1024 * 1024;
/** With less an embedded store that does not open may lack room, whatever the engine says of it. */
const littleFreeBytes = 64 * 1024 * 1024;

/**
 * Opens the store, and where that may yet become possible (the server is not up yet, the disk is
 * full) waits and says why, once for each: a server that comes up refuses in several ways.
 */
export async function openWhenPossible(
  config: Config,
  { onWait, onElsewhere }: { onWait: (reason: string | null) => void; onElsewhere: () => void },
): Promise<Store> {
  const said = new Set<Obstacle['kind']>();
  for (;;) {
    const outcome = await tryToOpen(config, onElsewhere);
    if (!('kind' in outcome)) {
      onWait(null);
      return outcome;
    }
    if (!said.has(outcome.kind)) process.stderr.write(`${outcome.reason} Waiting for it.\n`);
    said.add(outcome.kind);
    onWait(outcome.reason);
    await sleep(retryMs);
  }
}

interface Obstacle {
  kind: 'disk' | 'database';
  reason: string;
}

async function tryToOpen(config: Config, onElsewhere: () => void): Promise<Store | Obstacle> {
  const free = (): Promise<number | null> => freeBytes(existingPart(resolve(config.DATA_DIR)));
  const isBelow = async (bytes: number): Promise<boolean> => ((await free()) ?? bytes) < bytes;
  const isFull: Obstacle = {
    kind: 'disk',
    reason: `the disk of the data folder ${config.DATA_DIR} is full. Make room, or set DATA_DIR to another disk.`,
  };
  if (await isBelow(leastFreeBytes)) return isFull;
  try {
    return await openStore(config, { onElsewhere });
  } catch (error) {
    const full = outOfRoom(error);
    if (full === 'here') return isFull;
    // A failure we know is told in one line, and is not for want of room.
    const isKnown = full === null && !describeFailure(error).includes('\n');
    if (config.DATABASE_URL === '' && !isKnown && (await isBelow(littleFreeBytes))) return isFull;
    if (full === 'database') return { kind: 'database', reason: describeFailure(error, config) };
    if (!(error instanceof UnreachableDatabase) || isRefusal(error.cause)) throw error;
    return { kind: 'database', reason: describeFailure(error, config) };
  }
}

/** Wrong password, no such database, no right to connect: waiting does not help. */
function isRefusal(cause: unknown): boolean {
  return /^(28|3D|42501)/.test(sqlState(cause) ?? '');
}

/** The folder itself may have to be made first. */
function existingPart(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingPart(dirname(path));
}
