import { appendFileSync } from 'node:fs';
import type { Clock } from '../../clock.js';
import { errorFields, type Log } from '../../log.js';
import type { EventRecord } from '../event.js';
import type { EventKeys } from '../event-keys.js';
import { createSlices } from '../slices.js';
import { isAboutData } from '../store-events.js';
import { type Entry, readEntry } from './entry.js';
import type { Journal, Position } from './journal.js';
import { batchEnd, type Held, hold, PendingEntries, type PendingEntry } from './pending-entries.js';

/** From where the database is to behind the entries; it refuses when it is somewhere else. */
export interface Move {
  readonly from: Position | null;
  readonly to: Position;
}

/** Stores entries and the position behind them in one transaction; says which events were new. */
export type StoreEntries = (entries: readonly Entry[], move: Move | null) => Promise<EventKeys>;

/** Entries of which everything that can be done before they are stored is done. */
export interface PreparedEntries {
  readonly events: readonly EventRecord[];
  store(move: Move | null): Promise<EventKeys>;
}

/** Those `before` are stored first. */
export type PrepareEntries = (
  entries: readonly Entry[],
  before?: PreparedEntries,
) => Promise<PreparedEntries>;

export interface ApplierOptions {
  journal: Journal;
  /** Where the database is; null when it never heard of this journal. */
  from: Position | null;
  /** The same, asked anew. */
  findPosition: () => Promise<Position | null>;
  /** Told when the database turned out to be another one, or itself some time ago. */
  onRewound: () => void;
  store: StoreEntries;
  prepare: PrepareEntries;
  clock: Clock;
  log: Log;
  /** Where what the database refuses is kept, for a person to look at. */
  refusedFile: string;
  retryMs: number;
  /** How often it is asked where the database is while there is nothing to do; null for never. */
  askMs: number | null;
  /** How long a batch gathers while there is little to do. */
  lingerMs: number;
  /** The same once there are rows of other tables in it: people and other nodes look those up. */
  rowsLingerMs: number;
  batchEvents: number;
  /** Beyond this many in memory, the rest is read back from the journal. */
  memoryEvents: number;
}

/** So many events make a statement that is over soon and still worth its while. */
const brief = { least: 60, most: 320 };

/** Reads the journal in order and brings it into the database, batch by batch, for ever. */
export class Applier {
  private readonly options: ApplierOptions;
  /** What became durable while it kept up, and comes next. */
  private readonly memory = new PendingEntries();
  /** Everything before it is in the database. */
  private applied: Position;
  /** What the database said last; `applied` may be further where nothing was left to read. */
  private told: Position | null;
  /** Some of what is durable is not in memory: it is read from the journal. */
  private isBehind: boolean;
  private behindSince: number;
  private isHurried: boolean;
  /** When the first row of another table came that is in memory. */
  private rowsSince: number | null = null;
  private isStopped = false;
  private isFailing = false;
  private wake = (): void => undefined;
  private readonly waiting = new Set<{ until: Position; resolve: () => void }>();
  private running: Promise<void> | null = null;

  constructor(options: ApplierOptions) {
    this.options = options;
    this.told = options.from;
    this.applied = options.from ?? start;
    this.isBehind = options.journal.bytesFrom(this.applied) > 0;
    this.isHurried = this.isBehind;
    this.behindSince = options.clock();
  }

  start(): void {
    this.running ??= this.run();
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    this.wake();
    for (const one of this.waiting) one.resolve();
    this.waiting.clear();
    await this.running;
  }

  /** What just became durable. */
  push(pending: PendingEntry): void {
    const { batchEvents, memoryEvents } = this.options;
    if (!this.isBehind && this.memory.weight < memoryEvents) this.memory.push(pending);
    else if (!this.isBehind) {
      this.isBehind = true;
      this.behindSince = pending.appendedAt;
    }
    const brings = this.rowsSince === null && pending.entry.rows !== undefined;
    if (brings) this.rowsSince = pending.appendedAt;
    if (brings || this.memory.length === 1 || this.memory.weight >= batchEvents) this.wake();
  }

