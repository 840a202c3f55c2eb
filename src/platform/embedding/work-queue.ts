import { EmbedderUnavailable } from './embedder.js';

export type Task = {
  readonly text: string;
  readonly conversation: boolean;
  readonly addedAt: number;
  started: boolean;
  /** Callers still interested. A task nobody waits for is skipped. */
  waiting: number;
  readonly result: Promise<Float32Array>;
  resolve(vector: Float32Array): void;
  reject(reason: unknown): void;
};

interface Line {
  readonly open: Map<string, Task>;
  readonly waiting: Task[];
}

/**
 * Texts waiting for a model: conversations first, the same text asked for twice computed once. The
 * two are read differently and never share a vector.
 */
export class WorkQueue {
  readonly #conversations: Line = { open: new Map(), waiting: [] };
  readonly #indexing: Line = { open: new Map(), waiting: [] };
  readonly #patienceMs: number;

  /**
   * Whoever has waited longer than `patienceMs` for an ad has gone or would rather have one by
   * words; reading for them would make the next ones wait as long.
   */
  constructor(patienceMs: number) {
    this.#patienceMs = patienceMs;
  }

  add(text: string, conversation: boolean): Task {
    const line = this.#lineOf(conversation);
    const known = line.open.get(text);
    if (known !== undefined) return known;
    const task = createTask(text, conversation);
    line.open.set(text, task);
    line.waiting.push(task);
    return task;
  }

  #lineOf(conversation: boolean): Line {
    return conversation ? this.#conversations : this.#indexing;
  }

  /** Waits for the task, or leaves it when the signal says so. */
  wait(task: Task, signal: AbortSignal | undefined): Promise<Float32Array> {
    task.waiting++;
    if (signal === undefined) return task.result;
    return new Promise((resolve, reject) => {
      const leave = (): void => {
        task.waiting--;
        // A later caller starts afresh.
        if (task.waiting === 0 && !task.started)
          this.#lineOf(task.conversation).open.delete(task.text);
        reject(signal.reason);
      };
      signal.addEventListener('abort', leave, { once: true });
      task.result.then(resolve, reject).finally(() => signal.removeEventListener('abort', leave));
    });
  }

  next(): Task | undefined {
    for (const { waiting } of [this.#conversations, this.#indexing]) {
      for (let task = waiting.shift(); task !== undefined; task = waiting.shift()) {
        if (task.waiting === 0) continue;
        task.started = true;
        if (!task.conversation || performance.now() - task.addedAt <= this.#patienceMs) return task;
        this.finish(
          task,
          new EmbedderUnavailable('more conversations came than the model can read'),
        );
      }
    }
    return undefined;
  }

  finish(task: Task, outcome: Float32Array | Error): void {
    this.#lineOf(task.conversation).open.delete(task.text);
    if (outcome instanceof Error) task.reject(outcome);
    else task.resolve(outcome);
  }

  /** Fails everything not yet started. */
  refuse(message: string, cause?: unknown): void {
    for (let task = this.next(); task !== undefined; task = this.next())
      this.finish(task, new EmbedderUnavailable(message, { cause }));
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
  return {
    text,
    conversation,
    addedAt: performance.now(),
    started: false,
    waiting: 0,
    result,
    resolve,
    reject,
  };
}
