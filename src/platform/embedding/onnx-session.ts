import { createRequire } from 'node:module';

type Tensor = { data: Float32Array; dims: readonly number[] };
/** The part of the native runtime used here; the package ships no declarations. */
type Runtime = {
  InferenceSession: {
    create(
      model: Uint8Array | string,
      options: object,
    ): Promise<{
      inputNames: readonly string[];
      run(feeds: Record<string, unknown>): Promise<Record<string, Tensor>>;
      release(): Promise<void>;
    }>;
  };
  Tensor: new (type: 'int64', data: BigInt64Array, dims: readonly number[]) => unknown;
};

/** A model that reads one text at a time, as tokens. */
export type OnnxSession = {
  /** `types` says of each token whether it belongs to the first or the second part of the text. */
  run(ids: readonly number[], types: readonly number[]): Promise<Record<string, Tensor>>;
  release(): Promise<void>;
};

/**
 * Loads a model into this thread. Texts run one at a time: a batch gains nothing on one thread, and
 * the activations are quantised over the whole batch, so a text's vector would depend on its
 * neighbours.
 */
export async function openOnnxSession(file: string): Promise<OnnxSession> {
  const runtime: Runtime = createRequire(import.meta.url)('onnxruntime-node');
  const session = await runtime.InferenceSession.create(file, {
    intraOpNumThreads: 1,
    interOpNumThreads: 1,
    executionMode: 'sequential',
    // The runtime's own arena takes 15 MB more for two models and is no quicker at one text a time.
    enableCpuMemArena: false,
    logSeverityLevel: 3,
  });
  // A text that comes alone has nothing to mask; the general sentence model asks for it all the same.
  const masked = session.inputNames.includes('attention_mask');
  return {
    run(ids, types) {
      const tensor = (data: BigInt64Array): unknown =>
        new runtime.Tensor('int64', data, [1, ids.length]);
      return session.run({
        input_ids: tensor(BigInt64Array.from(ids, BigInt)),
        token_type_ids: tensor(BigInt64Array.from(types, BigInt)),
        ...(masked && { attention_mask: tensor(new BigInt64Array(ids.length).fill(1n)) }),
      });
    },
    release: () => session.release(),
  };
}
