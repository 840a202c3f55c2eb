import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { freeHolds } from '../budgets/free-after-crash.js';
import type { Clock } from '../clock.js';
import type { Db } from '../db/db.js';
import type { EventLog } from '../events/event-log.js';
import { loadPosition } from '../events/journal/position-queries.js';
import { listSegments } from '../events/journal/segment-files.js';
import { within } from '../events/within.js';
import { errorFields, type Log } from '../log.js';
import { formerIds, formerNumbers } from '../nodes.js';
import { cornersIn, inLeftCorner } from './left-corners.js';

/** Somebody who is just being replaced takes its corner itself. */
const firstLookMs = 20_000;
const lookEveryMs = 60_000;
const leavingMs = 1_500;

interface CornerDeps {
  db: Db;
  clock: Clock;
  log: Log;
  /** Of this process, which lies among the others. */
  nodeDir: string;
  openLog: (nodeDir: string) => Promise<EventLog>;
  windowMs: number;
  clickWindowMs: number;
}

export interface CornerWatch {
  /** Damaged places in the journals of corners that nobody has. */
  readonly damaged: number;
  start(): void;
  /** Takes over, now, what nobody has. */
  look(): Promise<void>;
  close(): Promise<void>;
}

/**
 * A process that ended without its successor (fewer workers than before, a server that moved)
 * leaves a corner with a journal in it: acknowledged events that nobody would store, and holds that
 * nobody would give back. Whoever runs in the same data folder does both for it.
 */
export function watchCorners(deps: CornerDeps): CornerWatch {
  const { log } = deps;
  /** How a corner was when nothing was left to do in it. */
  const done = new Map<string, string>();
  const damaged = new Map<string, number>();
  let timer: NodeJS.Timeout | null = null;
  let looking: Promise<void> = Promise.resolve();
  let isClosed = false;

  async function look(): Promise<void> {
    for (const corner of cornersIn(dirname(dirname(deps.nodeDir)))) {
      if (isClosed || corner === deps.nodeDir) continue;
      const before = await stateOf(deps.db, corner);
      if (before === done.get(corner)) continue;
      await inLeftCorner(corner, async () => {
        const found = await empty(deps, corner);
        damaged.set(corner, found.damaged);
        if (found.isEmpty) done.set(corner, await stateOf(deps.db, corner));
      });
    }
  }

  function lookAgain(ms: number): void {
    timer = setTimeout(() => {
      looking = look()
        .catch((error: unknown) => log.warn(errorFields(error), 'journals left by others not read'))
        .then(() => (isClosed ? undefined : lookAgain(lookEveryMs)));
    }, ms);
    timer.unref();
  }

  return {
    get damaged() {
      return [...damaged.values()].reduce((sum, places) => sum + places, 0);
    },
    start: () => lookAgain(firstLookMs),
    look,
    async close() {
      isClosed = true;
      if (timer !== null) clearTimeout(timer);
      // While the database is away this does not end; the lock does, with the process.
      await within(looking, leavingMs);
    },
  };
}

/** Brings its journal into the database and frees what its process held. */
async function empty(
  deps: CornerDeps,
  corner: string,
): Promise<{ damaged: number; isEmpty: boolean }> {
  const eventLog = await deps.openLog(corner);
  const bytes = eventLog.stats.journalled;
  try {
    eventLog.start();
    await eventLog.drain();
    if (bytes > 0) deps.log.warn({ corner, bytes }, 'journal left by another process stored');
    const file = join(corner, 'node');
    const isEmpty = await freeHolds(deps, await formerNumbers(deps.db, formerIds(file)));
    if (isEmpty) writeFileSync(file, '');
    return { damaged: eventLog.stats.damaged, isEmpty };
  } finally {
    await eventLog.close();
  }
}

/** Changes whenever there may be something to do. */
async function stateOf(db: Db, corner: string): Promise<string> {
  const journal = join(corner, 'journal');
  const [id] = formerIds(join(journal, 'id'));
  const position = id === undefined ? null : await loadPosition(db, id);
  const files = listSegments(journal).map(({ number, size }) => [number, size]);
  return JSON.stringify([position, files, formerIds(join(corner, 'node'))]);
}
