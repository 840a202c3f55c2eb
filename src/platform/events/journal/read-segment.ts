import { closeSync, openSync, readSync } from 'node:fs';
import { basename } from 'node:path';
import type { Damage } from './damage.js';
import { type Frame, frameAt, nextFrameFrom, sizeAt } from './frames.js';
import type { Segment } from './segment-files.js';

const chunkBytes = 1024 * 1024;

export interface ReadFrames {
  frames: Frame[];
  /** Where reading goes on; the file's size when nothing more is in it. */
  end: number;
}

/**
 * Whole frames of a file from a place on, about a megabyte of them. What cannot be read is set
 * aside, and reading goes on at the next frame that can.
 */
export function readSegment(segment: Segment, from: number, damage: Damage): ReadFrames {
  const handle = openSync(segment.path, 'r');
  try {
    const frames: Frame[] = [];
    let at = from;
    let wanted = chunkBytes;
    while (at < segment.size && frames.length === 0) {
      const bytes = readBytes(handle, at, Math.min(segment.size, at + wanted));
      let inside = 0;
      for (let frame = frameAt(bytes, 0); frame !== null; frame = frameAt(bytes, inside)) {
        frames.push({ ...frame, end: at + frame.end });
        inside = frame.end;
      }
      at += inside;
      if (frames.length > 0 || at >= segment.size) break;
      const claimed = sizeAt(bytes, 0);
      if (claimed !== null && claimed > bytes.length && at + claimed <= segment.size)
        wanted = claimed;
      else at = passDamage(handle, segment, at, damage);
    }
    return { frames, end: at };
  } finally {
    closeSync(handle);
  }
}

function passDamage(handle: number, segment: Segment, from: number, damage: Damage): number {
  const bytes = readBytes(handle, from, segment.size);
  const next = nextFrameFrom(bytes, 1);
  const before = frameNumberBefore(handle, segment, from);
  const behind = next === null ? null : (frameAt(bytes, next)?.number ?? null);
  damage.setAside({
    file: basename(segment.path, '.log'),
    from,
    bytes: bytes.subarray(0, next ?? bytes.length),
    missing: before === null || behind === null ? null : behind - before - 1,
  });
  return next === null ? segment.size : from + next;
}

/** The number of the last whole frame in front of a place, -1 at the beginning of the file. */
function frameNumberBefore(handle: number, segment: Segment, from: number): number | null {
  if (from === 0) return -1;
  const bytes = readBytes(handle, 0, Math.min(from, segment.size));
  let number: number | null = null;
  for (let at: number | null = 0; at !== null && at < from;) {
    const frame = frameAt(bytes, at);
    if (frame === null) at = nextFrameFrom(bytes, at + 1);
    else {
      number = frame.number;
      at = frame.end;
    }
  }
  return number;
}

function readBytes(handle: number, from: number, to: number): Buffer {
  const bytes = Buffer.allocUnsafe(to - from);
  let filled = 0;
  while (filled < bytes.length) {
    const read = readSync(handle, bytes, filled, bytes.length - filled, from + filled);
    if (read === 0) break;
    filled += read;
  }
  return bytes.subarray(0, filled);
}
