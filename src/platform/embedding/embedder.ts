/** Turns text into normalised vectors whose dot product says how near two meanings are. */
export type Embedder = {
  /**
   * Which model made the vectors: vectors of different models must never meet. Null when there is
   * none.
   */
  readonly modelId: string | null;
  readonly status: EmbedderStatus;
  readonly dimensions: number;
  /**
   * One vector per text, in order. Rejects with `EmbedderUnavailable` when there is no model, and
   * with the signal's reason when aborted.
   */
  embed(texts: readonly string[], options?: EmbedOptions): Promise<Float32Array[]>;
  /** The vector of a conversation embedded recently, without any work. */
  peek(text: string): Float32Array | undefined;
  /** Settles once loading has ended, whether a model came of it or not. Never rejects. */
  readonly ready: Promise<void>;
  close(): Promise<void>;
};

/** One that is asleep loads when it is first asked. */
export type EmbedderStatus = 'asleep' | 'loading' | 'ready' | 'lexical-only';

export type EmbedOptions = {
  signal?: AbortSignal;
  /**
   * A conversation waiting for its answer goes before ad groups waiting to be indexed.
   */
  priority?: 'conversation' | 'indexing';
};

export type EmbeddingLog = {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
};

export class EmbedderUnavailable extends Error {
  override readonly name = 'EmbedderUnavailable';
}

/** `MATCHING=fast`: words only. */
export function createNoEmbedder(): Embedder {
  return {
    modelId: null,
    status: 'lexical-only',
    dimensions: 0,
    embed: () => Promise.reject(new EmbedderUnavailable('matching is lexical only')),
    peek: () => undefined,
    ready: Promise.resolve(),
    close: () => Promise.resolve(),
  };
}
