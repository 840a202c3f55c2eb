import { randomUUID } from 'node:crypto';
import {
  closeSync,
  existsSync,
  fdatasync,
  fsync,
  ftruncateSync,
  openSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Log } from '../../log.js';
import { type Damage, openDamage } from './damage.js';
import { encodeFrames } from './frames.js';
import { readSegment } from './read-segment.js';
import { openedToSync } from '../../disk.js';
import { listSegments, type Segment, segmentPath, syncFolder } from './segment-files.js';

/** A place in the journal: everything before it comes before. */
export interface Position {
  readonly segment: number;
  readonly offset: number;
}

/** How bytes reach the disk; tests put a full, a torn or a forgetful one here. */
export interface Disk {
  write(handle: number, bytes: Uint8Array, offset: number): number;
  sync(handle: number, done: (error: Error | null) => void): void;
}

const realDisk: Disk = { write: writeSync, sync: fdatasync };

export interface JournalOptions {
  log: Log;
  segmentBytes?: number;
  /** More than this not yet applied, and nothing more is taken. */
  maxBytes?: number;
  /** How long what was applied is kept, should the database lose it, and how much of it. */
  keepMs?: number;
  keepBytes?: number;
  /** Milliseconds that never go back. */
  now?: () => number;
  disk?: Disk;
}

/**
 * The log of this node: frames in numbered files on the local disk. What is appended while the disk
 * syncs is written and synced together next, so that one sync serves many.
 */
export interface Journal {
  /** Of this folder, for as long as it exists. */
  readonly id: string;
  readonly damage: Damage;
  /** Behind the last durable frame. */
  readonly end: Position;
  /** Numbers of files up to this one were used once and are not used again. */
  startAfter(segment: number): void;
  /** Calls back in the order of appending, once the frame is durable or refused. */
  append(payload: string, done: (error: Error | null, end: Position) => void): void;
  /** Durable payloads from a place on, some of them; none when it is the end. */
  read(from: Position): { payloads: { payload: string; end: Position }[]; next: Position };
  /** Everything before this place is applied: it goes once it was kept long enough. */
  release(applied: Position): void;
  /** Where what is still there begins. */
  readonly keptFrom: Position;
  /** Bytes between a place and the end. */
  bytesFrom(position: Position): number;
  /** Begins a new file, so that the one before can go. */
  rotate(): void;
  /** Files with later numbers that nothing more is written to. */
  finished(after: number): readonly Segment[];
  /** Files with later numbers are kept until they were copied elsewhere. */
  keepUnshipped(through: number): void;
  /** Resolves when everything appended so far was synced or refused. */
  flushed(): Promise<void>;
  close(): Promise<void>;
}

interface Waiting {
  payload: string;
  done: (error: Error | null, end: Position) => void;
}

interface Writer {
  segment: Segment;
  handle: number;
  /** Frames in the file. */
  count: number;
}

