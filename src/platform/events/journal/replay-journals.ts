import { errorFields, type Log } from '../../log.js';
import { isAboutData } from '../store-events.js';
import type { StoreEntries } from './applier.js';
import type { Damage } from './damage.js';
import { type Entry, readEntry } from './entry.js';
import type { Position } from './journal.js';
import { readSegment } from './read-segment.js';
import type { Segment } from './segment-files.js';

/** Copies of the files of one journal, in order. */
export interface JournalCopy {
  readonly id: string;
  readonly segments: readonly Segment[];
}

export interface Replayed {
  events: number;
  entries: number;
  /** Refused by the database and set aside. */
  refused: number;
  /** When the last of them was appended. */
  lastAt: number | null;
  damagedPlaces: number;
  /** Files that should be between others and are not there. */
  missing: string[];
}

export interface ReplayOptions {
  journals: readonly JournalCopy[];
  /** Nothing that was appended later is applied. */
  until: number;
  findPosition: (journalId: string) => Promise<Position | null>;
  storeOf: (journalId: string) => StoreEntries;
  refuse: (text: string) => void;
  log: Log;
}

interface Head {
  entry: Entry;
  at: number;
  end: Position;
}

interface Source {
  readonly store: StoreEntries;
  readonly heads: Generator<Head>;
  head: Head | null;
  position: Position | null;
}

const batchEvents = 500;
/** Of two journals the one behind goes first, but for so little that batches stay large. */
const togetherMs = 1000;

/**
 * Brings copies of journals into a database that is behind them, in the order of time over all of
 * them, each entry once, up to a moment.
 */
export async function replayJournals(options: ReplayOptions): Promise<Replayed> {
  const replayed: Replayed = {
    events: 0,
    entries: 0,
    refused: 0,
    lastAt: null,
    damagedPlaces: 0,
    missing: [],
  };
  const sources: Source[] = [];
  for (const journal of options.journals) {
    const position = await options.findPosition(journal.id);
    replayed.missing.push(...missingFiles(journal, position));
    const heads = entriesOf(journal, position, readOnlyDamage(replayed, options.log));
    const source = { store: options.storeOf(journal.id), heads, head: null, position };
    sources.push(source);
    advance(source);
  }
  for (;;) {
    const [first, second] = sources
      .filter(({ head }) => head !== null && head.at <= options.until)
      .sort((a, b) => (a.head?.at ?? 0) - (b.head?.at ?? 0));
    if (first === undefined) return replayed;
    const most = Math.min(options.until, (second?.head?.at ?? Infinity) + togetherMs);
    await apply(first, takeBatch(first, most), options, replayed);
  }
}

function advance(source: Source): void {
  const next = source.heads.next();
  source.head = next.done === true ? null : next.value;
}

function takeBatch(source: Source, most: number): Head[] {
  const batch: Head[] = [];
  for (let events = 0; source.head !== null && source.head.at <= most && events < batchEvents;) {
    batch.push(source.head);
    events += Math.max(1, source.head.entry.events.length);
    advance(source);
  }
  return batch;
}

async function apply(
  source: Source,
  batch: readonly Head[],
  options: ReplayOptions,
  replayed: Replayed,
): Promise<void> {
  const last = batch.at(-1);
  if (last === undefined) return;
  const move = { from: source.position, to: last.end };
  try {
    await source.store(
      batch.map(({ entry }) => entry),
      move,
    );
  } catch (error) {
    if (!isAboutData(error)) throw error;
    if (batch.length > 1) {
      for (const one of batch) await apply(source, [one], options, replayed);
      return;
    }
    options.log.warn(errorFields(error), 'entry refused by the database and set aside');
    options.refuse(JSON.stringify(last.entry));
    await source.store([], move);
    source.position = last.end;
    replayed.refused += 1;
    return;
  }
  source.position = last.end;
  replayed.entries += batch.length;
  replayed.events += batch.reduce((sum, { entry }) => sum + entry.events.length, 0);
  replayed.lastAt = Math.max(replayed.lastAt ?? 0, last.at);
}

function* entriesOf(
  { segments }: JournalCopy,
  from: Position | null,
  damage: Damage,
): Generator<Head> {
  let at = 0;
  for (const segment of segments) {
    const { number, size } = segment;
    if (number < (from?.segment ?? 0)) continue;
    for (let offset = number === from?.segment ? from.offset : 0; offset < size;) {
      const { frames, end } = readSegment(segment, offset, damage);
      for (const frame of frames) {
        const entry = readEntry(frame.payload) ?? { events: [] };
        at = timeOf(entry) ?? at;
        yield { entry, at, end: { segment: number, offset: frame.end } };
      }
      offset = end;
    }
  }
}

/** Entries of earlier releases do not say when they were appended; their events are as old. */
function timeOf({ at, events }: Entry): number | null {
  if (at !== undefined) return at;
  return events.length === 0 ? null : Math.max(...events.map((event) => event.at));
}

/** Numbers are given one after the other; earlier releases left out those of files that stayed empty. */
function missingFiles({ id, segments }: JournalCopy, from: Position | null): string[] {
  const missing: string[] = [];
  let expected = from?.segment ?? segments[0]?.number ?? 0;
  for (const { number } of segments) {
    if (number < expected) continue;
    if (number > expected + (from?.segment === expected ? 1 : 0))
      missing.push(`${id}/${expected} to ${number - 1}`);
    expected = number + 1;
  }
  return missing;
}

/** Copies are left as they are; what cannot be read is counted. */
function readOnlyDamage(replayed: Replayed, log: Log): Damage {
  return {
    places: 0,
    bytes: 0,
    setAside({ file, from, bytes }) {
      if (bytes.every((byte) => byte === 0)) return;
      replayed.damagedPlaces += 1;
      log.error({ file, from, bytes: bytes.length }, 'a part of the journal cannot be read');
    },
    // Asked for all copies together before anything is replayed.
    noteLost: () => undefined,
    sweep: () => 0,
  };
}
