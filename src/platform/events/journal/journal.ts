import { closeSync, fdatasync, fsync, mkdirSync, openSync, writeSync } from 'node:fs';
import type { Log } from '../../log.js';
import { type Damage, openDamage } from './damage.js';
import { encodeFrames } from './frames.js';
import { JournalMark } from './journal-mark.js';
import { KeptSegments } from './kept-segments.js';
import { openedToSync } from '../../disk.js';
import type { Segment } from './segment-files.js';
import { type OpenSegment, SegmentWriter } from './segment-writer.js';

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
  /** A file that cannot be found for so long was deleted. */
  missingMs?: number;
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

/** Old files are only read: whatever a crash left at their ends, nothing is written behind it. */
export function openJournal(folder: string, options: JournalOptions): Journal {
  return new FileJournal(folder, options);
}

class FileJournal implements Journal {
  readonly id: string;
  readonly damage: Damage;
  private readonly folder: string;
  private readonly maxBytes: number;
  private readonly disk: Disk;
  private readonly segments: KeptSegments;
  private readonly writer: SegmentWriter;
  private queue: Waiting[] = [];
  private isCommitting = false;
  private whenIdle: (() => void)[] = [];

  constructor(folder: string, options: JournalOptions) {
    const { log, segmentBytes = 16 * 1024 * 1024, maxBytes = Infinity, disk = realDisk } = options;
    const { keepMs = 0, keepBytes = Infinity, missingMs = 30_000 } = options;
    const { now = () => performance.now() } = options;
    this.folder = folder;
    this.maxBytes = maxBytes;
    this.disk = disk;
    mkdirSync(folder, { recursive: true });
    const mark = new JournalMark(folder, log);
    this.id = mark.id;
    this.segments = new KeptSegments(folder, { keepMs, keepBytes, missingMs, now, log, mark });
    this.writer = new SegmentWriter(folder, this.segments, segmentBytes, log);
    this.damage = openDamage(folder, log);
    this.segments.noteMissing(this.damage);
  }

  startAfter(segment: number): void {
    this.segments.startAfter(segment);
  }

  get end(): Position {
    return this.segments.end;
  }

  get keptFrom(): Position {
    return this.segments.first;
  }

  bytesFrom(position: Position): number {
    return this.segments.bytesFrom(position);
  }

  append(payload: string, done: Waiting['done']): void {
    this.queue.push({ payload, done });
    if (this.isCommitting) return;
    this.isCommitting = true;
    // What this turn of the loop appends goes together.
    queueMicrotask(() => this.commit());
  }

  read(from: Position): ReturnType<Journal['read']> {
    return this.segments.read(from, this.damage);
  }

  release(applied: Position): void {
    this.segments.release(applied, this.writer.segment);
  }

  rotate(): void {
    if (this.isCommitting) this.writer.rotateNext();
    else this.writer.close();
  }

  finished(after: number): readonly Segment[] {
    return this.segments.after(after).filter((segment) => segment !== this.writer.segment);
  }

  keepUnshipped(through: number): void {
    this.segments.keepUnshipped(through);
  }

  flushed(): Promise<void> {
    return this.isCommitting
      ? new Promise((resolve) => this.whenIdle.push(resolve))
      : Promise.resolve();
  }

  async close(): Promise<void> {
    await this.flushed();
    this.writer.close();
  }

  private commit(): void {
    const batch = this.queue;
    this.queue = [];
    if (this.segments.unappliedBytes > this.maxBytes) {
      this.refuse(batch, Object.assign(new Error('the journal is full'), { code: 'ENOSPC' }));
      return this.next();
    }
    try {
      const open = this.writer.open();
      const frames = encodeFrames(
        batch.map((waiting) => waiting.payload),
        open.count,
      );
      for (let at = 0; at < frames.length;) at += this.disk.write(open.handle, frames, at);
      const isFirst = open.segment.size === 0;
      this.disk.sync(open.handle, (error) => {
        if (error !== null || !isFirst) this.settle(batch, open, frames, error);
        else syncFolderOf(this.folder, (failed) => this.settle(batch, open, frames, failed));
      });
    } catch (error) {
      this.fail(batch, error instanceof Error ? error : new Error(String(error)));
    }
  }

  private settle(batch: Waiting[], open: OpenSegment, frames: Buffer, error: Error | null): void {
    if (error !== null) return this.fail(batch, error);
    if (open.segment.size === 0) this.segments.add(open.segment);
    open.segment.size += frames.length;
    open.count += batch.length;
    let offset = open.segment.size - frames.length;
    for (const waiting of batch) {
      offset += 16 + frames.readUInt32LE(offset - (open.segment.size - frames.length) + 4);
      waiting.done(null, { segment: open.segment.number, offset });
    }
    this.next();
  }

  private fail(batch: readonly Waiting[], error: Error): void {
    this.writer.abandon();
    if ('code' in error && error.code === 'ENOSPC') this.segments.makeRoom();
    this.refuse(batch, error);
    this.next();
  }

  private refuse(batch: readonly Waiting[], error: Error): void {
    for (const waiting of batch) waiting.done(error, this.end);
  }

  private next(): void {
    if (this.queue.length > 0) return this.commit();
    this.isCommitting = false;
    const waiting = this.whenIdle;
    this.whenIdle = [];
    for (const resolve of waiting) resolve();
  }
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
