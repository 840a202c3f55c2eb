import { AppError } from '../errors.js';
import type { Db } from '../db/db.js';
import { errorFields, type Log } from '../log.js';
import { uuidDay } from '../../domain/uuid.js';
import type { EventRecord } from './event.js';
import { ingestEvents } from './ingest-events.js';
import type { Partitions } from './partitions.js';
import type { Spool } from './spool.js';

/** `spooled`: durable on this node, in the database soon; whether it was new is not known yet. */
export type Appended = 'new' | 'duplicate' | 'spooled';

/** Durable before acknowledged: `append` resolves when every event is committed or synced to the spool. */
export interface EventLog {
  append(events: readonly EventRecord[]): Promise<Appended[]>;
  readonly stats: { queued: number; spooled: number; flushed: number; batches: number; lastFlushMs: number };
  /** Waits until everything appended so far is in the database, or fails. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

export interface EventLogOptions {
  db: Db;
  partitions: Partitions;
  spool: Spool;
  log: Log;
  batchSize?: number;
  /** After this long without a commit the spool takes over. */
  slowMs?: number;
  retryMs?: number;
}

interface Waiting {
  events: readonly EventRecord[];
  resolve: (outcome: Appended[]) => void;
  reject: (error: unknown) => void;
  settled: boolean;
}

export function createEventLog(options: EventLogOptions): EventLog {
  const { db, partitions, spool, log, batchSize = 2000, slowMs = 1500, retryMs = 500 } = options;
  let queue: Waiting[] = [];
  let flushing: Promise<void> | null = null;
  let draining: Promise<void> | null = null;
  let closed = false;
  const stats = { queued: 0, spooled: spool.pending, flushed: 0, batches: 0, lastFlushMs: 0 };

  function append(events: readonly EventRecord[]): Promise<Appended[]> {
    if (events.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      if (closed) return reject(new AppError('temporarily_unavailable'));
      queue.push({ events, resolve, reject, settled: false });
      stats.queued += events.length;
      flushing ??= flush().finally(() => {
        flushing = null;
      });
    });
  }

  /** No linger: while one batch commits, the next one forms. */
  async function flush(): Promise<void> {
    await Promise.resolve();
    while (queue.length > 0) {
      const batch = takeBatch();
      // Order holds: as long as older events wait in the spool, newer ones queue behind them.
      if (spool.pending > 0) toSpool(batch);
      else await toDatabase(batch);
    }
  }

  function takeBatch(): Waiting[] {
    let count = 0;
    let taken = 0;
    while (taken < queue.length && (taken === 0 || count + (queue[taken]?.events.length ?? 0) <= batchSize)) {
      count += queue[taken]?.events.length ?? 0;
      taken += 1;
    }
    const batch = queue.slice(0, taken);
    queue = queue.slice(taken);
    stats.queued -= count;
    return batch;
  }

  async function toDatabase(batch: Waiting[]): Promise<void> {
    const started = performance.now();
    // Storing twice is harmless, so a batch that takes too long is spooled as well and answered from there.
    const slow = setTimeout(() => {
      toSpool(batch);
      toSpool(queue.splice(0));
    }, slowMs);
    try {
      const fresh = await store(batch.flatMap((waiting) => waiting.events));
      for (const waiting of batch) settle(waiting, waiting.events.map((event) => (fresh.delete(keyOf(event)) ? 'new' : 'duplicate')));
    } catch (error) {
      clearTimeout(slow);
      if (batch.length > 1 && isAboutData(error)) {
        for (const waiting of batch) await toDatabase([waiting]);
        return;
      }
      log.warn({ ...errorFields(error), events: batch.length }, 'events not stored');
      if (isAboutData(error)) for (const waiting of batch) fail(waiting, error);
      else toSpool(batch);
    } finally {
      clearTimeout(slow);
      stats.lastFlushMs = performance.now() - started;
    }
  }

  async function store(events: readonly EventRecord[]): Promise<Set<string>> {
    await partitions.ensure(new Set(events.map((event) => uuidDay(event.id))));
    const fresh = new Set<string>();
    for (const part of apart(events)) {
      const inserted = await db.transaction((tx) => ingestEvents(tx, part));
      for (const event of inserted) fresh.add(`${event.kind}:${event.id}`);
    }
    stats.flushed += events.length;
    stats.batches += 1;
    return fresh;
  }

  function toSpool(batch: readonly Waiting[]): void {
    const open = batch.filter((waiting) => !waiting.settled);
    if (open.length === 0) return;
    try {
      spool.append(open.map((waiting) => JSON.stringify(waiting.events)));
    } catch (error) {
      log.error(errorFields(error), 'spool refused');
      for (const waiting of open) fail(waiting, new AppError('temporarily_unavailable', { cause: error }));
      return;
    }
    stats.spooled = spool.pending;
    for (const waiting of open) settle(waiting, waiting.events.map(() => 'spooled'));
    startDraining();
  }

  function startDraining(): void {
    if (draining !== null || closed) return;
    draining = drainSpool().finally(() => {
      draining = null;
      if (spool.pending > 0) startDraining();
    });
  }

  async function drainSpool(): Promise<void> {
    while (spool.pending > 0 && !closed) {
      const frames = spool.read(500);
      if (frames.length === 0) return;
      // The spool holds only what `append` serialised.
      const events = frames.flatMap((frame) => JSON.parse(frame) as EventRecord[]);
      try {
        await store(events);
      } catch (error) {
        if (isAboutData(error)) await storeOneByOne(events);
        else {
          await new Promise((resolve) => setTimeout(resolve, retryMs));
          continue;
        }
      }
      spool.removeRead();
      stats.spooled = spool.pending;
    }
  }

  async function storeOneByOne(events: readonly EventRecord[]): Promise<void> {
    for (const event of events) {
      try {
        await store([event]);
      } catch (error) {
        if (!isAboutData(error)) throw error;
        log.error({ ...errorFields(error), event: event.id, kind: event.kind }, 'spooled event refused by the database');
      }
    }
  }

  function settle(waiting: Waiting, outcome: Appended[]): void {
    if (waiting.settled) return;
    waiting.settled = true;
    waiting.resolve(outcome);
  }

  function fail(waiting: Waiting, error: unknown): void {
    if (waiting.settled) return;
    waiting.settled = true;
    waiting.reject(error);
  }

  if (spool.pending > 0) startDraining();

  return {
    append,
    stats,
    async drain() {
      while (flushing !== null || draining !== null) await (flushing ?? draining);
    },
    async close() {
      await flushing;
      closed = true;
      await draining;
      spool.close();
    },
  };
}

/** A beacon reads the ad it belongs to, so an ad and its beacons never share a statement. */
function apart(events: readonly EventRecord[]): EventRecord[][] {
  const wins = new Set(events.filter((event) => event.kind === 'win').map((event) => event.id));
  const first = events.filter((event) => event.kind === 'win' || !wins.has(event.id));
  const second = events.filter((event) => event.kind !== 'win' && wins.has(event.id));
  return second.length === 0 ? [first] : [first, second];
}

function keyOf(event: EventRecord): string {
  return `${event.kind}:${event.id}`;
}

/** SQLSTATE classes 22 and 23: the row is wrong and will be wrong again. Everything else may pass later. */
function isAboutData(error: unknown): boolean {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' && /^2[23]\w{3}$/.test(error.code);
}
