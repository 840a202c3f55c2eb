import { createBoundedCache } from '../bounded-cache.js';
import { EmbedderUnavailable } from './embedder.js';
import type { Embedder, EmbedderStatus, EmbeddingLog } from './embedder.js';
import { ModelThreads } from './model-threads.js';
import type { ModelName } from './embedding-worker.js';
import { sentenceModelDimensions, sentenceModelId } from './sentence-model.js';
import { WorkQueue } from './work-queue.js';

export type EmbedderOptions = {
  workers: number;
  cacheSize: number;
  log: EmbeddingLog;
  /** How long a conversation may wait for a free thread. */
  patienceMs?: number;
  /** The general model unless said otherwise. */
  model?: { name: ModelName; id: string; dimensions: number };
  workerUrl?: URL;
};

/**
 * An embedded model in worker threads, loading in the background. When the native part cannot
 * load, the status says `lexical-only`.
 */
export function createEmbedder({
  workers,
  cacheSize,
  log,
  patienceMs = 3000,
  model = { name: 'sentence', id: sentenceModelId, dimensions: sentenceModelDimensions },
  workerUrl = new URL('./embedding-worker.js', import.meta.url),
}: EmbedderOptions): Embedder {
  const cache = createBoundedCache<string, Float32Array>(cacheSize);
  const queue = new WorkQueue(patienceMs);
  const startedAt = performance.now();
  let status: EmbedderStatus = 'loading';
  let closed = false;
  let settleReady = (): void => {};
  const ready = new Promise<void>((resolve) => {
    settleReady = resolve;
  });

  const threads = new ModelThreads(
    { workerUrl, model: model.name, count: Math.max(1, workers) },
    queue,
    {
      loaded() {
        if (status !== 'loading') return;
        status = 'ready';
        log.info(
          { model: model.id, milliseconds: Math.round(performance.now() - startedAt) },
          'embedding model loaded',
        );
        settleReady();
      },
      vector(task, vector) {
        if (task.conversation) cache.set(task.text, vector);
      },
      threadLost: (reason) => log.warn({ err: reason }, 'an embedding thread ended'),
      starved: () => log.warn({}, 'no core for the embedding model: it comes forward for a while'),
      allLost(reason) {
        status = 'lexical-only';
        log.warn({ err: reason }, 'no embedding model: matching is lexical only');
        queue.refuse('the embedding model cannot be loaded', reason);
        settleReady();
      },
    },
  );

  return {
    get modelId() {
      return status === 'lexical-only' ? null : model.id;
    },
    get status() {
      return status;
    },
    dimensions: model.dimensions,
    async embed(texts, { signal, priority } = {}) {
      signal?.throwIfAborted();
      if (status === 'lexical-only' || closed)
        throw new EmbedderUnavailable('there is no embedding model');
      const conversation = priority !== 'indexing';
      const known = (text: string): Float32Array | undefined =>
        conversation ? cache.get(text) : undefined;
      const results = Promise.all(
        texts.map(async (text) => known(text) ?? queue.wait(queue.add(text, conversation), signal)),
      );
      threads.dispatch();
      return results;
    },
    peek: (text) => cache.get(text),
    ready,
    async close() {
      closed = true;
      if (status === 'loading') status = 'lexical-only';
      queue.refuse('the embedder is closed');
      await threads.close();
      settleReady();
    },
  };
}
