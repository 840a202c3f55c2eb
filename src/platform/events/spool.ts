import { closeSync, existsSync, fdatasyncSync, ftruncateSync, mkdirSync, openSync, readdirSync, readSync, statSync, unlinkSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { crc32 } from '../../domain/crc32.js';

const headerBytes = 8;
const segmentBytes = 64 * 1024 * 1024;
const maxFrameBytes = 64 * 1024 * 1024;

/**
 * A queue of frames on the local disk: length, CRC-32, payload. A frame is there only when it is whole and synced; a torn
 * tail, left by a crash in the middle of a write, is cut when the spool is opened.
 */
export interface Spool {
  /** Durable when it returns. Throws when the disk refuses, leaving no half frame behind. */
  append(payloads: readonly string[]): void;
  /** The oldest frames not yet removed, up to `limit`; empty when drained. */
  read(limit: number): string[];
  /** Forgets the frames of the last `read`. */
  removeRead(): void;
  readonly pending: number;
  readonly bytes: number;
  close(): void;
}

interface Segment {
  number: number;
  path: string;
  size: number;
}

export function openSpool(folder: string): Spool {
  mkdirSync(folder, { recursive: true });
  const segments = readdirSync(folder)
    .flatMap((name) => /^(\d{12})\.spool$/.exec(name)?.[1] ?? [])
    .sort()
    .map((digits): Segment => ({ number: Number(digits), path: join(folder, `${digits}.spool`), size: 0 }));
  let pending = 0;
  for (const segment of segments) {
    const { frames, size } = recover(segment.path);
    segment.size = size;
    pending += frames;
  }
  let writer: { segment: Segment; handle: number } | null = null;
  let readOffset = 0;
  let lastRead = { count: 0, offset: 0 };

  function openWriter(): { segment: Segment; handle: number } {
    const last = segments.at(-1);
    if (writer !== null && writer.segment === last && last.size < segmentBytes) return writer;
    if (writer !== null) closeSync(writer.handle);
    const number = (last?.number ?? 0) + 1;
    const segment = { number, path: join(folder, `${String(number).padStart(12, '0')}.spool`), size: 0 };
    writer = { segment, handle: openSync(segment.path, 'a') };
    segments.push(segment);
    return writer;
  }

  return {
    append(payloads) {
      const { segment, handle } = openWriter();
      const frames = Buffer.concat(payloads.map(frame));
      try {
        let written = 0;
        while (written < frames.length) written += writeSync(handle, frames, written);
        fdatasyncSync(handle);
      } catch (error) {
        ftruncateSync(handle, segment.size);
        throw error;
      }
      segment.size += frames.length;
      pending += payloads.length;
    },
    read(limit) {
      const segment = segments[0];
      if (segment === undefined) return [];
      const payloads = readFrames(segment.path, readOffset, segment.size, limit);
      lastRead = { count: payloads.frames.length, offset: payloads.end };
      return payloads.frames;
    },
    removeRead() {
      const segment = segments[0];
      if (segment === undefined) return;
      pending -= lastRead.count;
      readOffset = lastRead.offset;
      lastRead = { count: 0, offset: readOffset };
      if (readOffset < segment.size) return;
      if (writer?.segment === segment) {
        closeSync(writer.handle);
        writer = null;
      }
      unlinkSync(segment.path);
      segments.shift();
      readOffset = 0;
    },
    get pending() {
      return pending;
    },
    get bytes() {
      return segments.reduce((sum, segment) => sum + segment.size, 0) - readOffset;
    },
    close() {
      if (writer !== null) closeSync(writer.handle);
      writer = null;
    },
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

/** Counts the whole frames and cuts whatever follows them. */
function recover(path: string): { frames: number; size: number } {
  const length = existsSync(path) ? statSync(path).size : 0;
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

function readFrames(path: string, start: number, size: number, limit: number): { frames: string[]; end: number } {
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
