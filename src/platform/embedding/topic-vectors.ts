import { createHash } from 'node:crypto';
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { topicTexts } from '../../domain/matching/topic-catalogue.js';
import type { Embedder } from './embedder.js';

/** Made by the build, so that a start does not spend seconds of processor time on texts that never change. */
export const builtTopicVectors = new URL('../../../topic-vectors.bin', import.meta.url);

/** The vectors of the topic catalogue: from the built file when it is of this catalogue and model, embedded otherwise. */
export async function loadTopicVectors(embedder: Embedder, file: URL = builtTopicVectors): Promise<Float32Array[]> {
  await embedder.ready;
  const bytes = await readFile(file).catch(() => null);
  const stored = bytes === null ? null : readVectors(bytes, fingerprint(embedder.modelId));
  return stored ?? embedder.embed(topicTexts, { priority: 'indexing' });
}

/** For the build: writes the file unless it is already the right one. */
export async function writeTopicVectors(embedder: Embedder, file: URL = builtTopicVectors): Promise<void> {
  const vectors = await loadTopicVectors(embedder, file);
  const body = Buffer.concat([fingerprint(embedder.modelId), ...vectors.map((vector) => Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength))]);
  await mkdir(dirname(file.pathname), { recursive: true });
  // A half-written file must never be read as a whole one.
  const partial = new URL(`${file.href}.${process.pid}`);
  await writeFile(partial, body);
  await rename(partial, file);
}

function fingerprint(modelId: string | null): Buffer {
  return createHash('sha256').update(JSON.stringify([modelId, topicTexts])).digest();
}

function readVectors(bytes: Buffer, expected: Buffer): Float32Array[] | null {
  const body = bytes.subarray(expected.length);
  const length = body.length / topicTexts.length;
  if (!bytes.subarray(0, expected.length).equals(expected) || length === 0 || length % 4 !== 0) return null;
  const values = new Float32Array(body.buffer.slice(body.byteOffset, body.byteOffset + body.length));
  return topicTexts.map((_, at) => values.slice((at * length) / 4, ((at + 1) * length) / 4));
}
