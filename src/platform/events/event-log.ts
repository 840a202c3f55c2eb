import { AppError } from '../errors.js';
import type { Clock } from '../clock.js';
import type { Db } from '../db/db.js';
import { errorFields, type Log } from '../log.js';
import { createDrainer } from './drain-spool.js';
import type { EventRecord } from './event.js';
import type { Partitions } from './partitions.js';
import type { Spool } from './spool.js';
import { createStore, isAboutData } from './store-events.js';

/** `spooled`: durable on this node, in the database soon; whether it was new is not known yet. */
export type Appended = 'new' | 'duplicate' | 'spooled';

/**
 * Durable before acknowledged: `append` resolves when every event is committed or synced to the
 * spool.
 */
export interface EventLog {
  append(events: readonly EventRecord[]): Promise<Appended[]>;
  readonly stats: {
    queued: number;
    spooled: number;
    flushed: number;
    batches: number;
    lastFlushMs: number;
  };
  /** Waits until everything appended so far is in the database. */
  drain(): Promise<void>;
  /**
   * Takes nothing more, finishes what was taken; what the spool still holds waits there for the
   * next start.
   */
  close(): Promise<void>;
}

export interface EventLogOptions {
  db: Db;
  partitions: Partitions;
  spool: Spool;
  clock: Clock;
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
  const { spool, log, batchSize = 2000, slowMs = 1500 } = options;
  let queue: Waiting[] = [];
  let isFlushing = false;
  let flushed: Promise<void> = Promise.resolve();
  let isOpen = true;
  const stats = { queued: 0, spooled: spool.pending, flushed: 0, batches: 0, lastFlushMs: 0 };
  const store = createStore(options, stats);
  const drainer = createDrainer(options, store, () => {
    stats.spooled = spool.pending;
  });

  function append(events: readonly EventRecord[]): Promise<Appended[]> {
    if (events.length === 0) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      if (!isOpen) return reject(new AppError('temporarily_unavailable'));
      queue.push({ events, resolve, reject, settled: false });
      stats.queued += events.length;
      if (isFlushing) return;
      isFlushing = true;
      flushed = flush();
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
    // In the same breath as the last look at the queue, or an event appended in between would wait
    // for the next one.
    isFlushing = false;
  }

  function takeBatch(): Waiting[] {
    let count = 0;
    let taken = 0;
    while (
      taken < queue.length &&
      (taken === 0 || count + (queue[taken]?.events.length ?? 0) <= batchSize)
    ) {
      count += queue[taken]?.events.length ?? 0;
      taken += 1;
    }
    const batch = queue.slice(0, taken);
    queue = queue.slice(taken);
    stats.queued -= count;
    return batch;
  }

  /**
   * Storing twice is harmless, so a batch that takes too long is spooled as well and answered from
   * there; nobody waits for the slow commit.
   */
  async function toDatabase(batch: Waiting[]): Promise<void> {
    const started = performance.now();
    const isInTime = await within(storeBatch(batch), slowMs);
    if (!isInTime) {
      log.warn({ events: batch.length }, 'the database is slow: events go to the spool');
      toSpool(batch);
    }
    stats.lastFlushMs = performance.now() - started;
  }

  async function storeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const fresh = await store(batch.flatMap((waiting) => waiting.events));
      for (const waiting of batch)
        settle(
          waiting,
          waiting.events.map((event) => (fresh.take(event) ? 'new' : 'duplicate')),
        );
    } catch (error) {
      if (!isAboutData(error)) {
        log.warn(
          { ...errorFields(error), events: batch.length },
          'events not stored: they go to the spool',
        );
        toSpool(batch);
      } else if (batch.length > 1) {
        // One of them is wrong: halving finds it, and the others are stored.
        const middle = batch.length >> 1;
        await storeBatch(batch.slice(0, middle));
        await storeBatch(batch.slice(middle));
      } else {
        log.error({ ...errorFields(error), events: batch.length }, 'event refused by the database');
        for (const waiting of batch) fail(waiting, error);
      }
    }
  }

  function toSpool(batch: readonly Waiting[]): void {
    const open = batch.filter((waiting) => !waiting.settled);
    if (open.length === 0) return;
    try {
      spool.append(open.map((waiting) => JSON.stringify(waiting.events)));
    } catch (error) {
      log.error(errorFields(error), 'spool refused');
      for (const waiting of open)
        fail(waiting, new AppError('temporarily_unavailable', { cause: error }));
      return;
    }
    stats.spooled = spool.pending;
    for (const waiting of open)
      settle(
        waiting,
        waiting.events.map(() => 'spooled'),
      );
    drainer.start();
  }

  if (spool.pending > 0) drainer.start();

  return {
    append,
    stats,
    async drain() {
      while (isFlushing || drainer.running !== null) await (isFlushing ? flushed : drainer.running);
    },
    async close() {
      isOpen = false;
      await flushed;
      drainer.stop();
      if (drainer.running !== null) await within(drainer.running, slowMs);
      spool.close();
    },
  };
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

/** Whether the work, which must not fail, ended within the time. */
async function within(work: Promise<void>, ms: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isInTime = await Promise.race([work.then(() => true), late]);
  clearTimeout(timer);
  return isInTime;
}
