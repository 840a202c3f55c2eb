import { AppError } from '../errors.js';
import { errorFields } from '../log.js';
import type { EventRecord } from './event.js';
import { createApplier } from './journal/applier.js';
import { type Entry, entryText } from './journal/entry.js';
import type { Journal, Position } from './journal/journal.js';
import { loadPosition } from './journal/position-queries.js';
import type { Shipper } from './journal/ship-journal.js';
import type { Log } from '../log.js';
import { createServedAds } from './served-ads.js';
import { createStore, isAboutData, type StoreDeps } from './store-events.js';
import { within } from './within.js';

/**
 * `journalled`: durable on this node, in the database soon; whether it was new is not known yet.
 */
export type Appended = 'new' | 'duplicate' | 'journalled';

/**
 * Durable before acknowledged: `append` resolves when every event is synced to the journal of this
 * node, or, with `ack: 'database'`, committed.
 */
export interface EventLog {
  append(events: readonly EventRecord[], options?: AppendOptions): Promise<Appended[]>;
  /** Events and rows of other tables, together or not at all. */
  appendEntry(entry: Entry, options?: AppendOptions): Promise<Appended[]>;
  readonly stats: EventLogStats;
  /** Waits until everything appended so far is in the database. */
  drain(): Promise<void>;
  /** The same, if this node still has something of one of these ads to store. */
  settled(serveIds: readonly string[]): Promise<void>;
  /** Begins to apply: once everybody who records something has said so. */
  start(): void;
  /** Calls back whenever the database was found to have gone back. */
  onRewound(listener: () => void): void;
  /** Whom an ad was shown to is looked up again: somebody was erased. */
  forgetServed(): void;
  /** Lets go of files and damaged parts that are no longer needed. */
  sweep(keptFrom: number): void;
  /**
   * Takes nothing more, finishes what was taken; what the journal still holds waits there for the
   * next start.
   */
  close(): Promise<void>;
}

export interface AppendOptions {
  /** Told which events were new once they are in the database; not after a crash or a long jam. */
  onApplied?: (isNew: boolean[]) => void;
}

export interface EventLogStats {
  /** Events waiting for a commit, with `ack: 'database'`. */
  queued: number;
  /** Bytes of the journal that are not in the database yet. */
  readonly journalled: number;
  /** How long the oldest of them waits. */
  readonly lagMs: number;
  /** Damaged places of the journal, set aside. */
  readonly damaged: number;
  /** Files of the journal that are only here although they should be elsewhere. */
  readonly unshipped: number;
  /** How often the database was found to have gone back. */
  rewound: number;
  flushed: number;
  batches: number;
  lastFlushMs: number;
}

export interface EventLogOptions extends StoreDeps {
  journal: Journal;
  /** Where the database is in this journal. */
  position: Position | null;
  log: Log;
  refusedFile: string;
  ack?: 'journal' | 'database';
  batchSize?: number;
  /** With `ack: 'database'`: after this long without a commit the journal takes over. */
  slowMs?: number;
  /** Where copies of the journal go. */
  shipper?: Shipper | null;
  retryMs?: number;
  /** How often it is asked whether the database went back while there is nothing to store. */
  askMs?: number | null;
  lingerMs?: number;
  memoryEvents?: number;
}

interface Waiting {
  entry: Entry;
  options: AppendOptions | undefined;
  resolve: (outcome: Appended[]) => void;
  reject: (error: unknown) => void;
  settled: boolean;
}