  get position(): Position {
    return this.applied;
  }

  /** Bytes that are durable here and not yet in the database. */
  get pendingBytes(): number {
    return this.options.journal.bytesFrom(this.applied);
  }

  get isCaughtUp(): boolean {
    return !this.isBehind && this.memory.length === 0 && this.pendingBytes === 0;
  }

  /** How long the oldest of them waits. */
  lagMs(now: number): number {
    const isAllRead = this.isBehind && this.memory.length === 0;
    const since = isAllRead ? this.behindSince : this.memory.oldest?.appendedAt;
    return this.isCaughtUp ? 0 : Math.max(0, now - (since ?? now));
  }

  /** Whether something of this id may still be on its way. */
  mayHold(id: string): boolean {
    return this.isBehind || this.memory.has(id);
  }

  /** Resolves when everything durable by now is in the database. */
  drain(): Promise<void> {
    const until = this.options.journal.end;
    if (this.pendingBytes === 0 || this.isStopped) return Promise.resolve();
    this.isHurried = true;
    return new Promise((resolve) => {
      this.waiting.add({ until, resolve });
      this.wake();
    });
  }

  private async run(): Promise<void> {
    const { options, memory } = this;
    while (!this.isStopped) {
      const { oldest } = memory;
      if (oldest === undefined && !this.isBehind) {
        this.isHurried = false;
        this.settleWaiting();
        await this.sleep(options.askMs);
        if (!this.isStopped && memory.length === 0 && !this.isBehind) await this.askWhileIdle();
      } else {
        if (oldest !== undefined) await this.linger(oldest);
        await this.applyNext();
      }
    }
  }

  /**
   * Lets a batch gather. While a few hundred a second come, half of the time is enough: the database
   * is kept busy for half as long at once, and there is time to spare for one statement more.
   */
  private async linger({ appendedAt }: PendingEntry): Promise<void> {
    const { lingerMs } = this.options;
    await this.gatherUntil(appendedAt + lingerMs / 2);
    const { weight } = this.memory;
    if (weight < brief.least || weight > brief.most) await this.gatherUntil(appendedAt + lingerMs);
  }

  /** A clock that stands still must not hold up anything. */
  private async gatherUntil(end: number): Promise<void> {
    const { clock, lingerMs, rowsLingerMs, batchEvents } = this.options;
    for (let isWoken = true; isWoken && !this.isStopped;) {
      if (this.isBehind || this.isHurried || this.memory.weight >= batchEvents) return;
      const due = Math.min(end, (this.rowsSince ?? Infinity) + rowsLingerMs);
      const rest = due - clock();
      if (rest <= 0) return;
      isWoken = await this.sleep(Math.min(rest, lingerMs));
    }
  }

  /** A disk that does not read, or has no room to set damage aside, may yet be mended. */
  private async applyNext(): Promise<void> {
    let found: readonly Held[];
    try {
      found = this.take();
    } catch (error) {
      if (!this.isFailing)
        this.options.log.error({ ...errorFields(error) }, 'journal not read, trying again');
      this.isFailing = true;
      await this.sleep(this.options.retryMs);
      return;
    }
    await this.applyBatches(found);
  }

  private take(): Held[] {
    if (this.memory.length > 0) {
      const taken = this.memory.take(this.options.batchEvents);
      if (this.memory.length === 0) this.rowsSince = null;
      return taken;
    }
    const { payloads, next } = this.options.journal.read(this.applied);
    if (payloads.length === 0) {
      // Same turn of the loop: whatever becomes durable after this comes through memory again.
      this.isBehind = false;
      this.applied = next;
      return [];
    }
    return this.held(payloads);
  }

  private held(payloads: readonly { payload: string; end: Position }[]): Held[] {
    const appendedAt = this.behindSince;
    return payloads.map(({ payload, end }) => {
      const entry = readEntry(payload);
      if (entry === null) this.refuse(payload, new Error('not an entry of this journal'));
      return hold({ entry: entry ?? { events: [] }, end, appendedAt }, false);
    });
  }

