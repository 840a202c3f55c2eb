// Entry of one worker thread: loads its model, then answers texts in the order they come.
import { parentPort, workerData } from 'node:worker_threads';
import { collectGarbage } from '../collect-garbage.js';
import { loadReaderModel } from './reader-model.js';
import { loadSentenceModel } from './sentence-model.js';
import { standBack } from './stand-back.js';
import { loadToolModel } from './tool-model.js';

export type ModelName = 'reader' | 'sentence' | 'tools';
export type WorkerRequest =
  { kind: 'text'; text: string; conversation: boolean } | { kind: 'stand-back' };
export type WorkerAnswer =
  | { kind: 'loaded' }
  | { kind: 'vector'; vector: Float32Array }
  | { kind: 'failed'; reason: string };

const loaders = { reader: loadReaderModel, sentence: loadSentenceModel, tools: loadToolModel };

if (parentPort !== null) {
  const port = parentPort;
  // Given by the only one who starts this file.
  const { standsBack, model: name } = workerData as { standsBack: boolean; model: ModelName };
  if (standsBack) standBack();
  const model = await loaders[name]();
  const answer = (message: WorkerAnswer): void =>
    port.postMessage(
      message,
      message.kind === 'vector'
        ? [message.vector.buffer as ArrayBuffer /* made here, never shared */]
        : [],
    );
  port.on('message', (request: WorkerRequest) => {
    if (request.kind === 'stand-back') return standBack();
    model.embed(request.text, request.conversation).then(
      (vector) => answer({ kind: 'vector', vector }),
      (error: unknown) => answer({ kind: 'failed', reason: String(error) }),
    );
  });
  answer({ kind: 'loaded' });
  // What loading left behind; what is read afterwards leaves too little for V8 to look.
  await collectGarbage();
}
