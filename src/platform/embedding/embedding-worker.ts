// Entry of one worker thread: loads the model, then answers texts in the order they come.
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { loadSentenceModel } from './sentence-model.js';

export type WorkerRequest = { text: string; brief: boolean };
export type WorkerAnswer = { kind: 'loaded' } | { kind: 'vector'; vector: Float32Array } | { kind: 'failed'; reason: string };

/** Behind the main thread: when there are fewer cores than work, requests are answered before texts are read. */
const niceness = 19;

if (parentPort !== null) {
  const port = parentPort;
  // Elsewhere 0 means the whole process; on Linux it is this thread.
  if (process.platform === 'linux') setPriority(0, niceness);
  const model = await loadSentenceModel();
  const answer = (message: WorkerAnswer): void => port.postMessage(message, message.kind === 'vector' ? [message.vector.buffer as ArrayBuffer /* made here, never shared */] : []);
  port.on('message', ({ text, brief }: WorkerRequest) => {
    model.embed(text, brief).then(
      (vector) => answer({ kind: 'vector', vector }),
      (error: unknown) => answer({ kind: 'failed', reason: String(error) }),
    );
  });
  answer({ kind: 'loaded' });
}