  /** The next batch is made ready while the database works on the one before. */
  private async applyBatches(found: readonly Held[]): Promise<void> {
    let { batch, rest } = this.split(found);
    let ready = await this.prepare(batch);
    while (batch.length > 0) {
      const applying = this.applyUntilDone(batch, ready);
      const next = this.split(rest.length > 0 ? rest : this.takeBehind(batch));
      const preparing = ready === null ? null : this.prepare(next.batch, ready);
      const applied = await applying;
      if (applied === 'not') return;
      ready = applied === 'as prepared' ? await preparing : null;
      ({ batch, rest } = next);
    }
  }

  private split(found: readonly Held[]): { batch: readonly Held[]; rest: readonly Held[] } {
    const to = batchEnd(found, 0, this.options.batchEvents);
    return { batch: found.slice(0, to), rest: found.slice(to) };
  }

  /** What comes behind a batch, if it need not gather any longer. */
  private takeBehind(batch: readonly Held[]): readonly Held[] {
    if (this.memory.weight >= this.options.batchEvents) return this.take();
    const end = batch.at(-1)?.end;
    if (!this.isBehind || this.memory.length > 0 || end === undefined) return [];
    try {
      return this.held(this.options.journal.read(end).payloads);
    } catch {
      // Whoever asks for it when its turn comes hears of it.
      return [];
    }
  }

  /** Null when that failed: then it is all done when its turn comes. */
  private async prepare(
    batch: readonly Held[],
    before?: PreparedEntries,
  ): Promise<PreparedEntries | null> {
    if (batch.length === 0) return null;
    try {
      return await this.options.prepare(
        batch.map(({ entry }) => entry),
        before,
      );
    } catch {
      return null;
    }
  }

  /** `not` when it was stopped first, or begins again further back. */
  private async applyUntilDone(
    batch: readonly Held[],
    ready: PreparedEntries | null,
  ): Promise<'as prepared' | 'otherwise' | 'not'> {
    const { journal, log, retryMs } = this.options;
    const last = batch.at(-1);
    if (last === undefined) return 'otherwise';
    let prepared = ready;
    while (!this.isStopped) {
      try {
        // What was applied before a failure is not applied again.
        const rest = batch.filter(({ end }) => isBefore(this.applied, end));
        if (rest.length < batch.length) prepared = null;
        const isAsPrepared = rest.length > 0 && (await this.applyOrRefuse(rest, prepared));
        this.applied = last.end;
        this.isFailing = false;
        journal.release(this.applied);
        this.memory.applied(batch);
        this.settleWaiting();
        return isAsPrepared ? 'as prepared' : 'otherwise';
      } catch (error) {
        if (error instanceof Rewound) return 'not';
        prepared = null;
        if (!this.isFailing)
          log.warn({ ...errorFields(error) }, 'journal not applied, trying again');
        this.isFailing = true;
        await this.sleep(retryMs);
      }
    }
    return 'not';
  }

  /**
   * An entry the database will never take must not hold up those behind it. Whether all of it was
   * stored as it was prepared.
   */
  private async applyOrRefuse(
    batch: readonly PendingEntry[],
    prepared: PreparedEntries | null = null,
  ): Promise<boolean> {
    const end = batch.at(-1)?.end ?? this.applied;
    const move = { from: this.told, to: end };
    try {
      const entries = batch.map((pending) => pending.entry);
      const fresh = await (prepared?.store(move) ?? this.options.store(entries, move));
      try {
        await tellApplied(batch, fresh);
      } finally {
        this.applied = this.told = end;
      }
      return prepared !== null;
    } catch (error) {
      if (!isAboutData(error)) throw error;
      if (await this.hasMoved()) throw error;
      const [first] = batch;
      const middle = batch.length >> 1;
      if (batch.length === 1 && first !== undefined) await this.applyParts(first, error);
      else
        for (const half of [batch.slice(0, middle), batch.slice(middle)])
          await this.applyOrRefuse(half);
      return false;
    }
  }

