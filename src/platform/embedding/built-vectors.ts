import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { pack } from '../../domain/matching/vectors.js';
import type { Embedder } from './embedder.js';

// Vectors of texts that ship with the code, made by the build: a model's name, then one record for
// each text. A changed text costs one vector, not all of them.

const modelBytes = 32;
const hashBytes = 16;

/** The vector of each text, or null for texts the file lacks or another model made. */
export async function readBuiltVectors(
  file: URL,
  modelId: string | null,
  texts: readonly string[],
): Promise<(Float32Array | null)[]> {
  const known = await readRecords(file, modelId);
  const [first] = known.values();
  const width = (first?.length ?? 4) - 4;
  // One block, which goes back whole once it was read: thousands of small ones leave holes.
  const block = new Float32Array(known.size === 0 ? 0 : texts.length * width);
  return texts.map((text, at) => {
    const record = known.get(hashOf(text));
    if (record === undefined) return null;
    const vector = block.subarray(at * width, (at + 1) * width);
    readInto(vector, record);
    return vector;
  });
}

/**
 * For the build: brings the file up to date. Returns how many vectors had to be made; without a
 * model nothing is kept.
 */
export async function buildVectors(
  file: URL,
  texts: readonly string[],
  modelId: string,
  openEmbedder: () => Pick<Embedder, 'ready' | 'status' | 'embed' | 'close'>,
): Promise<number> {
  const known = await readRecords(file, modelId);
  const missing = [...new Set(texts)].filter((text) => !known.has(hashOf(text)));
  if (missing.length === 0 && known.size <= texts.length) return 0;
  if (missing.length > 0) {
    const embedder = openEmbedder();
    try {
      await embedder.ready;
      if (embedder.status !== 'ready') return 0;
      const vectors = await embedder.embed(missing, { priority: 'indexing' });
      for (const [at, text] of missing.entries())
        known.set(hashOf(text), toRecord(vectors[at] ?? new Float32Array()));
    } finally {
      await embedder.close();
    }
  }
  const records = [...new Set(texts.map(hashOf))].flatMap((hash) => [
    Buffer.from(hash, 'hex'),
    known.get(hash) ?? Buffer.alloc(0),
  ]);
  const width = Buffer.alloc(4);
  width.writeUInt32LE(records[1]?.length ?? 0);
  // A half-written file must never be read as a whole one.
  const partial = new URL(`${file.href}.${process.pid}`);
  await writeFile(partial, Buffer.concat([nameOf(modelId), width, ...records]));
  await rename(partial, file);
  return missing.length;
}

async function readRecords(file: URL, modelId: string | null): Promise<Map<string, Buffer>> {
  const records = new Map<string, Buffer>();
  const bytes = await readFile(file).catch(() => null);
  if (
    bytes === null ||
    modelId === null ||
    bytes.length < modelBytes + 4 ||
    !bytes.subarray(0, modelBytes).equals(nameOf(modelId))
  )
    return records;
  const width = bytes.readUInt32LE(modelBytes);
  for (let at = modelBytes + 4; at + hashBytes + width <= bytes.length; at += hashBytes + width) {
    records.set(
      bytes.subarray(at, at + hashBytes).toString('hex'),
      bytes.subarray(at + hashBytes, at + hashBytes + width),
    );
  }
  return records;
}

function nameOf(modelId: string): Buffer {
  return createHash('sha256').update(modelId).digest();
}

function hashOf(text: string): string {
  return createHash('sha256')
    .update(text)
    .digest('hex')
    .slice(0, hashBytes * 2);
}

/** A byte a dimension, as vectors are compared anyway. */
function toRecord(vector: Float32Array): Buffer {
  const { values, scale } = pack(vector);
  const record = Buffer.alloc(4 + values.length);
  record.writeFloatLE(scale);
  record.set(values, 4);
  return record;
}

function readInto(vector: Float32Array, record: Buffer): void {
  const scale = record.readFloatLE();
  for (let at = 0; at < vector.length; at++) vector[at] = record.readInt8(4 + at) * scale;
}
