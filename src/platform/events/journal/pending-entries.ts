import type { Entry } from './entry.js';
import type { Position } from './journal.js';

/** Applied ones are kept until they are this many: to cut them off moves all the others. */
const mostApplied = 1000;

export interface PendingEntry {
  readonly entry: Entry;
  readonly end: Position;
  readonly appendedAt: number;
  /** Told which events were new, unless the process ends or falls far behind first. */
  readonly onApplied?: ((isNew: boolean[]) => void) | undefined;
}

export interface Held extends PendingEntry {
  /** Came through memory, which counts what is pending. */
  readonly isNoted: boolean;
  /** How many rows it brings; never none, or a batch of such entries would have no end. */
  readonly weight: number;
}

export function hold(pending: PendingEntry, isNoted: boolean): Held {
  const { entry, end, appendedAt, onApplied } = pending;
  return { entry, end, appendedAt, onApplied, isNoted, weight: weightOf(entry) };
}

/** Entries in memory, in order, and the ids of all that were in it and are not applied yet. */
export class PendingEntries {
  /** Those that are not applied yet, behind some that are; from `untaken` on they wait. */
  private held: Held[] = [];
  private unapplied = 0;
  private untaken = 0;
  /**
   * Null until somebody asks, and again once nothing is left: to note every id and forget it cost as
   * much as a look at each event that is stored, and hardly anybody asks.
   */
  private ids: Map<string, number> | null = null;
  /** How many rows they bring. */
  weight = 0;

  get length(): number {
    return this.held.length - this.untaken;
  }

  get oldest(): PendingEntry | undefined {
    return this.held[this.untaken];
  }

  has(id: string): boolean {
    if (this.ids === null) {
      this.ids = new Map();
      for (let at = this.unapplied; at < this.held.length; at += 1) this.note(this.held[at], 1);
    }
    return this.ids.has(id);
  }

  push(pending: PendingEntry): void {
    const held = hold(pending, true);
    this.held.push(held);
    this.weight += held.weight;
    this.note(held, 1);
  }

  /** The next batch. Its ids stay known until it is `applied`. */
  take(batchEvents: number): Held[] {
    const to = batchEnd(this.held, this.untaken, batchEvents);
    const batch = this.held.slice(this.untaken, to);
    this.untaken = to;
    for (const { weight } of batch) this.weight -= weight;
    return batch;
  }

  /** What was taken first is applied first. */
  applied(batch: readonly Held[]): void {
    for (const held of batch) {
      // What was taken before all was forgotten is not counted any more.
      if (!held.isNoted || this.unapplied === this.untaken) continue;
      this.note(held, -1);
      this.unapplied += 1;
    }
    if (this.unapplied === this.held.length) this.clear();
    else if (this.unapplied >= mostApplied) {
      this.held.splice(0, this.unapplied);
      this.untaken -= this.unapplied;
      this.unapplied = 0;
    }
  }

  clear(): void {
    this.held = [];
    this.unapplied = 0;
    this.untaken = 0;
    this.weight = 0;
    this.ids = null;
  }

  private note(held: Held | undefined, by: 1 | -1): void {
    if (this.ids === null || held === undefined) return;
    const { events, rows } = held.entry;
    for (const { serveId, id } of events) this.noteId(this.ids, serveId ?? id, by);
    if (rows === undefined) return;
    for (const list of Object.values(rows))
      for (const row of list) {
        if (typeof row !== 'object' || row === null) continue;
        if ('id' in row && typeof row.id === 'string') this.noteId(this.ids, row.id, by);
        for (const id of idsOf(row)) this.noteId(this.ids, id, by);
      }
  }

  private noteId(ids: Map<string, number>, id: string, by: 1 | -1): void {
    const count = (ids.get(id) ?? 0) + by;
    if (count === 0) ids.delete(id);
    else ids.set(id, count);
  }
}

/** Where a batch that begins at `from` ends: one entry at least, then so many rows. */
export function batchEnd(entries: readonly Held[], from: number, batchEvents: number): number {
  let count = 0;
  let to = from;
  while (to < entries.length && (to === from || count < batchEvents))
    count += entries[to++]?.weight ?? 1;
  return to;
}

function weightOf({ events, rows }: Entry): number {
  let weight = events.length;
  if (rows === undefined) return Math.max(1, weight);
  for (const list of Object.values(rows))
    for (const row of list) weight += Math.max(1, idsOf(row).length);
  return Math.max(1, weight);
}

/** A row that stands for many names what it brings. */
function idsOf(row: unknown): string[] {
  return typeof row === 'object' && row !== null && 'ids' in row && Array.isArray(row.ids)
    ? row.ids.map(String)
    : [];
}
