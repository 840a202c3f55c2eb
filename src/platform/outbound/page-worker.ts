import { parentPort, workerData } from 'node:worker_threads';
import { readPageFacts } from './read-page.js';

// A thread that reads one page and ends. Who started it stops it when that takes too long.
const { html, url } = workerData as { html: string; url: string }; // as `readPageApart` gives it
parentPort?.postMessage('begins');
parentPort?.postMessage(readPageFacts(html, url));
