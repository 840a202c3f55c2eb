import { createHash } from 'node:crypto';
import type { Embedder } from './embedder.js';
import type { Db } from '../db/db.js';

/** Embeds texts that do not change between starts, each at most once for a model and a database. */
export type EmbedStored = (texts: readonly string[]) => Promise<Float32Array[]>;

export function createStoredEmbeddings(
  db: Db,
  embedder: Pick<Embedder, 'ready' | 'modelId' | 'embed'>,
  today: () => string,
): EmbedStored {
  return async (texts) => {
    await embedder.ready;
    const modelId = embedder.modelId;
    if (modelId === null) return embedder.embed(texts, { priority: 'indexing' });
    const hashes = texts.map((text) => createHash('sha256').update(text).digest('hex'));
    const rows = await db.query<{ hash: string; vector: Uint8Array }>(
      `update embedding_cache
       set used_on = $3
       where model_id = $1 and text_hash = any($2::text[]) and used_on <> $3
       returning text_hash as hash, vector`,
      [modelId, hashes, today()],
    );
    const current = await db.query<{ hash: string; vector: Uint8Array }>(
      `select text_hash as hash, vector
       from embedding_cache
       where model_id = $1 and text_hash = any($2::text[])`,
      [modelId, hashes],
    );
    const known = new Map([...rows, ...current].map((row) => [row.hash, toFloats(row.vector)]));
    const missing = [...new Set(hashes)].filter((hash) => !known.has(hash));
    if (missing.length > 0) {
      const missingTexts = missing.map((hash) => texts[hashes.indexOf(hash)] ?? '');
      const fresh = await embedder.embed(missingTexts, { priority: 'indexing' });
      for (const [index, hash] of missing.entries())
        known.set(hash, fresh[index] ?? new Float32Array());
      await db.query(
        `insert into embedding_cache (model_id, text_hash, vector, used_on)
         select $1, h, v, $4
         from unnest($2::text[], $3::bytea[]) as n (h, v)
         order by h
         on conflict do nothing`,
        [modelId, missing, fresh.map(toBytes), today()],
      );
    }
    return hashes.map((hash) => known.get(hash) ?? new Float32Array());
  };
}

function toBytes(vector: Float32Array): Buffer {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength);
}

function toFloats(bytes: Uint8Array): Float32Array {
  // Copied, because a Float32Array must start at a multiple of four.
  const copy = new Uint8Array(bytes);
  return new Float32Array(copy.buffer, 0, copy.byteLength / 4);
}