export function createEventLog(options: EventLogOptions): EventLog {
  const { journal, log, clock, ack = 'journal', batchSize = 2000, slowMs = 1500 } = options;
  const { shipper = null } = options;
  let queue: Waiting[] = [];
  let isFlushing = false;
  let flushed: Promise<void> = Promise.resolve();
  let isOpen = true;
  const rewoundListeners: (() => void)[] = [];
  const stats = {
    queued: 0,
    flushed: 0,
    batches: 0,
    lastFlushMs: 0,
    get journalled() {
      return applier.pendingBytes;
    },
    get lagMs() {
      return applier.lagMs(clock());
    },
    get damaged() {
      return journal.damage.places;
    },
    get unshipped() {
      return shipper?.waiting ?? 0;
    },
    rewound: 0,
  };
  if (options.position !== null) {
    journal.startAfter(options.position.segment);
    journal.release(options.position);
  }
  const servedAds = createServedAds(options.db);
  const store = createStore(options, journal.id, stats, servedAds);
  const applier = createApplier({
    journal,
    from: options.position,
    findPosition: () => loadPosition(options.db, journal.id),
    onRewound() {
      stats.rewound += 1;
      options.partitions.forget();
      for (const listener of rewoundListeners) listener();
    },
    store,
    clock,
    log,
    refusedFile: options.refusedFile,
    retryMs: options.retryMs ?? 500,
    askMs: options.askMs ?? null,
    lingerMs: options.lingerMs ?? 100,
    batchEvents: batchSize,
    memoryEvents: options.memoryEvents ?? 20_000,
  });

  function appendEntry(entry: Entry, appending?: AppendOptions): Promise<Appended[]> {
    if (entry.events.length === 0 && entry.rows === undefined) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      if (!isOpen) return reject(new AppError('temporarily_unavailable'));
      const waiting = { entry, options: appending, resolve, reject, settled: false };
      // Order holds: as long as older events wait in the journal, newer ones queue behind them.
      if (ack === 'journal' || (!isFlushing && !applier.isCaughtUp)) return toJournal([waiting]);
      queue.push(waiting);
      stats.queued += entry.events.length;
      if (isFlushing) return;
      isFlushing = true;
      flushed = flush();
    });
  }

  function toJournal(batch: readonly Waiting[]): void {
    for (const waiting of batch) {
      if (waiting.settled) continue;
      const { entry } = waiting;
      journal.append(entryText(entry, clock()), (error, end) => {
        if (error !== null) {
          log.error(errorFields(error), 'journal refused');
          return fail(waiting, new AppError('temporarily_unavailable', { cause: error }));
        }
        const { onApplied } = waiting.options ?? {};
        applier.push({
          entry,
          end,
          appendedAt: clock(),
          ...(onApplied === undefined || waiting.settled ? {} : { onApplied }),
        });
        settle(
          waiting,
          entry.events.map(() => 'journalled'),
        );
      });
    }
  }

  /** No linger: while one batch commits, the next one forms. */
  async function flush(): Promise<void> {
    await Promise.resolve();
    while (queue.length > 0) {
      const batch = takeBatch();
      if (!applier.isCaughtUp) toJournal(batch);
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
      (taken === 0 || count + (queue[taken]?.entry.events.length ?? 0) <= batchSize)
    ) {
      count += queue[taken]?.entry.events.length ?? 0;
      taken += 1;
    }
    const batch = queue.slice(0, taken);
    queue = queue.slice(taken);
    stats.queued -= count;
    return batch;
  }

  /**
   * Storing twice is harmless, so a batch that takes too long is journalled as well and answered
   * from there; nobody waits for the slow commit.
   */
  async function toDatabase(batch: Waiting[]): Promise<void> {
    const started = performance.now();
    const isInTime = await within(storeBatch(batch), slowMs);
    if (!isInTime) {
      log.warn({ events: batch.length }, 'the database is slow: events go to the journal');
      toJournal(batch);
    }
    stats.lastFlushMs = performance.now() - started;
  }

  async function storeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const fresh = await store(
        batch.map((waiting) => waiting.entry),
        null,
      );
      for (const waiting of batch) {
        const isNew = waiting.entry.events.map((event) => fresh.take(event));
        if (!waiting.settled) waiting.options?.onApplied?.(isNew);
        settle(
          waiting,
          isNew.map((one) => (one ? 'new' : 'duplicate')),
        );
      }
    } catch (error) {
      if (!isAboutData(error)) {
        log.warn(
          { ...errorFields(error), events: batch.length },
          'events not stored: they go to the journal',
        );
        toJournal(batch);
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

  async function drain(): Promise<void> {
    while (isFlushing) await flushed;
    await journal.flushed();
    await applier.drain();
  }

  return {
    append: (events, appending) => appendEntry({ events }, appending),
    appendEntry,
    stats,
    drain,
    settled: (serveIds) => (serveIds.some(applier.mayHold) ? drain() : Promise.resolve()),
    start() {
      applier.start();
      shipper?.start();
    },
    onRewound: (listener) => void rewoundListeners.push(listener),
    forgetServed: () => servedAds.forget(),
    sweep(keptFrom) {
      if (applier.isCaughtUp) journal.rotate();
      journal.release(applier.position);
      journal.damage.sweep(keptFrom);
    },
    async close() {
      isOpen = false;
      await flushed;
      await journal.flushed();
      await within(applier.drain(), slowMs);
      await within(applier.stop(), slowMs);
      if (shipper !== null) await within(shipper.close(), slowMs);
      await journal.close();
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
