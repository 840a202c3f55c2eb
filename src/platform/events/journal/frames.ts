import * as zlib from 'node:zlib';
import { crc32 as byTable } from '../../../fast/crc32.js';

/** Node's own where it has one, the same checksum in a quarter of the time. */
const crc32 = (zlib as { crc32?: typeof byTable }).crc32 ?? byTable;

/** Four bytes no JSON text holds in this order: where reading can begin again behind damage. */
const magic = 0x8a4c_53f1;
const headerBytes = 16;
const maxPayloadBytes = 64 * 1024 * 1024;

/**
 * A frame is magic, length, number within its file, checksum over the last two and the payload,
 * payload. The number tells how many are missing behind a damaged place.
 */
export function encodeFrames(payloads: readonly string[], firstNumber: number): Buffer {
  let size = 0;
  const lengths = payloads.map((payload) => {
    const length = Buffer.byteLength(payload);
    size += headerBytes + length;
    return length;
  });
  const bytes = Buffer.allocUnsafe(size);
  let at = 0;
  payloads.forEach((payload, index) => {
    const length = lengths[index] ?? 0;
    bytes.writeUInt32LE(magic, at);
    bytes.writeUInt32LE(length, at + 4);
    bytes.writeUInt32LE((firstNumber + index) >>> 0, at + 8);
    bytes.write(payload, at + headerBytes);
    bytes.writeUInt32LE(checksum(bytes, at, length), at + 12);
    at += headerBytes + length;
  });
  return bytes;
}

/**
 * The length and number are covered too: zeros do not pass for an empty frame, nor a flipped bit.
 */
function checksum(bytes: Buffer, at: number, length: number): number {
  const ofHeader = crc32(bytes.subarray(at, at + 12));
  return (ofHeader ^ crc32(bytes.subarray(at + headerBytes, at + headerBytes + length))) >>> 0;
}

export interface Frame {
  readonly payload: string;
  readonly number: number;
  /** Where the next one begins. */
  readonly end: number;
}

/** The frame that begins here; null when there is none, or not a whole one. */
export function frameAt(bytes: Buffer, at: number): Frame | null {
  const size = sizeAt(bytes, at);
  if (size === null || at + size > bytes.length) return null;
  const length = size - headerBytes;
  if (bytes.readUInt32LE(at + 12) !== checksum(bytes, at, length)) return null;
  return {
    payload: bytes.toString('utf8', at + headerBytes, at + size),
    number: bytes.readUInt32LE(at + 8),
    end: at + size,
  };
}

/** How many bytes the frame here says it has; null when it is none. */
export function sizeAt(bytes: Buffer, at: number): number | null {
  if (at + headerBytes > bytes.length || bytes.readUInt32LE(at) !== magic) return null;
  const length = bytes.readUInt32LE(at + 4);
  return length > maxPayloadBytes ? null : headerBytes + length;
}

/** Where the next whole frame begins at or behind this place; null when there is none. */
export function nextFrameFrom(bytes: Buffer, from: number): number | null {
  const pattern = Buffer.allocUnsafe(4);
  pattern.writeUInt32LE(magic, 0);
  for (let at = bytes.indexOf(pattern, from); at !== -1; at = bytes.indexOf(pattern, at + 1))
    if (frameAt(bytes, at) !== null) return at;
  return null;
}
