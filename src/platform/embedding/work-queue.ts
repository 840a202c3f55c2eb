import { EmbedderUnavailable } from './embedder.js';

export type Task = {
  readonly text: string;
  conversation: boolean;
  started: boolean;
  /** Callers still interested. A task nobody waits for is skipped. */
  waiting: number;
  readonly result: Promise<Float32Array>;
  resolve(vector: Float32Array): void;
  reject(reason: unknown): void;
};

/** Texts waiting for a model: conversations first, the same text asked for twice computed once. */
export class WorkQueue {
  readonly #open = new Map<string, Task>();
  readonly #conversations: Task[] = [];
  readonly #indexing: Task[] = [];

  add(text: string, conversation: boolean): Task {
    const known = this.#open.get(text);
    if (known !== undefined) {
      if (conversation && !known.conversation && !known.started) {
        known.conversation = true;
        this.#conversations.push(known);
      }
      return known;
    }
    const task = createTask(text, conversation);
    this.#open.set(text, task);
    (conversation ? this.#conversations : this.#indexing).push(task);
    return task;
  }

  /** Waits for the task, or leaves it when the signal says so. */
  wait(task: Task, signal: AbortSignal | undefined): Promise<Float32Array> {
    task.waiting++;
    if (signal === undefined) return task.result;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        task.waiting--;
        // A later caller starts afresh.
        if (task.waiting === 0 && !task.started) this.#open.delete(task.text);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      task.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  next(): Task | undefined {
    for (const queue of [this.#conversations, this.#indexing]) {
      for (let task = queue.shift(); task !== undefined; task = queue.shift()) {
        if (task.started || task.waiting === 0) continue;
        task.started = true;
        return task;
      }
    }
    return undefined;
  }

  finish(task: Task, outcome: Float32Array | Error): void {
    this.#open.delete(task.text);
    if (outcome instanceof Error) task.reject(outcome);
    else task.resolve(outcome);
  }

  /** Fails everything not yet started. */
  refuse(message: string, cause?: unknown): void {
    for (let task = this.next(); task !== undefined; task = this.next()) this.finish(task, new EmbedderUnavailable(message, { cause }));
  }
}

function createTask(text: string, conversation: boolean): Task {
  let resolve: Task['resolve'] = () => {};
  let reject: Task['reject'] = () => {};
  const result = new Promise<Float32Array>((yes, no) => {
    resolve = yes;
    reject = no;
  });
  // Every caller may have left before it fails.
  result.catch(() => {});
  return { text, conversation, started: false, waiting: 0, result, resolve, reject };
}
