import type { Entry } from './entry.js';
import type { Position } from './journal.js';

export interface PendingEntry {
  readonly entry: Entry;
  readonly end: Position;
  readonly appendedAt: number;
  /** Told which events were new, unless the process ends or falls far behind first. */
  readonly onApplied?: ((isNew: boolean[]) => void) | undefined;
}

export interface Held extends PendingEntry {
  /** Came through memory, where what is pending is known by id. */
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
  private entries: Held[] = [];
  private readonly ids = new Map<string, number>();
  /** How many rows they bring. */
  weight = 0;

  get length(): number {
    return this.entries.length;
  }

  get oldest(): PendingEntry | undefined {
    return this.entries[0];
  }

  has(id: string): boolean {
    return this.ids.has(id);
  }

  push(pending: PendingEntry): void {
    const held = hold(pending, true);
    this.entries.push(held);
    this.weight += held.weight;
    this.note(pending.entry, 1);
  }

  /** The next batch. Its ids stay known until it is `applied`. */
  take(batchEvents: number): Held[] {
    const taken = batchEnd(this.entries, 0, batchEvents);
    const batch = this.entries.slice(0, taken);
    this.entries = this.entries.slice(taken);
    for (const { weight } of batch) this.weight -= weight;
    return batch;
  }

  applied(batch: readonly Held[]): void {
    for (const { entry, isNoted } of batch) if (isNoted) this.note(entry, -1);
  }

  clear(): void {
    this.entries = [];
    this.weight = 0;
    this.ids.clear();
  }

  private note({ events, rows }: Entry, by: 1 | -1): void {
    for (const { serveId, id } of events) this.noteId(serveId ?? id, by);
    if (rows === undefined) return;
    for (const list of Object.values(rows))
      for (const row of list) {
        if (typeof row !== 'object' || row === null) continue;
        if ('id' in row && typeof row.id === 'string') this.noteId(row.id, by);
        for (const id of idsOf(row)) this.noteId(id, by);
      }
  }

  private noteId(id: string, by: 1 | -1): void {
    const count = (this.ids.get(id) ?? 0) + by;
    if (count === 0) this.ids.delete(id);
    else this.ids.set(id, count);
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
