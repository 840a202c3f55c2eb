import type { Clock } from '../clock.js';
import { AppError } from '../errors.js';
import { errorFields, type Log } from '../log.js';
import type { Applier, StoreEntries } from './journal/applier.js';
import { type Entry, entryText } from './journal/entry.js';
import type { Journal } from './journal/journal.js';
import { isAboutData } from './store-events.js';
import { within } from './within.js';

/**
 * `journalled`: durable on this node, in the database soon; whether it was new is not known yet.
 */
export type Appended = 'new' | 'duplicate' | 'journalled';

export interface AppendOptions {
  /** Told which events were new once they are in the database; not after a crash or a long jam. */
  onApplied?: (isNew: boolean[]) => void;
}

export interface AppendQueueOptions {
  ack: 'journal' | 'database';
  batchSize: number;
  /** With `ack: 'database'`: after this long without a commit the journal takes over. */
  slowMs: number;
  journal: Journal;
  applier: Applier;
  store: StoreEntries;
  stats: { queued: number; lastFlushMs: number };
  log: Log;
  clock: Clock;
}

interface Waiting {
  entry: Entry;
  options: AppendOptions | undefined;
  resolve: (outcome: Appended[]) => void;
  reject: (error: unknown) => void;
  settled: boolean;
}

/** How soon it is tried again whether the journal takes something. */
const tryAgainMs = 1_000;

/**
 * How what is appended becomes durable: through the journal, or with `ack: 'database'` in batches
 * that wait for their commit, and through the journal when that is slow or fails.
 */
export class AppendQueue {
  private readonly options: AppendQueueOptions;
  private queue: Waiting[] = [];
  private isFlushing = false;
  private flushing: Promise<void> = Promise.resolve();
  private isOpen = true;
  private tryingAgain: NodeJS.Timeout | undefined;
  /** Why the journal took nothing when it was last given something; null: it did. */
  refusal: string | null = null;

  constructor(options: AppendQueueOptions) {
    this.options = options;
  }

  append(entry: Entry, options?: AppendOptions): Promise<Appended[]> {
    if (entry.events.length === 0 && entry.rows === undefined) return Promise.resolve([]);
    return new Promise((resolve, reject) => {
      if (!this.isOpen) reject(new AppError('temporarily_unavailable'));
      else this.take({ entry, options, resolve, reject, settled: false });
    });
  }

  /** Resolves when everything appended so far is stored, or in the journal for good. */
  async flushed(): Promise<void> {
    while (this.isFlushing) await this.flushing;
    await this.options.journal.flushed();
  }

  /** Takes nothing more, finishes what was taken. */
  async close(): Promise<void> {
    this.isOpen = false;
    clearTimeout(this.tryingAgain);
    await this.flushing;
    await this.options.journal.flushed();
  }

  private take(waiting: Waiting): void {
    const { ack, applier, stats } = this.options;
    // Order holds: as long as older events wait in the journal, newer ones queue behind them.
    if (ack === 'journal' || (!this.isFlushing && !applier.isCaughtUp))
      return this.toJournal([waiting]);
    this.queue.push(waiting);
    stats.queued += waiting.entry.events.length;
    if (this.isFlushing) return;
    this.isFlushing = true;
    this.flushing = this.flush();
  }

  private toJournal(batch: readonly Waiting[]): void {
    const { journal, applier, clock } = this.options;
    for (const waiting of batch) {
      if (waiting.settled) continue;
      const { entry } = waiting;
      journal.append(entryText(entry, clock()), (error, end) => {
        this.note(error);
        if (error !== null)
          return fail(waiting, new AppError('temporarily_unavailable', { cause: error }));
        const onApplied = waiting.settled ? undefined : waiting.options?.onApplied;
        applier.push({ entry, end, appendedAt: clock(), onApplied });
        settle(waiting, entry.events.map(journalled));
      });
    }
  }

  /** Told once and not with every request; nobody may come any more to find out that it is over. */
  private note(error: Error | null): void {
    const { log } = this.options;
    if (error === null) {
      if (this.refusal !== null) log.info({}, 'the journal takes events again');
      this.refusal = null;
      return;
    }
    if (this.refusal === null) log.error(errorFields(error), 'journal refused');
    this.refusal = 'code' in error ? String(error.code) : error.name;
    if (!this.isOpen) return;
    clearTimeout(this.tryingAgain);
    this.tryingAgain = setTimeout(() => this.tryAgain(), tryAgainMs).unref();
  }

  private tryAgain(): void {
    const { journal, applier, clock } = this.options;
    const entry: Entry = { events: [] };
    journal.append(entryText(entry, clock()), (error, end) => {
      this.note(error);
      if (error === null) applier.push({ entry, end, appendedAt: clock() });
    });
  }

  /** No linger: while one batch commits, the next one forms. */
  private async flush(): Promise<void> {
    await Promise.resolve();
    while (this.queue.length > 0) {
      const batch = this.takeBatch();
      if (!this.options.applier.isCaughtUp) this.toJournal(batch);
      else await this.toDatabase(batch);
    }
    // In the same breath as the last look at the queue, or an event appended in between would wait
    // for the next one.
    this.isFlushing = false;
  }

  private takeBatch(): Waiting[] {
    const { queue } = this;
    let count = 0;
    let taken = 0;
    while (taken < queue.length) {
      const next = queue[taken]?.entry.events.length ?? 0;
      if (taken > 0 && count + next > this.options.batchSize) break;
      count += next;
      taken += 1;
    }
    this.queue = queue.slice(taken);
    this.options.stats.queued -= count;
    return queue.slice(0, taken);
  }

  /**
   * Storing twice is harmless, so a batch that takes too long is journalled as well and answered
   * from there; nobody waits for the slow commit.
   */
  private async toDatabase(batch: Waiting[]): Promise<void> {
    const { slowMs, log, stats } = this.options;
    const started = performance.now();
    const isInTime = await within(this.storeBatch(batch), slowMs);
    if (!isInTime) {
      log.warn({ events: batch.length }, 'the database is slow: events go to the journal');
      this.toJournal(batch);
    }
    stats.lastFlushMs = performance.now() - started;
  }

  private async storeBatch(batch: readonly Waiting[]): Promise<void> {
    try {
      const fresh = await this.options.store(
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
      await this.notStored(batch, error);
    }
  }

  private async notStored(batch: readonly Waiting[], error: unknown): Promise<void> {
    const { log } = this.options;
    const told = { ...errorFields(error), events: batch.length };
    if (!isAboutData(error)) {
      log.warn(told, 'events not stored: they go to the journal');
      this.toJournal(batch);
    } else if (batch.length > 1) {
      // One of them is wrong: halving finds it, and the others are stored.
      const middle = batch.length >> 1;
      await this.storeBatch(batch.slice(0, middle));
      await this.storeBatch(batch.slice(middle));
    } else {
      log.error(told, 'event refused by the database');
      for (const waiting of batch) fail(waiting, error);
    }
  }
}

function journalled(): Appended {
  return 'journalled';
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
