// Entry of one worker thread: loads the model, then answers texts in the order they come.
import { parentPort, workerData } from 'node:worker_threads';
import { loadSentenceModel } from './sentence-model.js';
import { standBack } from './stand-back.js';

export type WorkerRequest = { kind: 'text'; text: string; brief: boolean } | { kind: 'stand-back' };
export type WorkerAnswer =
  | { kind: 'loaded' }
  | { kind: 'vector'; vector: Float32Array }
  | { kind: 'failed'; reason: string };

if (parentPort !== null) {
  const port = parentPort;
  // Given by the only one who starts this file.
  if ((workerData as { standsBack: boolean }).standsBack) standBack();
  const model = await loadSentenceModel();
  const answer = (message: WorkerAnswer): void =>
    port.postMessage(
      message,
      message.kind === 'vector'
        ? [message.vector.buffer as ArrayBuffer /* made here, never shared */]
        : [],
    );
  port.on('message', (request: WorkerRequest) => {
    if (request.kind === 'stand-back') return standBack();
    model.embed(request.text, request.brief).then(
      (vector) => answer({ kind: 'vector', vector }),
      (error: unknown) => answer({ kind: 'failed', reason: String(error) }),
    );
  });
  answer({ kind: 'loaded' });
}
