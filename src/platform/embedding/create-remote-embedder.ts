import { type BoundedCache, createBoundedCache } from '../bounded-cache.js';
import { EmbedderUnavailable } from './embedder.js';
import type { Embedder, EmbedderStatus, EmbeddingLog } from './embedder.js';

export type RemoteEmbedderOptions = {
  /** Up to and including the version, such as `https://host/v1`. */
  baseUrl: string;
  apiKey: string | null;
  model: string;
  timeoutMs: number;
  cacheSize: number;
  log: EmbeddingLog;
  fetch?: typeof globalThis.fetch;
};

const largestBatch = 64;

/** Any endpoint that speaks the OpenAI embeddings protocol, in place of the embedded model. */
export function createRemoteEmbedder(options: RemoteEmbedderOptions): Embedder {
  const cache = createBoundedCache<string, Float32Array>(options.cacheSize);
  const closing = new AbortController();
  let status: EmbedderStatus = 'loading';
  let dimensions = 0;

  async function request(texts: readonly string[], signal: AbortSignal | undefined): Promise<void> {
    for (let from = 0; from < texts.length; from += largestBatch) {
      const batch = texts.slice(from, from + largestBatch);
      const vectors = await requestBatch(
        options,
        batch,
        AbortSignal.any([
          closing.signal,
          AbortSignal.timeout(options.timeoutMs),
          ...(signal ? [signal] : []),
        ]),
      );
      batch.forEach((text, at) => cache.set(text, vectors[at]!));
      dimensions = vectors[0]?.length ?? dimensions;
    }
    status = 'ready';
  }

  // The first call learns the number of dimensions. An endpoint that is away now may come back, so
  // later calls still try.
  const ready = request(['ready'], undefined).catch((error: unknown) => {
    if (closing.signal.aborted) return;
    status = 'lexical-only';
    options.log.warn(
      { err: error },
      'the embedding endpoint does not answer: matching is lexical only until it does',
    );
  });

  return {
    modelId: `remote:${options.model}`,
    get status() {
      return status;
    },
    get dimensions() {
      return dimensions;
    },
    embed: (texts, { signal } = {}) =>
      embedMissing(cache, texts, signal, (missing) => request(missing, signal)),
    peek: (text) => cache.get(text),
    ready,
    close() {
      closing.abort(new EmbedderUnavailable('the embedder is closed'));
      return Promise.resolve();
    },
  };
}

/** What is known from the cache, the rest asked for. */
async function embedMissing(
  cache: BoundedCache<string, Float32Array>,
  texts: readonly string[],
  signal: AbortSignal | undefined,
  request: (missing: readonly string[]) => Promise<void>,
): Promise<Float32Array[]> {
  signal?.throwIfAborted();
  const known = new Map<string, Float32Array>();
  const missing = new Set<string>();
  for (const text of texts) {
    const cached = cache.get(text);
    if (cached === undefined) missing.add(text);
    else known.set(text, cached);
  }
  if (missing.size > 0) await request([...missing]);
  return texts.map((text) => {
    const vector = known.get(text) ?? cache.get(text);
    if (vector === undefined)
      throw new EmbedderUnavailable('more texts at once than the cache holds');
    return vector;
  });
}

async function requestBatch(
  options: RemoteEmbedderOptions,
  texts: readonly string[],
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const response = await (options.fetch ?? globalThis.fetch)(
    `${options.baseUrl.replace(/\/{1,9}$/, '')}/embeddings`,
    {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(options.apiKey === null ? {} : { authorization: `Bearer ${options.apiKey}` }),
      },
      body: JSON.stringify({ model: options.model, input: texts, encoding_format: 'float' }),
      signal,
    },
  );
  if (!response.ok)
    throw new EmbedderUnavailable(`the embedding endpoint answered ${response.status}`);
  const body: unknown = await response.json();
  // Anything may come; the loop below checks it.
  const rows = (body as { data?: unknown } | null)?.data;
  if (!Array.isArray(rows) || rows.length !== texts.length)
    throw new EmbedderUnavailable('the embedding endpoint answered something else');
  const vectors: Float32Array[] = [];
  rows.forEach((row: { index?: unknown; embedding?: unknown } | null, at) => {
    vectors[typeof row?.index === 'number' ? row.index : at] = normalised(row?.embedding);
  });
  for (let at = 0; at < texts.length; at++) {
    if (vectors[at] === undefined)
      throw new EmbedderUnavailable('the embedding endpoint left a text out');
  }
  return vectors;
}

function normalised(values: unknown): Float32Array {
  if (!Array.isArray(values) || values.length === 0)
    throw new EmbedderUnavailable('the embedding endpoint gave no vector');
  const vector = Float32Array.from(values, Number);
  let square = 0;
  for (const value of vector) square += value * value;
  if (!Number.isFinite(square) || square === 0)
    throw new EmbedderUnavailable('the embedding endpoint gave a vector without length');
  const length = Math.sqrt(square);
  return vector.map((value) => value / length);
}
