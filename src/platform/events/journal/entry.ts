import type { EventRecord } from '../event.js';

/**
 * What one append carries, stored together or not at all: events, and rows of other tables by the
 * name of the recorder that knows where they go.
 */
export interface Entry {
  readonly events: readonly EventRecord[];
  readonly rows?: Readonly<Record<string, readonly unknown[]>>;
  /** When it was appended, since it is told: a restore to a moment ends by it. */
  readonly at?: number;
}

export function entryText({ events, rows }: Entry, at: number): string {
  return JSON.stringify(rows === undefined ? { at, events } : { at, events, rows });
}

/** Reads back what `entryText` wrote; null for anything else. */
export function readEntry(text: string): Entry | null {
  try {
    const value: unknown = JSON.parse(text);
    // A frame with the right checksum holds what `entryText` serialised.
    if (Array.isArray(value)) return { events: value as EventRecord[] };
    if (typeof value === 'object' && value !== null && 'events' in value) return value as Entry;
    return null;
  } catch {
    return null;
  }
}
