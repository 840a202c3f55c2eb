// The index on disk: what the thread worked out is read again at the next start. Never the store of
// record: what cannot be read is built from the rows as if there were none.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';
import { deserialize, serialize } from 'node:v8';
import { createProductIndex, type ProductIndex } from '../../../domain/search/product-index.js';

const markBytes = 32;
const lengthBytes = 8;
const chunkBytes = 1 << 20;

/**
 * Names everything that decides what is in an index: one that other code made would be searched by
 * words it was never split into.
 */
function codeMark(): Buffer {
  const hash = createHash('sha256').update(process.version);
  for (const folder of ['../../../domain/search/', '../../../domain/text/']) {
    const place = new URL(folder, import.meta.url);
    for (const name of readdirSync(place).sort())
      if (name.endsWith('.js') && !name.endsWith('.test.js'))
        hash.update(name).update(readFileSync(new URL(name, place)));
  }
  return hash.digest();
}

/**
 * Writes it beside the file and puts it there when it is whole. Nothing may change the index
 * meanwhile; `between` is awaited before each step, so that searches are answered.
 */
export async function saveIndex(
  index: ProductIndex,
  path: string,
  between: () => Promise<void>,
): Promise<void> {
  const partial = `${path}.${process.pid}`;
  await mkdir(dirname(path), { recursive: true });
  const file = await open(partial, 'w');
  try {
    const sum = createHash('sha256');
    let at = markBytes * 2;
    for (const { name, piece } of index.pieces()) {
      await between();
      const bytes = serialize([name, piece()]);
      const length = Buffer.alloc(lengthBytes);
      length.writeBigUInt64LE(BigInt(bytes.length));
      for (const part of [length, ...chunksOf(bytes)]) {
        await between();
        sum.update(part);
        await file.write(part, 0, part.length, at);
        at += part.length;
      }
    }
    await file.write(Buffer.concat([codeMark(), sum.digest()]), 0, markBytes * 2, 0);
  } finally {
    await file.close();
  }
  await rename(partial, path);
}

/** Summed up and written without keeping a search for long. */
function chunksOf(bytes: Buffer): Buffer[] {
  const count = Math.ceil(bytes.length / chunkBytes);
  return Array.from({ length: count }, (_, at) =>
    bytes.subarray(at * chunkBytes, (at + 1) * chunkBytes),
  );
}

export type LoadedIndex =
  | { index: ProductIndex }
  /** Null when there is none. */
  | { reason: 'made by other code' | 'damaged' | null };

export async function loadIndex(path: string): Promise<LoadedIndex> {
  const bytes = await readFile(path).catch(() => null);
  if (bytes === null) return { reason: null };
  if (!bytes.subarray(0, markBytes).equals(codeMark())) return { reason: 'made by other code' };
  const body = bytes.subarray(markBytes * 2);
  const sum = createHash('sha256').update(body).digest();
  if (!bytes.subarray(markBytes, markBytes * 2).equals(sum)) return { reason: 'damaged' };
  const pieces = new Map<string, unknown>();
  for (let at = 0; at < body.length;) {
    const end = at + lengthBytes + Number(body.readBigUInt64LE(at));
    // As `saveIndex` wrote it, by its checksum.
    const [name, piece] = deserialize(body.subarray(at + lengthBytes, end)) as [string, unknown];
    pieces.set(name, piece);
    at = end;
  }
  return { index: createProductIndex(pieces) };
}