  private async applyParts({ entry, end }: PendingEntry, cause: unknown): Promise<void> {
    const { store } = this.options;
    const parts = partsOf(entry);
    if (parts.length <= 1) this.refuse(JSON.stringify(entry), cause);
    else
      for (const part of parts)
        try {
          await store([part], null);
        } catch (error) {
          if (!isAboutData(error)) throw error;
          this.refuse(JSON.stringify(part), error);
        }
    await store([], { from: this.told, to: end });
    this.applied = this.told = end;
  }

  /**
   * Whether the database is not where it was: after a failover to a replica that was behind, or a
   * restore, it is where it was some time ago, and everything since is read from the journal again.
   * Further on it is after a commit whose answer was lost.
   */
  private async hasMoved(): Promise<boolean> {
    const found = await this.options.findPosition();
    const before = this.told ?? start;
    const now = found ?? start;
    if (!isBefore(now, before) && !isBefore(before, now)) return false;
    this.told = found;
    if (isBefore(now, before)) this.beginAgain(before, now);
    if (isBefore(this.applied, now)) this.applied = now;
    return true;
  }

  private beginAgain(before: Position, now: Position): never {
    const { journal, log, clock, onRewound } = this.options;
    const reaches = !isBefore(now, journal.keptFrom);
    log[reaches ? 'warn' : 'error'](
      { was: before, is: now, keptFrom: journal.keptFrom },
      reaches
        ? 'the database went back; the journal is applied again from there'
        : 'the database went back further than the journal is kept; what is between may be lost',
    );
    this.applied = now;
    this.memory.clear();
    this.rowsSince = null;
    this.isBehind = true;
    this.behindSince = clock();
    onRewound();
    throw new Rewound();
  }

  private async askWhileIdle(): Promise<void> {
    try {
      await this.hasMoved();
    } catch (error) {
      if (!(error instanceof Rewound))
        this.options.log.debug(errorFields(error), 'position not asked for');
    }
  }

  private refuse(text: string, error: unknown): void {
    const { log, refusedFile } = this.options;
    log.error({ ...errorFields(error) }, 'journalled event refused by the database and set aside');
    appendFileSync(refusedFile, `${text}\n`, { flush: true });
  }

  private settleWaiting(): void {
    for (const one of this.waiting)
      if (this.isCaughtUp || !isBefore(this.applied, one.until)) {
        this.waiting.delete(one);
        one.resolve();
      }
  }

  /** Until `wake` is called, or so long at the most; says whether it was called. */
  private sleep(ms: number | null): Promise<boolean> {
    return new Promise((resolve) => {
      const end = (isWoken: boolean): void => {
        clearTimeout(timer);
        this.wake = () => undefined;
        resolve(isWoken);
      };
      const timer = ms === null ? undefined : setTimeout(end, ms, false);
      this.wake = () => end(true);
    });
  }
}

const start: Position = { segment: 0, offset: 0 };

/** What was in memory is no longer what comes next. */
class Rewound extends Error {
  override readonly name = 'Rewound';
}

export function isBefore(a: Position, b: Position): boolean {
  return a.segment < b.segment || (a.segment === b.segment && a.offset < b.offset);
}

/** Before it counts as applied: whoever waits for that finds everything told. */
async function tellApplied(batch: readonly PendingEntry[], fresh: EventKeys): Promise<void> {
  const slices = createSlices(batch.length);
  for (const { entry, onApplied } of batch) {
    if (onApplied === undefined) continue;
    if (slices.isOver()) await slices.next();
    onApplied(entry.events.map((event) => fresh.take(event)));
  }
}

/** Each event and each row on its own. */
function partsOf({ events, rows }: Entry): Entry[] {
  return [
    ...events.map((event): Entry => ({ events: [event] })),
    ...Object.entries(rows ?? {}).flatMap(([name, list]) =>
      list.map((row): Entry => ({ events: [], rows: { [name]: [row] } })),
    ),
  ];
}
