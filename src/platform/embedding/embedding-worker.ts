// Entry of one worker thread: loads the model, then answers texts in the order they come.
import { parentPort } from 'node:worker_threads';
import { loadSentenceModel } from './sentence-model.js';

export type WorkerRequest = { text: string };
export type WorkerAnswer = { kind: 'loaded' } | { kind: 'vector'; vector: Float32Array } | { kind: 'failed'; reason: string };

if (parentPort !== null) {
  const port = parentPort;
  const model = await loadSentenceModel();
  const answer = (message: WorkerAnswer): void => port.postMessage(message);
  port.on('message', ({ text }: WorkerRequest) => {
    model.embed(text).then(
      (vector) => answer({ kind: 'vector', vector }),
      (error: unknown) => answer({ kind: 'failed', reason: String(error) }),
    );
  });
  answer({ kind: 'loaded' });
}
