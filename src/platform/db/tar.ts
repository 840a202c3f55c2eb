import { closeSync, mkdirSync, openSync, writeSync } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { dirname, join, normalize, sep } from 'node:path';

const BLOCK = 512;
const CHUNK = 1 << 20;
const SIZE_AT = 124;
const SUM_AT = 148;
const SUM_LENGTH = 8;
const TYPE_AT = 156;
const FILE_TYPES = new Set(['0', '\0']);
const DIRECTORY = '5';

export class BrokenTar extends Error {
  override readonly name = 'BrokenTar';
}

/** The files and directories below `dir` as a tar stream, a chunk at a time. */
export async function* packTar(dir: string): AsyncGenerator<Buffer> {
  yield* packBelow(dir, '');
  yield Buffer.alloc(2 * BLOCK);
}

async function* packBelow(root: string, below: string): AsyncGenerator<Buffer> {
  for (const entry of (await readdir(join(root, below), { withFileTypes: true })).sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )) {
    const path = below === '' ? entry.name : `${below}/${entry.name}`;
    if (entry.isDirectory()) {
      yield header(path, 0, DIRECTORY);
      yield* packBelow(root, path);
    } else if (entry.isFile()) {
      yield* packFile(root, path);
    }
  }
}

async function* packFile(root: string, path: string): AsyncGenerator<Buffer> {
  const { size } = await stat(join(root, path));
  yield header(path, size, '0');
  const file = await open(join(root, path), 'r');
  try {
    for (let at = 0; at < size;) {
      const { buffer, bytesRead } = await file.read(
        Buffer.allocUnsafe(Math.min(CHUNK, size - at)),
        0,
        undefined,
        at,
      );
      if (bytesRead === 0) throw new BrokenTar(`${path} shrank while it was read`);
      at += bytesRead;
      yield buffer.subarray(0, bytesRead);
    }
  } finally {
    await file.close();
  }
  if (size % BLOCK > 0) yield Buffer.alloc(BLOCK - (size % BLOCK));
}

function header(path: string, size: number, type: string): Buffer {
  const block = Buffer.alloc(BLOCK);
  if (Buffer.byteLength(path) > 100) throw new BrokenTar(`path too long for a tar header: ${path}`);
  block.write(path, 0);
  block.write(type === DIRECTORY ? '0000700\0' : '0000600\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  block.write(`${size.toString(8).padStart(11, '0')}\0`, SIZE_AT);
  block.write('00000000000\0', 136);
  block.write('        ', 148);
  block.write(type, TYPE_AT);
  block.write('ustar\x0000', 257);
  const sum = block.reduce((total, byte) => total + byte, 0);
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

/**
 * Writes what a tar stream holds below `dir`, which must exist. Entries that point outside are
 * refused.
 */
export async function extractTar(source: AsyncIterable<Uint8Array>, dir: string): Promise<void> {
  const input = byteReader(source);
  for (;;) {
    const block = await input.exactly(BLOCK);
    // What follows is read too: a checksum at the end of the stream covers all of it.
    if (block.every((byte) => byte === 0)) return input.toTheEnd();
    if (!isHeader(block)) throw new BrokenTar('an entry is damaged');
    const name = text(block, 0, 100);
    const size = Number.parseInt(text(block, SIZE_AT, 12).trim() || '0', 8);
    const type = String.fromCharCode(block[TYPE_AT] ?? 0);
    const path = inside(dir, name);
    if (type === DIRECTORY) mkdirSync(path, { recursive: true, mode: 0o700 });
    else if (FILE_TYPES.has(type)) await extractFile(input, path, size);
    else throw new BrokenTar(`unexpected kind of entry for ${name}`);
    await input.exactly((BLOCK - (size % BLOCK)) % BLOCK);
  }
}

/**
 * Synchronous calls: for hundreds of small files they take a third of the time, and nothing else
 * runs during a first start.
 */
async function extractFile(input: ByteReader, path: string, size: number): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = openSync(path, 'wx', 0o600);
  try {
    for (let left = size; left > 0;) {
      const bytes = await input.upTo(Math.min(left, CHUNK));
      for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
      left -= bytes.length;
    }
  } finally {
    closeSync(file);
  }
}

/** A tar in memory without the files whose path is unwanted. */
export function withoutFiles(tar: Uint8Array, isUnwanted: (path: string) => boolean): Uint8Array {
  const bytes = Buffer.from(tar.buffer, tar.byteOffset, tar.byteLength);
  const kept: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const size = Number.parseInt(text(bytes, at + SIZE_AT, 12).trim() || '0', 8);
    const next = at + BLOCK * (1 + Math.ceil(size / BLOCK));
    if (!isUnwanted(text(bytes, at, 100))) kept.push(bytes.subarray(at, next));
    at = next;
  }
  return Buffer.concat(kept);
}

function isHeader(block: Buffer): boolean {
  const told = Number.parseInt(text(block, SUM_AT, SUM_LENGTH).trim(), 8);
  const sum = block.reduce((total, byte) => total + byte, 0);
  const field = block.subarray(SUM_AT, SUM_AT + SUM_LENGTH);
  // Its own field counts as blanks.
  return told === sum - field.reduce((total, byte) => total + byte, 0) + SUM_LENGTH * 0x20;
}

function text(block: Buffer, at: number, length: number): string {
  const field = block.subarray(at, at + length);
  const end = field.indexOf(0);
  return field.toString('utf8', 0, end < 0 ? length : end);
}

function inside(dir: string, name: string): string {
  const root = normalize(dir + sep);
  const path = join(root, name);
  if (!path.startsWith(root)) throw new BrokenTar(`entry ${name} points outside`);
  return path;
}

interface ByteReader {
  exactly(length: number): Promise<Buffer>;
  /** At least one byte, at most `length`. */
  upTo(length: number): Promise<Buffer>;
  toTheEnd(): Promise<void>;
}

function byteReader(source: AsyncIterable<Uint8Array>): ByteReader {
  const chunks = source[Symbol.asyncIterator]();
  let rest: Buffer = Buffer.alloc(0);
  const upTo = async (length: number): Promise<Buffer> => {
    while (rest.length === 0) {
      const next = await chunks.next();
      if (next.done) throw new BrokenTar('the archive ends too early');
      rest = Buffer.from(next.value.buffer, next.value.byteOffset, next.value.byteLength);
    }
    const taken = rest.subarray(0, length);
    rest = rest.subarray(length);
    return taken;
  };
  const exactly = async (length: number): Promise<Buffer> => {
    const parts: Buffer[] = [];
    for (let left = length; left > 0;) {
      const part = await upTo(left);
      parts.push(part);
      left -= part.length;
    }
    return Buffer.concat(parts);
  };
  const toTheEnd = async (): Promise<void> => {
    while (!(await chunks.next()).done);
  };
  return { exactly, upTo, toTheEnd };
}
