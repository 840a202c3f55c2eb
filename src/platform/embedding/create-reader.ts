import type { Calibration } from '../../domain/reading/calibration.js';
import { type Reading, readingOf } from '../../domain/reading/reading.js';
import { joinTurns, type Turns } from '../../domain/reading/turns.js';
import { createEmbedder } from './create-embedder.js';
import { createNoEmbedder, type Embedder, type EmbeddingLog } from './embedder.js';
import { readerDimensions, readReaderCalibration, readReaderLayout } from './reader-model.js';

/** Reads conversations, and places offers where those who need them are. */
export type Reader = Pick<Embedder, 'modelId' | 'status' | 'dimensions' | 'ready' | 'close'> & {
  readonly calibration: Calibration;
  /** One pass of the model, unless it was read before. */
  read(turns: Turns): Promise<Reading>;
  /** A reading made recently, without any work. */
  peek(turns: Turns): Reading | undefined;
  /** Offers and names of topics; comparable with the vector of a reading. */
  embed: Embedder['embed'];
};

export type ReaderOptions = {
  workers: number;
  cacheSize: number;
  log: EmbeddingLog;
  /** How long a conversation may wait for a free thread. */
  patienceMs?: number;
};

/** Our own model; `calibration` and weights are of one training. */
export function createReader(options: ReaderOptions): Reader {
  const embedder = createEmbedder({
    ...options,
    model: { name: 'reader', id: readReaderLayout().id, dimensions: readerDimensions },
  });
  return readerOver(embedder, readReaderCalibration());
}

/** `MATCHING=fast`: words only. */
export function createNoReader(): Reader {
  return readerOver(createNoEmbedder(), readReaderCalibration());
}

/**
 * Vectors of an endpoint, for languages our own model does not read; need and sensitivity stay its
 * own where it reads.
 */
export function withEndpoint(own: Reader, endpoint: Embedder): Reader {
  const vectorOf = async ({ newest, assistant }: Turns): Promise<Float32Array> => {
    const said = [newest, assistant ?? ''].join('\n').slice(0, 2000);
    const [vector] = await endpoint.embed([said], { priority: 'conversation' });
    return vector ?? new Float32Array();
  };
  return {
    calibration: own.calibration,
    get modelId() {
      return endpoint.modelId;
    },
    get status() {
      return endpoint.status === 'ready' ? own.status : endpoint.status;
    },
    get dimensions() {
      return endpoint.dimensions;
    },
    ready: Promise.all([own.ready, endpoint.ready]).then(() => undefined),
    async read(turns) {
      const [reading, vector] = await Promise.all([own.read(turns), vectorOf(turns)]);
      return { ...reading, vector };
    },
    peek: () => undefined,
    embed: (texts, options) => endpoint.embed(texts, options),
    async close() {
      await Promise.all([own.close(), endpoint.close()]);
    },
  };
}

function readerOver(embedder: Embedder, calibration: Calibration): Reader {
  return {
    calibration,
    get modelId() {
      return embedder.modelId;
    },
    get status() {
      return embedder.status;
    },
    get dimensions() {
      return embedder.dimensions;
    },
    ready: embedder.ready,
    async read(turns) {
      const [row] = await embedder.embed([joinTurns(turns)], { priority: 'conversation' });
      return readingOf(row ?? new Float32Array());
    },
    peek(turns) {
      const row = embedder.peek(joinTurns(turns));
      return row === undefined ? undefined : readingOf(row);
    },
    embed: (texts, options) => embedder.embed(texts, { priority: 'indexing', ...options }),
    close: () => embedder.close(),
  };
}
