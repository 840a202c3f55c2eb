import {
  appendFileSync,
  closeSync,
  fdatasyncSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { crc32 } from '../../domain/crc32.js';

const headerBytes = 8;
const maxFrameBytes = 64 * 1024 * 1024;

/**
 * A queue of frames on the local disk: length, CRC-32, payload. A frame is there only when it is
 * whole and synced; a torn
 * tail, left by a crash in the middle of a write, is cut when the spool is opened.
 */
export interface Spool {
  /** Durable when it returns. Throws when the disk refuses, leaving no half frame behind. */
  append(payloads: readonly string[]): void;
  /** The oldest frames not yet removed, up to `limit`; empty when drained. */
  read(limit: number): string[];
  /** Forgets the frames of the last `read`. */
  removeRead(): void;
  /** Keeps what the database will never take, for a person to look at. */
  setAside(payload: string): void;
  readonly pending: number;
  readonly bytes: number;
  close(): void;
}

export interface SpoolOptions {
  segmentBytes?: number;
  /** How bytes reach the disk; tests put a full one here. */
  write?: (handle: number, bytes: Uint8Array, offset: number) => number;
  sync?: (handle: number) => void;
}

interface Segment {
  number: number;
  path: string;
  /** Bytes of whole, synced frames; what lies behind them does not count. */
  size: number;
  /** Frames not yet removed. */
  frames: number;
}

export function openSpool(folder: string, options: SpoolOptions = {}): Spool {
  const { segmentBytes = 64 * 1024 * 1024, write = writeSync, sync = fdatasyncSync } = options;
  mkdirSync(folder, { recursive: true });
  const segments = recoverSegments(folder);
  let nextNumber = (segments.at(-1)?.number ?? 0) + 1;
  let writer: { segment: Segment; handle: number } | null = null;
  let readOffset = 0;
  let lastRead = { count: 0, offset: 0 };

  function openWriter(): { segment: Segment; handle: number } {
    if (writer !== null && writer.segment.size < segmentBytes) return writer;
    closeWriter();
    const segment: Segment = {
      number: nextNumber,
      path: join(folder, `${String(nextNumber).padStart(12, '0')}.spool`),
      size: 0,
      frames: 0,
    };
    const handle = openSync(segment.path, 'a');
    nextNumber += 1;
    writer = { segment, handle };
    return writer;
  }

  function closeWriter(): void {
    if (writer === null) return;
    const { handle } = writer;
    writer = null;
    closeSync(handle);
  }

  /**
   * Nothing may follow a write that failed: it could leave bytes behind, and a frame after them
   * would be cut with them.
   */
  function abandonWriter(segment: Segment, handle: number): void {
    try {
      ftruncateSync(handle, segment.size);
    } catch {
      // The tail stays torn: readers stop before it, and the next opening cuts it.
    }
    closeWriter();
    if (segment.size === 0) unlinkSync(segment.path);
  }

  function dropFirst(): void {
    const segment = segments.shift();
    if (writer !== null && writer.segment === segment) closeWriter();
    readOffset = 0;
    lastRead = { count: 0, offset: 0 };
  }

  return {
    append(payloads) {
      const { segment, handle } = openWriter();
      const frames = Buffer.concat(payloads.map(frame));
      try {
        let written = 0;
        while (written < frames.length) written += write(handle, frames, written);
        sync(handle);
        // A new file is there after a power cut only if its folder was synced too.
        if (segment.size === 0) syncFolder(folder);
      } catch (error) {
        abandonWriter(segment, handle);
        throw error;
      }
      if (segment.size === 0) segments.push(segment);
      segment.size += frames.length;
      segment.frames += payloads.length;
    },
    read(limit) {
      for (;;) {
        const segment = segments[0];
        if (segment === undefined) return [];
        const found = readFrames(segment.path, readOffset, segment.size, limit);
        lastRead = { count: found.frames.length, offset: found.end };
        if (found.frames.length > 0) return found.frames;
        // Bytes that were whole when written read differently now: kept aside, so that what follows
        // is not held up.
        renameSync(segment.path, `${segment.path}.damaged`);
        dropFirst();
      }
    },
    removeRead() {
      const segment = segments[0];
      if (segment === undefined) return;
      segment.frames -= lastRead.count;
      readOffset = lastRead.offset;
      lastRead = { count: 0, offset: readOffset };
      if (readOffset < segment.size) return;
      dropFirst();
      unlinkSync(segment.path);
    },
    setAside(payload) {
      appendFileSync(join(folder, 'refused.jsonl'), `${payload}\n`, { flush: true });
    },
    get pending() {
      return segments.reduce((sum, segment) => sum + segment.frames, 0);
    },
    get bytes() {
      return segments.reduce((sum, segment) => sum + segment.size, 0) - readOffset;
    },
    close: closeWriter,
  };
}

function frame(payload: string): Buffer {
  const body = Buffer.from(payload);
  const whole = Buffer.allocUnsafe(headerBytes + body.length);
  whole.writeUInt32LE(body.length, 0);
  whole.writeUInt32LE(crc32(body), 4);
  body.copy(whole, headerBytes);
  return whole;
}

function syncFolder(folder: string): void {
  const handle = openSync(folder, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}

/** What an earlier process left, oldest first, torn tails cut, empty files gone. */
function recoverSegments(folder: string): Segment[] {
  const names = readdirSync(folder)
    .filter((name) => /^\d{12}\.spool$/.test(name))
    .sort();
  return names.flatMap((name) => {
    const path = join(folder, name);
    const { frames, size } = recover(path);
    if (size > 0) return [{ number: Number(name.slice(0, 12)), path, size, frames }];
    unlinkSync(path);
    return [];
  });
}

/** Counts the whole frames and cuts whatever follows them. */
function recover(path: string): { frames: number; size: number } {
  const length = statSync(path).size;
  const { frames, end } = readFrames(path, 0, length, Number.POSITIVE_INFINITY);
  if (end < length) {
    const handle = openSync(path, 'r+');
    try {
      ftruncateSync(handle, end);
      fdatasyncSync(handle);
    } finally {
      closeSync(handle);
    }
  }
  return { frames: frames.length, size: end };
}

function readFrames(
  path: string,
  start: number,
  size: number,
  limit: number,
): { frames: string[]; end: number } {
  const frames: string[] = [];
  const header = Buffer.alloc(headerBytes);
  const handle = openSync(path, 'r');
  let at = start;
  try {
    while (frames.length < limit && at + headerBytes <= size) {
      readSync(handle, header, 0, headerBytes, at);
      const length = header.readUInt32LE(0);
      if (length > maxFrameBytes || at + headerBytes + length > size) break;
      const body = Buffer.allocUnsafe(length);
      readSync(handle, body, 0, length, at + headerBytes);
      if (crc32(body) !== header.readUInt32LE(4)) break;
      frames.push(body.toString());
      at += headerBytes + length;
    }
  } finally {
    closeSync(handle);
  }
  return { frames, end: at };
}
