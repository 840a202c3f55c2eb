import { readBuiltVectors } from '../embedding/built-vectors.js';
import type { Embedder } from '../embedding/embedder.js';
import type { EmbedStored } from '../embedding/stored-embeddings.js';

/** Made by the build. */
export const builtToolVectors = new URL('../../../tool-vectors.bin', import.meta.url);
export const builtTopicVectors = new URL('../../../topic-vectors.bin', import.meta.url);

const batch = 64;

/**
 * The vectors of texts that ship with the code: from the build where it made them with this model,
 * by the model otherwise. Null without a model.
 */
export async function loadVectors(
  embedder: Pick<Embedder, 'modelId' | 'status' | 'dimensions' | 'ready'>,
  embedStored: EmbedStored,
  texts: readonly string[],
  file: URL,
): Promise<Float32Array[] | null> {
  // What the build made is enough: no reason to wake the model.
  if (embedder.status === 'asleep') {
    const built = await readBuiltVectors(file, embedder.modelId, texts);
    const whole = built.filter((vector) => vector !== null);
    if (whole.length === texts.length) return whole;
  }
  await embedder.ready;
  if (embedder.status !== 'ready') return null;
  const vectors = await readBuiltVectors(file, embedder.modelId, texts);
  const missing = texts.flatMap((_, at) => (vectors[at] === null ? [at] : []));
  for (let from = 0; from < missing.length; from += batch) {
    const places = missing.slice(from, from + batch);
    const made = await embedStored(places.map((at) => texts[at] ?? ''));
    for (const [at, place] of places.entries()) vectors[place] = made[at] ?? null;
  }
  return vectors.map((vector) => vector ?? new Float32Array(embedder.dimensions));
}
