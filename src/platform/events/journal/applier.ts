import { appendFileSync } from 'node:fs';
import type { Clock } from '../../clock.js';
import { errorFields, type Log } from '../../log.js';
import type { EventKeys } from '../event-keys.js';
import { isAboutData } from '../store-events.js';
import { type Entry, readEntry } from './entry.js';
import type { Journal, Position } from './journal.js';

/** From where the database is to behind the entries; it refuses when it is somewhere else. */
export interface Move {
  readonly from: Position | null;
  readonly to: Position;
}

/** Stores entries and the position behind them in one transaction; says which events were new. */
export type StoreEntries = (entries: readonly Entry[], move: Move | null) => Promise<EventKeys>;

export interface PendingEntry {
  readonly entry: Entry;
  readonly end: Position;
  readonly appendedAt: number;
  /** Told which events were new, unless the process ends or falls far behind first. */
  readonly onApplied?: (isNew: boolean[]) => void;
}

interface Held extends PendingEntry {
  /** Came through memory, where what is pending is known by id. */
  readonly isNoted: boolean;
}

export interface ApplierOptions {
  journal: Journal;
  /** Where the database is; null when it never heard of this journal. */
  from: Position | null;
  /** The same, asked anew. */
  findPosition: () => Promise<Position | null>;
  /** Told when the database turned out to be another one, or itself some time ago. */
  onRewound: () => void;
  store: StoreEntries;
  clock: Clock;
  log: Log;
  /** Where what the database refuses is kept, for a person to look at. */
  refusedFile: string;
  retryMs: number;
  /** How often it is asked where the database is while there is nothing to do; null for never. */
  askMs: number | null;
  /** How long a batch gathers while there is little to do. */
  lingerMs: number;
  batchEvents: number;
  /** Beyond this many in memory, the rest is read back from the journal. */
  memoryEvents: number;
}

