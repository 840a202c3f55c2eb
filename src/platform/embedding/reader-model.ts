import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type Calibration, readCalibration } from '../../domain/reading/calibration.js';
import { headCount } from '../../domain/reading/reading.js';
import { splitTurns } from '../../domain/reading/turns.js';
import { mendSpelling } from '../../domain/text/spelling.js';
import { openOnnxSession } from './onnx-session.js';
import { readKnownWords } from './known-words.js';
import type { LoadedModel } from './sentence-model.js';
import { createWordPiece, type WordPiece } from './word-piece.js';

/** Weights, vocabulary and calibration, which belong together and come from one training. */
export const readerFolder = new URL('../../../../reader/weights/', import.meta.url);

export type ReaderLayout = {
  /** Names the weights: vectors and calibrations of others must never meet these. */
  id: string;
  /** What training read of some conversations: the code must read the same. */
  samples: readonly {
    newest: string;
    previous: string | null;
    answer: string | null;
    ids: readonly number[];
    types: readonly number[];
    vector: readonly number[];
    heads: readonly number[];
  }[];
};

export const readerDimensions = 384;

export function readReaderLayout(folder: URL = readerFolder): ReaderLayout {
  const layout = json(folder, 'layout.json') as Partial<ReaderLayout>; // Checked on the next line.
  if (typeof layout.id !== 'string' || !Array.isArray(layout.samples))
    throw new Error('the layout of the reader lacks id or samples');
  return { id: layout.id, samples: layout.samples };
}

export function readReaderCalibration(folder: URL = readerFolder): Calibration {
  return readCalibration(json(folder, 'calibration.json'), json(folder, 'thresholds.json'));
}

function json(folder: URL, name: string): unknown {
  return JSON.parse(readFileSync(new URL(name, folder), 'utf8'));
}

export function readVocabulary(folder: URL = readerFolder): Map<string, number> {
  const lines = readFileSync(new URL('vocabulary.txt', folder), 'utf8').trimEnd().split('\n');
  return new Map(lines.map((token, id) => [token, id]));
}

/** How long a part of a conversation is read: so many tokens from its beginning and its end. */
const newestRead = [40, 24] as const;
const earlierRead = 32;
const offerTokens = 64;

export type Tokens = { ids: number[]; types: number[] };

/**
 * The newest message first, then, as a second part, the person's message before it and what the
 * assistant said in between. Training joins them in the same way.
 */
export function encodeTurns(tokenizer: WordPiece, joined: string): Tokens {
  const [newest, previous, assistant] = splitTurns(joined);
  const ids = [tokenizer.start, ...tokenizer.pieces(newest, ...newestRead), tokenizer.end];
  const first = ids.length;
  for (const text of [previous, assistant])
    if (text !== '') ids.push(...tokenizer.pieces(text, earlierRead), tokenizer.end);
  return { ids, types: ids.map((_, at) => (at < first ? 0 : 1)) };
}

/** Our own model: offers become vectors, conversations a vector and the heads behind it. */
export async function loadReaderModel(folder: URL = readerFolder): Promise<LoadedModel> {
  const vocabulary = readVocabulary(folder);
  const tokenizer = createWordPiece(vocabulary);
  const words = readKnownWords(folder, vocabulary);
  const session = await openOnnxSession(fileURLToPath(new URL('reader.onnx', folder)));
  return {
    async embed(text, conversation) {
      const { ids, types } = conversation
        ? encodeTurns(tokenizer, mendSpelling(text, words))
        : plain(tokenizer.encode(text, offerTokens));
      const { vector, heads } = await session.run(ids, types);
      if (vector === undefined || heads?.data.length !== headCount)
        throw new Error('the reader gave no vector or no heads');
      if (!conversation) return vector.data.slice();
      const row = new Float32Array(vector.data.length + headCount);
      row.set(vector.data);
      row.set(heads.data, vector.data.length);
      return row;
    },
    release: () => session.release(),
  };
}

function plain(ids: number[]): Tokens {
  return { ids, types: ids.map(() => 0) };
}
