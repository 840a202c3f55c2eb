import { parentPort, workerData } from 'node:worker_threads';
import { decodeGpp, decodeTcf } from './decode-strings.js';

export interface DecodeTask {
  n: number;
  kind: 'tcf' | 'gpp';
  text: string;
}

// Whoever starts the thread gives it this.
const { vendorId } = workerData as { vendorId: number };

parentPort?.on('message', ({ n, kind, text }: DecodeTask) => {
  parentPort?.postMessage({ n, begins: true });
  const read = kind === 'tcf' ? decodeTcf(text, vendorId) : decodeGpp(text, vendorId);
  parentPort?.postMessage({ n, read });
});
parentPort?.postMessage('ready');
