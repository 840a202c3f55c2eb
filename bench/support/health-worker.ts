import { Agent, get } from 'node:http';
import { parentPort, workerData } from 'node:worker_threads';

// Asks for `/health`, and tells how long each answer took when told to stop.
const address = String(workerData);
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const waits: number[] = [];
let isOver = false;
parentPort?.once('message', () => {
  isOver = true;
});

while (!isOver) {
  const started = performance.now();
  await new Promise<void>((resolve, reject) => {
    get(`${address}/health`, { agent }, (answer) => {
      answer.resume();
      answer.once('end', resolve);
      answer.once('error', reject);
    }).once('error', reject);
  });
  waits.push(performance.now() - started);
  await new Promise((resolve) => setTimeout(resolve, 10));
}
agent.destroy();
parentPort?.postMessage(waits);
