import type { Clock } from '../clock.js';
import type { EventRecord } from './event.js';
import { type Appended, type AppendOptions, AppendQueue } from './append-queue.js';
import { Applier, type ApplierOptions } from './journal/applier.js';
import type { Entry } from './journal/entry.js';
import type { Journal, Position } from './journal/journal.js';
import { loadPosition } from './journal/position-queries.js';
import type { Shipper } from './journal/ship-journal.js';
import type { Log } from '../log.js';
import { createServedAds } from './served-ads.js';
import { createStore, type StoreDeps } from './store-events.js';
import { within } from './within.js';

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

export interface EventLogStats {
  /** Events waiting for a commit, with `ack: 'database'`. */
  queued: number;
  /** Bytes of the journal that are not in the database yet. */
  readonly journalled: number;
  /** How long the oldest of them waits. */
  readonly lagMs: number;
  /** Damaged places of the journal, set aside. */
  readonly damaged: number;
  /** Why the journal takes nothing; null while it does. */
  readonly refusal: string | null;
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

const usualBatch = 2000;
/** A statement costs the same some milliseconds for one event and for hundreds. */
const usualLingerMs = 400;
const rowsLingerMs = 100;

export function createEventLog(options: EventLogOptions): EventLog {
  const { journal, clock, shipper = null, slowMs = 1500 } = options;
  const { ack = 'journal', batchSize = usualBatch } = options;
  const rewoundListeners: (() => void)[] = [];
  const stats = createStats({
    journal,
    shipper,
    applier: () => applier,
    queue: () => queue,
    clock,
  });
  if (options.position !== null) {
    journal.startAfter(options.position.segment);
    journal.release(options.position);
  }
  const servedAds = createServedAds(options.db);
  const { store, prepare } = createStore(options, journal.id, stats, servedAds);
  const applier = new Applier({
    ...applierOptions(options),
    store,
    prepare,
    onRewound() {
      stats.rewound += 1;
      options.partitions.forget();
      for (const listener of rewoundListeners) listener();
    },
  });
  const queue = new AppendQueue({ ...options, ack, batchSize, slowMs, applier, store, stats });
  const drain = async (): Promise<void> => {
    await queue.flushed();
    await applier.drain();
  };

  return {
    append: (events, appending) => queue.append({ events }, appending),
    appendEntry: (entry, appending) => queue.append(entry, appending),
    stats,
    drain,
    settled: (serveIds) =>
      serveIds.some((id) => applier.mayHold(id)) ? drain() : Promise.resolve(),
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
      await queue.close();
      await within(applier.drain(), slowMs);
      await within(applier.stop(), slowMs);
      if (shipper !== null) await within(shipper.close(), slowMs);
      await journal.close();
    },
  };
}

function applierOptions(
  options: EventLogOptions,
): Omit<ApplierOptions, 'store' | 'prepare' | 'onRewound'> {
  const { journal, clock, log, refusedFile } = options;
  return {
    journal,
    from: options.position,
    findPosition: () => loadPosition(options.db, journal.id),
    clock,
    log,
    refusedFile,
    retryMs: options.retryMs ?? 500,
    askMs: options.askMs ?? null,
    lingerMs: options.lingerMs ?? usualLingerMs,
    rowsLingerMs: Math.min(options.lingerMs ?? Infinity, rowsLingerMs),
    batchEvents: options.batchSize ?? usualBatch,
    memoryEvents: options.memoryEvents ?? 20_000,
  };
}

/** What is counted is written here by whoever counts; the rest is looked up when asked for. */
function createStats(of: {
  journal: Journal;
  shipper: Shipper | null;
  applier: () => Applier;
  queue: () => AppendQueue;
  clock: Clock;
}): EventLogStats {
  return {
    queued: 0,
    flushed: 0,
    batches: 0,
    lastFlushMs: 0,
    rewound: 0,
    get journalled() {
      return of.applier().pendingBytes;
    },
    get lagMs() {
      return of.applier().lagMs(of.clock());
    },
    get damaged() {
      return of.journal.damage.places;
    },
    get refusal() {
      return of.queue().refusal;
    },
    get unshipped() {
      return of.shipper?.waiting ?? 0;
    },
  };
}
