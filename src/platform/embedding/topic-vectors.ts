import { createHash } from 'node:crypto';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { topicTexts } from '../../domain/matching/topic-catalogue.js';
import type { Embedder } from './embedder.js';

/**
 * Made by the build, so that a start does not spend seconds of processor time on texts that never
 * change.
 */
export const builtTopicVectors = new URL('../../../topic-vectors.bin', import.meta.url);

/**
 * The vectors of the topic catalogue: from the built file when it is of this catalogue and model,
 * by `embed` otherwise.
 */
export async function loadTopicVectors(
  embedder: Embedder,
  embed: (texts: readonly string[]) => Promise<Float32Array[]> = (texts) =>
    embedder.embed(texts, { priority: 'indexing' }),
  file: URL = builtTopicVectors,
): Promise<Float32Array[]> {
  await embedder.ready;
  const bytes = await readFile(file).catch(() => null);
  const stored = bytes === null ? null : readVectors(bytes, fingerprint(embedder.modelId));
  return stored ?? embed(topicTexts);
}

/** For the build: makes the file unless it is already the right one. Says whether it did. */
export async function buildTopicVectors(
  openEmbedder: () => Embedder,
  modelId: string,
  file: URL = builtTopicVectors,
): Promise<boolean> {
  const present = await readFile(file).catch(() => null);
  if (present !== null && readVectors(present, fingerprint(modelId)) !== null) return false;
  const embedder = openEmbedder();
  try {
    await embedder.ready;
    // Without the native part there is nothing to keep: the server will match by words.
    if (embedder.status !== 'ready') return false;
    const vectors = await embedder.embed(topicTexts, { priority: 'indexing' });
    const body = Buffer.concat([
      fingerprint(embedder.modelId),
      ...vectors.map((vector) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength)),
    ]);
    // A half-written file must never be read as a whole one.
    const partial = new URL(`${file.href}.${process.pid}`);
    await writeFile(partial, body);
    await rename(partial, file);
    return true;
  } finally {
    await embedder.close();
  }
}

/**
 * Which model and catalogue conversations are read with, short enough to be kept with every
 * decision.
 */
export function matchingVersion(modelId: string | null): string {
  return `${modelId ?? 'words'}+${fingerprint(modelId).toString('hex', 0, 4)}`;
}

function fingerprint(modelId: string | null): Buffer {
  return createHash('sha256')
    .update(JSON.stringify([modelId, topicTexts]))
    .digest();
}

function readVectors(bytes: Buffer, expected: Buffer): Float32Array[] | null {
  const body = bytes.subarray(expected.length);
  const length = body.length / topicTexts.length;
  if (!bytes.subarray(0, expected.length).equals(expected) || length === 0 || length % 4 !== 0)
    return null;
  const values = new Float32Array(
    body.buffer.slice(body.byteOffset, body.byteOffset + body.length),
  );
  return topicTexts.map((_, at) => values.slice((at * length) / 4, ((at + 1) * length) / 4));
}
