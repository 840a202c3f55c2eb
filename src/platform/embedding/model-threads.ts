import { Worker } from 'node:worker_threads';
import { EmbedderUnavailable } from './embedder.js';
import type { ModelName, WorkerAnswer, WorkerRequest } from './embedding-worker.js';
import type { Task, WorkQueue } from './work-queue.js';

type Thread = {
  worker: Worker;
  loaded: boolean;
  task: Task | null;
  /** Works only while nobody else wants its core. */
  standsBack: boolean;
  /** The one that got no core in time, whose place this one takes. */
  relieves: Thread | null;
  waiting: NodeJS.Timeout | undefined;
};

export type ThreadEvents = {
  loaded(): void;
  vector(task: Task, vector: Float32Array): void;
  threadLost(reason: unknown): void;
  /** The machine left a conversation waiting, so a thread comes forward. */
  starved(): void;
  /** No thread is left and none will be started. */
  allLost(reason: unknown): void;
};

/**
 * After this many deaths a thread is not started again: something is wrong that a restart will not
 * mend.
 */
const maxRestarts = 5;
/**
 * Many times what a text takes: a thread that stands back and has not read it by then is not given
 * a core.
 */
const starvedAfterMs = 250;
/** A text leaves little behind, and what loading made the young heap grow to V8 never gives back. */
const youngMb = 6;
/** How long a thread that relieves another works like any other before it stands back too. */
const forwardForMs = 300_000;

/**
 * One model per thread; each takes a text from the queue whenever it is free. They stand back
 * behind the main thread. On a machine with no time to spare
 * that would starve conversations, and a thread cannot come forward again: a new one takes its
 * place for a while.
 */
export class ModelThreads {
  readonly #threads = new Set<Thread>();
  readonly #leaving = new Set<Promise<void>>();
  readonly #workerUrl: URL;
  readonly #model: ModelName;
  readonly #queue: WorkQueue;
  readonly #events: ThreadEvents;
  #restarts = 0;
  #closed = false;

  constructor(
    { workerUrl, model, count }: { workerUrl: URL; model: ModelName; count: number },
    queue: WorkQueue,
    events: ThreadEvents,
  ) {
    this.#workerUrl = workerUrl;
    this.#model = model;
    this.#queue = queue;
    this.#events = events;
    for (let started = 0; started < count; started++) this.#start(null);
  }

  dispatch(): void {
    for (const thread of this.#threads) {
      if (!thread.loaded || thread.task !== null) continue;
      const task = this.#queue.next();
      if (task === undefined) return;
      this.#give(thread, task);
    }
  }

  #give(thread: Thread, task: Task): void {
    thread.task = task;
    // Work in hand keeps the process alive; an idle model does not.
    thread.worker.ref();
    tell(thread, { kind: 'text', text: task.text, conversation: task.conversation });
    if (task.conversation && thread.standsBack)
      thread.waiting = setTimeout(() => this.#checkOn(thread, task), starvedAfterMs).unref();
  }

  /**
   * Only after messages were looked at: it may be the main thread that was late, and the answer is
   * there.
   */
  #checkOn(thread: Thread, task: Task): void {
    setImmediate(() => {
      if (thread.task === task) this.#relieve(thread);
    });
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...[...this.#threads].map(stop), ...this.#leaving]);
  }

  #start(relieves: Thread | null): void {
    const standsBack = relieves === null;
    const thread: Thread = {
      worker: new Worker(this.#workerUrl, {
        workerData: { standsBack, model: this.#model },
        resourceLimits: { maxYoungGenerationSizeMb: youngMb },
      }),
      loaded: false,
      task: null,
      standsBack,
      relieves,
      waiting: undefined,
    };
    this.#threads.add(thread);
    thread.worker.on('message', (answer: WorkerAnswer) => this.#receive(thread, answer));
    thread.worker.on('error', (error) => this.#lose(thread, error));
    thread.worker.on('exit', (code) =>
      this.#lose(thread, new Error(`the embedding thread ended with code ${code}`)),
    );
  }

  #receive(thread: Thread, answer: WorkerAnswer): void {
    const { task } = thread;
    clearTimeout(thread.waiting);
    if (answer.kind === 'loaded') {
      thread.loaded = true;
      this.#events.loaded();
      this.#takePlace(thread);
    } else if (task !== null) {
      thread.task = null;
      if (answer.kind === 'vector') this.#events.vector(task, answer.vector);
      this.#queue.finish(
        task,
        answer.kind === 'vector' ? answer.vector : new EmbedderUnavailable(answer.reason),
      );
    }
    if (thread.task === null) thread.worker.unref();
    this.dispatch();
  }

  #relieve(starved: Thread): void {
    if (this.#closed || [...this.#threads].some(({ relieves }) => relieves !== null)) return;
    this.#events.starved();
    this.#start(starved);
  }

  /** Begins with the text the other has in hand; whoever is first has read it. */
  #takePlace(thread: Thread): void {
    const starved = thread.relieves;
    if (starved === null) return;
    thread.relieves = null;
    if (this.#threads.delete(starved)) {
      const left = stop(starved).finally(() => this.#leaving.delete(left));
      this.#leaving.add(left);
      if (starved.task !== null) this.#give(thread, starved.task);
    }
    setTimeout(() => {
      thread.standsBack = true;
      tell(thread, { kind: 'stand-back' });
    }, forwardForMs).unref();
  }

  #lose(thread: Thread, reason: unknown): void {
    clearTimeout(thread.waiting);
    if (!this.#threads.delete(thread)) return;
    if (thread.task !== null)
      this.#queue.finish(
        thread.task,
        new EmbedderUnavailable('the embedding thread ended', { cause: reason }),
      );
    if (this.#closed) return;
    this.#events.threadLost(reason);
    if (thread.loaded && this.#restarts++ < maxRestarts) this.#start(null);
    if (this.#threads.size === 0) this.#events.allLost(reason);
  }
}

function tell({ worker }: Thread, request: WorkerRequest): void {
  worker.postMessage(request);
}

/**
 * A thread stopped inside the native part takes the whole process down, so one at work is left to
 * finish what it is at.
 */
async function stop({ worker, loaded, task }: Thread): Promise<void> {
  if (!loaded || task !== null) {
    worker.ref();
    await new Promise<void>((resolve) => {
      for (const event of ['message', 'error', 'exit'] as const)
        worker.once(event, () => resolve());
    });
  }
  await worker.terminate();
}
