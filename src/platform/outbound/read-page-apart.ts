import { Worker } from 'node:worker_threads';
import type { PageFacts } from '../../domain/ad-writing/page-facts.js';

/** Reading the page took too long or broke the reader. */
export class PageTooHard extends Error {
  override readonly name = 'PageTooHard';
}

/** Ordinary pages take milliseconds; a thread takes long to start on a crowded machine. */
const deadlineMs = 5000;
const startMs = 60_000;
const mostAtOnce = 2;

let running = 0;
const waiting: (() => void)[] = [];

/**
 * Reads a page somebody else wrote in a thread of its own, which is ended when it takes too long:
 * whatever the page does to the parser, nobody else waits for it.
 */
export async function readPageApart(
  html: string,
  url: string,
  options: { startMs?: number; deadlineMs?: number; worker?: URL } = {},
): Promise<PageFacts> {
  if (running >= mostAtOnce) await new Promise<void>((resolve) => waiting.push(resolve));
  running += 1;
  try {
    return await inThread(
      new Worker(options.worker ?? new URL('./page-worker.js', import.meta.url), {
        name: 'page',
        workerData: { html, url },
        resourceLimits: { maxOldGenerationSizeMb: 256 },
      }),
      { startMs, deadlineMs, ...options },
    );
  } finally {
    running -= 1;
    waiting.shift()?.();
  }
}

function inThread(
  worker: Worker,
  limits: { startMs: number; deadlineMs: number },
): Promise<PageFacts> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => {
      void worker.terminate();
      reject(new PageTooHard('the page takes too long to read'));
    };
    let timer = setTimeout(giveUp, limits.startMs);
    const fail = (cause: unknown): void => {
      clearTimeout(timer);
      reject(new PageTooHard('the page cannot be read', { cause }));
    };
    worker.on('message', (message: 'begins' | PageFacts) => {
      clearTimeout(timer);
      if (message === 'begins') timer = setTimeout(giveUp, limits.deadlineMs);
      else resolve(message);
    });
    worker.once('error', fail);
    worker.once('exit', fail);
  });
}
