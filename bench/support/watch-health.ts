import { Worker } from 'node:worker_threads';
import type { BuiltServer } from './built-server.js';

export interface Watched<T> {
  result: T;
  asked: number;
  /** Milliseconds. */
  p99: number;
  longest: number;
}

/**
 * Asks for `/health` again and again while something goes on, from a thread of its own: what the
 * asker is busy with is not the server's wait.
 */
export async function watchHealth<T>(
  server: Pick<BuiltServer, 'address'>,
  work: () => Promise<T>,
): Promise<Watched<T>> {
  const worker = new Worker(new URL('./health-worker.js', import.meta.url), {
    workerData: server.address,
  });
  const result = await work();
  const waits = await new Promise<number[]>((resolve, reject) => {
    worker.once('message', resolve);
    worker.once('error', reject);
    worker.postMessage('stop');
  });
  await worker.terminate();
  waits.sort((a, b) => a - b);
  return {
    result,
    asked: waits.length,
    p99: Math.round(waits[Math.floor(waits.length * 0.99)] ?? 0),
    longest: Math.round(waits.at(-1) ?? 0),
  };
}
