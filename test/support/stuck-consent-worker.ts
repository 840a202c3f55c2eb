import { parentPort } from 'node:worker_threads';

// Stands in for the decoder: one text keeps it busy for ever, as a string made to hurt would.
parentPort?.on('message', ({ n, text }: { n: number; text: string }) => {
  parentPort?.postMessage({ n, begins: true });
  while (text === 'stuck');
  const read = { purposes: [], version: 2, updatedAt: Date.now(), isServiceSpecific: true };
  parentPort?.postMessage({ n, read });
});
