import { Worker } from 'node:worker_threads';
import { EmbedderUnavailable } from './embedder.js';
import type { WorkerAnswer, WorkerRequest } from './embedding-worker.js';
import type { Task, WorkQueue } from './work-queue.js';

type Thread = { worker: Worker; loaded: boolean; task: Task | null };

export type ThreadEvents = {
  loaded(): void;
  vector(task: Task, vector: Float32Array): void;
  threadLost(reason: unknown): void;
  /** No thread is left and none will be started. */
  allLost(reason: unknown): void;
};

/** After this many deaths a thread is not started again: something is wrong that a restart will not mend. */
const maxRestarts = 5;

/** One model per thread; each takes a text from the queue whenever it is free. */
export class ModelThreads {
  readonly #threads = new Set<Thread>();
  readonly #workerUrl: URL;
  readonly #queue: WorkQueue;
  readonly #events: ThreadEvents;
  #restarts = 0;
  #closed = false;

  constructor(workerUrl: URL, count: number, queue: WorkQueue, events: ThreadEvents) {
    this.#workerUrl = workerUrl;
    this.#queue = queue;
    this.#events = events;
    for (let started = 0; started < count; started++) this.#start();
  }

  dispatch(): void {
    for (const thread of this.#threads) {
      if (!thread.loaded || thread.task !== null) continue;
      const task = this.#queue.next();
      if (task === undefined) return;
      thread.task = task;
      // Work in hand keeps the process alive; an idle model does not.
      thread.worker.ref();
      const request: WorkerRequest = { text: task.text, brief: task.conversation };
      thread.worker.postMessage(request);
    }
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#threads].map(stop));
  }

  #start(): void {
    const thread: Thread = { worker: new Worker(this.#workerUrl), loaded: false, task: null };
    this.#threads.add(thread);
    thread.worker.on('message', (answer: WorkerAnswer) => this.#receive(thread, answer));
    thread.worker.on('error', (error) => this.#lose(thread, error));
    thread.worker.on('exit', (code) => this.#lose(thread, new Error(`the embedding thread ended with code ${code}`)));
  }

  #receive(thread: Thread, answer: WorkerAnswer): void {
    const { task } = thread;
    if (answer.kind === 'loaded') {
      thread.loaded = true;
      this.#events.loaded();
    } else if (task !== null) {
      thread.task = null;
      if (answer.kind === 'vector') this.#events.vector(task, answer.vector);
      this.#queue.finish(task, answer.kind === 'vector' ? answer.vector : new EmbedderUnavailable(answer.reason));
    }
    thread.worker.unref();
    this.dispatch();
  }

  #lose(thread: Thread, reason: unknown): void {
    if (!this.#threads.delete(thread)) return;
    if (thread.task !== null) this.#queue.finish(thread.task, new EmbedderUnavailable('the embedding thread ended', { cause: reason }));
    if (this.#closed) return;
    this.#events.threadLost(reason);
    if (thread.loaded && this.#restarts++ < maxRestarts) this.#start();
    if (this.#threads.size === 0) this.#events.allLost(reason);
  }
}

/** A thread stopped inside the native part takes the whole process down, so one at work is left to finish what it is at. */
async function stop({ worker, loaded, task }: Thread): Promise<void> {
  if (!loaded || task !== null) {
    worker.ref();
    await new Promise<void>((resolve) => {
      for (const event of ['message', 'error', 'exit'] as const) worker.once(event, () => resolve());
    });
  }
  await worker.terminate();
}