/** Old files are only read: whatever a crash left at their ends, nothing is written behind it. */
export function openJournal(folder: string, options: JournalOptions): Journal {
  const { log, segmentBytes = 16 * 1024 * 1024, maxBytes = Infinity, disk = realDisk } = options;
  const { keepMs = 0, keepBytes = Infinity, now = () => performance.now() } = options;
  const segments = listSegments(folder);
  const id = journalId(folder);
  const damage = openDamage(folder, log);
  let nextNumber = (segments.at(-1)?.number ?? 0) + 1;
  let writer: Writer | null = null;
  let queue: Waiting[] = [];
  let committing = false;
  let released: Position = { segment: segments[0]?.number ?? nextNumber, offset: 0 };
  let whenIdle: (() => void)[] = [];
  let rotatesNext = false;
  let shippedThrough = Infinity;

  const end = (): Position => {
    const last = segments.at(-1);
    return last === undefined
      ? { segment: nextNumber, offset: 0 }
      : { segment: last.number, offset: last.size };
  };

  function openWriter(): Writer {
    if (writer !== null && writer.segment.size < segmentBytes && !rotatesNext) return writer;
    closeWriter();
    const path = segmentPath(folder, nextNumber);
    const handle = openSync(path, 'w');
    writer = { segment: { number: nextNumber, path, size: 0, doneAt: null }, handle, count: 0 };
    nextNumber += 1;
    return writer;
  }

  function closeWriter(): void {
    rotatesNext = false;
    if (writer === null) return;
    const { handle, segment } = writer;
    writer = null;
    tryOn(segment, () => closeSync(handle));
  }

  /** What a failing disk refuses here changes nothing: the file is not written to again. */
  function tryOn({ number }: Segment, work: () => void): void {
    try {
      work();
    } catch (error) {
      log.warn({ error: String(error), segment: number }, 'journal not tidied up');
    }
  }

  /** After a write or sync that failed nobody knows what is in the file: a new one is begun. */
  function abandonWriter(): void {
    if (writer === null) return;
    const { segment, handle } = writer;
    tryOn(segment, () => ftruncateSync(handle, segment.size));
    closeWriter();
    if (segment.size === 0) tryOn(segment, () => rmSync(segment.path, { force: true }));
  }

  function commit(): void {
    const batch = queue;
    queue = [];
    if (bytesFrom(released) > maxBytes) {
      refuse(batch, Object.assign(new Error('the journal is full'), { code: 'ENOSPC' }));
      return next();
    }
    try {
      const open = openWriter();
      const frames = encodeFrames(
        batch.map((waiting) => waiting.payload),
        open.count,
      );
      for (let at = 0; at < frames.length;) at += disk.write(open.handle, frames, at);
      const isFirst = open.segment.size === 0;
      disk.sync(open.handle, (error) => {
        if (error !== null || !isFirst) settle(batch, open, frames, error);
        else syncFolderOf(folder, (failed) => settle(batch, open, frames, failed));
      });
    } catch (error) {
      abandonWriter();
      makeRoom(error);
      refuse(batch, error instanceof Error ? error : new Error(String(error)));
      next();
    }
  }

  function settle(batch: Waiting[], open: Writer, frames: Buffer, error: Error | null): void {
    if (error !== null) {
      abandonWriter();
      makeRoom(error);
      refuse(batch, error);
      return next();
    }
    if (open.segment.size === 0) segments.push(open.segment);
    open.segment.size += frames.length;
    open.count += batch.length;
    let offset = open.segment.size - frames.length;
    for (const waiting of batch) {
      offset += 16 + frames.readUInt32LE(offset - (open.segment.size - frames.length) + 4);
      waiting.done(null, { segment: open.segment.number, offset });
    }
    next();
  }

  function refuse(batch: readonly Waiting[], error: Error): void {
    for (const waiting of batch) waiting.done(error, end());
  }

  function next(): void {
    if (queue.length > 0) return commit();
    committing = false;
    const waiting = whenIdle;
    whenIdle = [];
    for (const resolve of waiting) resolve();
  }

  function isDone(segment: Segment): boolean {
    if (segment === writer?.segment) return false;
    const { number, size } = segment;
    return number < released.segment || (number === released.segment && released.offset >= size);
  }

  /** What is only kept for a bad day goes when the disk is full. */
  function makeRoom(error: unknown): void {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') letGo(Infinity);
  }

  /** The oldest first, so that what is kept is whole from some place on. */
  function letGo(at: number): void {
    let kept = 0;
    for (const segment of segments) if (segment.doneAt !== null) kept += segment.size;
    for (let first = segments[0]; first !== undefined; first = segments[0]) {
      const { doneAt, number, size, path } = first;
      if (doneAt === null || number > shippedThrough) return;
      if (at - doneAt < keepMs && kept <= keepBytes) return;
      segments.shift();
      tryOn(first, () => rmSync(path, { force: true }));
      kept -= size;
    }
  }

  function bytesFrom(position: Position): number {
    let sum = 0;
    for (const segment of segments)
      if (segment.number > position.segment) sum += segment.size;
      else if (segment.number === position.segment)
        sum += Math.max(0, segment.size - position.offset);
    return sum;
  }

  function flushed(): Promise<void> {
    return committing ? new Promise((resolve) => whenIdle.push(resolve)) : Promise.resolve();
  }

  return {
    id,
    damage,
    startAfter(segment) {
      nextNumber = Math.max(nextNumber, segment + 1);
    },
    get end() {
      return end();
    },
    append(payload, done) {
      queue.push({ payload, done });
      if (committing) return;
      committing = true;
      // What this turn of the loop appends goes together.
      queueMicrotask(commit);
    },
    read(from) {
      let at = from;
      for (;;) {
        const segment = segments.find((one) => one.number >= at.segment);
        if (segment === undefined) return { payloads: [], next: at };
        const offset = segment.number === at.segment ? at.offset : 0;
        const { number } = segment;
        if (offset < segment.size) {
          const found = readSegment(segment, offset, damage);
          at = { segment: number, offset: found.end };
          if (found.frames.length > 0)
            return {
              payloads: found.frames.map((frame) => ({
                payload: frame.payload,
                end: { segment: number, offset: frame.end },
              })),
              next: at,
            };
        } else {
          if (segment === segments.at(-1))
            return { payloads: [], next: { segment: number, offset } };
          at = { segment: number + 1, offset: 0 };
        }
      }
    },
    release(applied) {
      released = applied;
      const at = now();
      for (const segment of segments)
        segment.doneAt = isDone(segment) ? (segment.doneAt ?? at) : null;
      letGo(at);
    },
    get keptFrom() {
      return { segment: segments[0]?.number ?? nextNumber, offset: 0 };
    },
    bytesFrom,
    rotate() {
      if (committing) rotatesNext = true;
      else closeWriter();
    },
    finished: (after) =>
      segments.filter((segment) => segment.number > after && segment !== writer?.segment),
    keepUnshipped(through) {
      shippedThrough = through;
    },
    flushed,
    async close() {
      await flushed();
      closeWriter();
    },
  };
}

/** Says in the database whose position a position is. */
function journalId(folder: string): string {
  const path = join(folder, 'id');
  const known = existsSync(path) ? readFileSync(path, 'utf8').trim() : '';
  if (/^[0-9a-f-]{36}$/.test(known)) return known;
  const id = randomUUID();
  writeFileSync(path, `${id}\n`, { flush: true });
  syncFolder(folder);
  return id;
}

function syncFolderOf(folder: string, done: (error: Error | null) => void): void {
  const how = openedToSync(true);
  if (how === null) return done(null);
  let handle: number;
  try {
    handle = openSync(folder, how);
  } catch (error) {
    return done(error instanceof Error ? error : new Error(String(error)));
  }
  fsync(handle, (error) => {
    closeSync(handle);
    done(error);
  });
}