/** Reads the journal in order and brings it into the database, batch by batch, for ever. */
export function createApplier(options: ApplierOptions) {
  const { journal, store, log, batchEvents, memoryEvents } = options;
  let applied = options.from ?? start;
  /** What the database said last; `applied` may be further where nothing was left to read. */
  let told = options.from;
  let memory: Held[] = [];
  let inMemory = 0;
  /** Some of what is durable is not in memory: it is read from the journal. */
  let isBehind = journal.bytesFrom(applied) > 0;
  let behindSince = options.clock();
  let isHurried = isBehind;
  let isStopped = false;
  let isFailing = false;
  let wake = (): void => undefined;
  const waiting = new Set<{ until: Position; resolve: () => void }>();
  const pendingIds = new Map<string, number>();

  function push(pending: PendingEntry): void {
    if (!isBehind && inMemory < memoryEvents) {
      memory.push({ ...pending, isNoted: true });
      inMemory += weightOf(pending.entry);
      note(pending.entry, 1);
    } else if (!isBehind) {
      isBehind = true;
      behindSince = pending.appendedAt;
    }
    if (memory.length === 1 || inMemory >= batchEvents) wake();
  }

  function note({ events, rows }: Entry, by: 1 | -1): void {
    for (const { serveId, id } of events) noteId(serveId ?? id, by);
    for (const list of Object.values(rows ?? {}))
      for (const row of list) {
        if (typeof row !== 'object' || row === null) continue;
        if ('id' in row && typeof row.id === 'string') noteId(row.id, by);
        if ('ids' in row && Array.isArray(row.ids))
          for (const id of row.ids) noteId(String(id), by);
      }
  }

  function noteId(id: string, by: 1 | -1): void {
    const count = (pendingIds.get(id) ?? 0) + by;
    if (count === 0) pendingIds.delete(id);
    else pendingIds.set(id, count);
  }

  function take(): Held[] {
    if (memory.length > 0) {
      let count = 0;
      let taken = 0;
      while (taken < memory.length && (taken === 0 || count < batchEvents))
        count += weightOf(memory[taken++]?.entry);
      const batch = memory.slice(0, taken);
      memory = memory.slice(taken);
      inMemory -= count;
      return batch;
    }
    const { payloads, next } = journal.read(applied);
    if (payloads.length === 0) {
      // Same turn of the loop: whatever becomes durable after this comes through memory again.
      isBehind = false;
      applied = next;
      return [];
    }
    return payloads.flatMap(({ payload, end }) => {
      const entry = readEntry(payload);
      if (entry === null) refuse(payload, new Error('not an entry of this journal'));
      return [{ entry: entry ?? { events: [] }, end, appendedAt: behindSince, isNoted: false }];
    });
  }

  async function run(): Promise<void> {
    while (!isStopped) {
      const oldest = memory[0];
      if (oldest === undefined && !isBehind) {
        isHurried = false;
        settleWaiting();
        await sleep(options.askMs);
        if (!isStopped && memory.length === 0 && !isBehind) await askWhileIdle();
      } else if (!isBehind && !isHurried && oldest !== undefined && inMemory < batchEvents) {
        const rest = oldest.appendedAt + options.lingerMs - options.clock();
        if (rest > 0) await sleep(Math.min(rest, options.lingerMs));
        // A clock that stands still must not hold up anything.
        await applyNext();
      } else await applyNext();
    }
  }

  /** A disk that does not read, or has no room to set damage aside, may yet be mended. */
  async function applyNext(): Promise<void> {
    let found: readonly Held[];
    try {
      found = take();
    } catch (error) {
      if (!isFailing) log.error({ ...errorFields(error) }, 'journal not read, trying again');
      isFailing = true;
      return sleep(options.retryMs);
    }
    await applyBatches(found);
  }

  async function applyBatches(found: readonly Held[]): Promise<void> {
    for (let at = 0; at < found.length && !isStopped;) {
      let count = 0;
      let to = at;
      while (to < found.length && (to === at || count < batchEvents))
        count += weightOf(found[to++]?.entry);
      const batch = found.slice(at, to);
      if (!(await applyUntilDone(batch))) return;
      at = to;
    }
  }

  /** False when it was stopped first, or begins again further back. */
  async function applyUntilDone(batch: readonly Held[]): Promise<boolean> {
    const last = batch.at(-1);
    if (last === undefined) return true;
    while (!isStopped) {
      try {
        // What was applied before a failure is not applied again.
        const rest = batch.filter(({ end }) => isBefore(applied, end));
        if (rest.length > 0) await applyOrRefuse(rest);
        applied = last.end;
        isFailing = false;
        journal.release(applied);
        for (const { entry, isNoted } of batch) if (isNoted) note(entry, -1);
        settleWaiting();
        return true;
      } catch (error) {
        if (error instanceof Rewound) return false;
        if (!isFailing) log.warn({ ...errorFields(error) }, 'journal not applied, trying again');
        isFailing = true;
        await sleep(options.retryMs);
      }
    }
    return false;
  }

  /** An entry the database will never take must not hold up those behind it. */
  async function applyOrRefuse(batch: readonly PendingEntry[]): Promise<void> {
    const end = batch.at(-1)?.end ?? applied;
    try {
      const fresh = await store(
        batch.map((pending) => pending.entry),
        { from: told, to: end },
      );
      applied = told = end;
      for (const { entry, onApplied } of batch)
        onApplied?.(entry.events.map((event) => fresh.take(event)));
    } catch (error) {
      if (!isAboutData(error)) throw error;
      if (await hasMoved()) throw error;
      const [first] = batch;
      if (batch.length === 1 && first !== undefined) return applyParts(first, error);
      const middle = batch.length >> 1;
      await applyOrRefuse(batch.slice(0, middle));
      await applyOrRefuse(batch.slice(middle));
    }
  }

  async function applyParts({ entry, end }: PendingEntry, cause: unknown): Promise<void> {
    const parts: Entry[] = [
      ...entry.events.map((event): Entry => ({ events: [event] })),
      ...Object.entries(entry.rows ?? {}).flatMap(([name, rows]) =>
        rows.map((row): Entry => ({ events: [], rows: { [name]: [row] } })),
      ),
    ];
    if (parts.length <= 1) refuse(JSON.stringify(entry), cause);
    else
      for (const part of parts)
        try {
          await store([part], null);
        } catch (error) {
          if (!isAboutData(error)) throw error;
          refuse(JSON.stringify(part), error);
        }
    await store([], { from: told, to: end });
    applied = told = end;
  }

  /**
   * Whether the database is not where it was: after a failover to a replica that was behind, or a
   * restore, it is where it was some time ago, and everything since is read from the journal again.
   * Further on it is after a commit whose answer was lost.
   */
  async function hasMoved(): Promise<boolean> {
    const found = await options.findPosition();
    const before = told ?? start;
    const now = found ?? start;
    if (!isBefore(now, before) && !isBefore(before, now)) return false;
    told = found;
    if (isBefore(before, now)) {
      if (isBefore(applied, now)) applied = now;
      return true;
    }
    const reaches = !isBefore(now, journal.keptFrom);
    log[reaches ? 'warn' : 'error'](
      { was: before, is: now, keptFrom: journal.keptFrom },
      reaches
        ? 'the database went back; the journal is applied again from there'
        : 'the database went back further than the journal is kept; what is between may be lost',
    );
    applied = now;
    memory = [];
    inMemory = 0;
    pendingIds.clear();
    isBehind = true;
    behindSince = options.clock();
    options.onRewound();
    throw new Rewound();
  }

  async function askWhileIdle(): Promise<void> {
    try {
      await hasMoved();
    } catch (error) {
      if (!(error instanceof Rewound)) log.debug(errorFields(error), 'position not asked for');
    }
  }

  function refuse(text: string, error: unknown): void {
    log.error({ ...errorFields(error) }, 'journalled event refused by the database and set aside');
    appendFileSync(options.refusedFile, `${text}\n`, { flush: true });
  }

  function settleWaiting(): void {
    for (const one of waiting)
      if (isCaughtUp() || !isBefore(applied, one.until)) {
        waiting.delete(one);
        one.resolve();
      }
  }

  function isCaughtUp(): boolean {
    return !isBehind && memory.length === 0 && journal.bytesFrom(applied) === 0;
  }

  function sleep(ms: number | null): Promise<void> {
    return new Promise((resolve) => {
      const timer = ms === null ? undefined : setTimeout(wakeUp, ms);
      wake = wakeUp;
      function wakeUp(): void {
        clearTimeout(timer);
        wake = () => undefined;
        resolve();
      }
    });
  }

  let running: Promise<void> = Promise.resolve();
  let isStarted = false;

  return {
    push,
    start(): void {
      if (isStarted) return;
      isStarted = true;
      running = run();
    },
    /** Everything before it is in the database. */
    get position() {
      return applied;
    },
    /** Entries and bytes that are durable here and not yet in the database. */
    get pendingBytes() {
      return journal.bytesFrom(applied);
    },
    get isCaughtUp() {
      return isCaughtUp();
    },
    /** How long the oldest of them waits. */
    lagMs(now: number): number {
      const since = isBehind && memory.length === 0 ? behindSince : memory[0]?.appendedAt;
      return isCaughtUp() ? 0 : Math.max(0, now - (since ?? now));
    },
    /** Whether something of this id may still be on its way. */
    mayHold(id: string): boolean {
      return isBehind || pendingIds.has(id);
    },
    /** Resolves when everything durable by now is in the database. */
    drain(): Promise<void> {
      const until = journal.end;
      if (journal.bytesFrom(applied) === 0 || isStopped) return Promise.resolve();
      isHurried = true;
      return new Promise((resolve) => {
        waiting.add({ until, resolve });
        wake();
      });
    },
    async stop(): Promise<void> {
      isStopped = true;
      wake();
      for (const one of waiting) one.resolve();
      waiting.clear();
      await running;
    },
  };
}

const start: Position = { segment: 0, offset: 0 };

/** What was in memory is no longer what comes next. */
class Rewound extends Error {
  override readonly name = 'Rewound';
}

export function isBefore(a: Position, b: Position): boolean {
  return a.segment < b.segment || (a.segment === b.segment && a.offset < b.offset);
}

/** How many rows an entry brings; never none, or a batch of such entries would have no end. */
function weightOf(entry: Entry | undefined): number {
  if (entry === undefined) return 1;
  let weight = entry.events.length;
  for (const rows of Object.values(entry.rows ?? {}))
    for (const row of rows) weight += Math.max(1, idsOf(row).length);
  return Math.max(1, weight);
}

/** A row that stands for many names what it brings. */
function idsOf(row: unknown): string[] {
  return typeof row === 'object' && row !== null && 'ids' in row && Array.isArray(row.ids)
    ? row.ids.map(String)
    : [];
}
