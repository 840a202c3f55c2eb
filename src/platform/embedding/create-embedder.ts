import { createBoundedCache } from '../bounded-cache.js';
import { EmbedderUnavailable } from './embedder.js';
import type { Embedder, EmbedderStatus, EmbeddingLog } from './embedder.js';
import { ModelThreads, type ThreadEvents } from './model-threads.js';
import type { ModelName } from './embedding-worker.js';
import { sentenceModelDimensions, sentenceModelId } from './sentence-model.js';
import { WorkQueue } from './work-queue.js';

export type EmbedderOptions = {
  workers: number;
  cacheSize: number;
  log: EmbeddingLog;
  /** How long a conversation may wait for a free thread. */
  patienceMs?: number;
  /** Loads when somebody asks for the first vector, and until then takes no memory. */
  whenAsked?: boolean;
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
  whenAsked = false,
  model = { name: 'sentence', id: sentenceModelId, dimensions: sentenceModelDimensions },
  workerUrl = new URL('./embedding-worker.js', import.meta.url),
}: EmbedderOptions): Embedder {
  const cache = createBoundedCache<string, Float32Array>(cacheSize);
  const queue = new WorkQueue(patienceMs);
  const loading = watchLoading(log, model.id);
  let closed = false;
  const events = threadEvents(loading, queue, cache, log);
  const place = { workerUrl, model: model.name, count: Math.max(1, workers) };
  let threads: ModelThreads | null = null;
  const wake = (): ModelThreads | null => {
    if (threads === null && !closed) {
      loading.begin();
      threads = new ModelThreads(place, queue, events);
    }
    return threads;
  };
  if (!whenAsked) wake();

  return {
    get modelId() {
      return loading.status === 'lexical-only' ? null : model.id;
    },
    get status() {
      return loading.status;
    },
    dimensions: model.dimensions,
    async embed(texts, { signal, priority } = {}) {
      signal?.throwIfAborted();
      if (loading.status === 'lexical-only' || closed)
        throw new EmbedderUnavailable('there is no embedding model');
      const conversation = priority !== 'indexing';
      const known = (text: string): Float32Array | undefined =>
        conversation ? cache.get(text) : undefined;
      const results = Promise.all(
        texts.map(async (text) => known(text) ?? queue.wait(queue.add(text, conversation), signal)),
      );
      wake()?.dispatch();
      return results;
    },
    peek: (text) => cache.get(text),
    get ready() {
      wake();
      return loading.over;
    },
    async close() {
      closed = true;
      loading.giveUp();
      queue.refuse('the embedder is closed');
      await threads?.close();
      loading.settle();
    },
  };
}

function threadEvents(
  loading: ReturnType<typeof watchLoading>,
  queue: WorkQueue,
  cache: { set(text: string, vector: Float32Array): void },
  log: EmbeddingLog,
): ThreadEvents {
  return {
    loaded: loading.loaded,
    vector(task, vector) {
      if (task.conversation) cache.set(task.text, vector);
    },
    threadLost: (reason) => log.warn({ err: reason }, 'an embedding thread ended'),
    starved: () => log.warn({}, 'no core for the embedding model: it comes forward for a while'),
    allLost(reason) {
      loading.failed(reason);
      queue.refuse('the embedding model cannot be loaded', reason);
    },
  };
}

/** Whether the model is there, and the promise of those who wait until that is known. */
function watchLoading(log: EmbeddingLog, modelId: string) {
  let startedAt = 0;
  let status: EmbedderStatus = 'asleep';
  let settle = (): void => {};
  const over = new Promise<void>((resolve) => {
    settle = resolve;
  });
  return {
    get status() {
      return status;
    },
    over,
    settle: () => settle(),
    begin() {
      startedAt = performance.now();
      status = 'loading';
    },
    loaded() {
      if (status !== 'loading') return;
      status = 'ready';
      log.info(
        { model: modelId, milliseconds: Math.round(performance.now() - startedAt) },
        'embedding model loaded',
      );
      settle();
    },
    failed(reason: unknown) {
      status = 'lexical-only';
      log.warn({ err: reason }, 'no embedding model: matching is lexical only');
      settle();
    },
    giveUp() {
      if (status === 'loading' || status === 'asleep') status = 'lexical-only';
    },
  };
}
