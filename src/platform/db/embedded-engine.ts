import { once } from 'node:events';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { EmbeddedReply, EmbeddedRequest, EmbeddedStart } from './embedded-protocol.js';

export interface EmbeddedEngine {
  /** Takes the bytes over: the array is empty afterwards. */
  send(bytes: Uint8Array<ArrayBuffer>): void;
  onBytes(listener: (bytes: Uint8Array) => void): void;
  /** Called once when the thread ends without being asked to. */
  onCrash(listener: (error: Error) => void): void;
  dump(compression: 'none' | 'gzip'): Promise<Uint8Array>;
  /** Real fsync calls so far. */
  syncs(): number;
  /** How long the engine has worked on what it was sent so far. */
  busyMs(): number;
  close(): Promise<void>;
}

export class EmbeddedEngineCrashed extends Error {
  override readonly name = 'EmbeddedEngineCrashed';
}

/**
 * How much a function of the engine runs before it is compiled again, optimised. With the default
 * nearly all of them are, within the
 * first second: three seconds of CPU beside the start. What is busy later still gets there.
 */
const tieringBudget = 50_000_000;

/** Starts the worker thread that holds the engine and waits until it answers. */
export async function startEmbeddedEngine(start: EmbeddedStart): Promise<EmbeddedEngine> {
  const worker = startWorker(start);
  let syncs = 0;
  let busyMs = 0;
  let closing = false;
  let crash: Error | undefined;
  let onBytes: (bytes: Uint8Array) => void = () => undefined;
  let onCrash: (error: Error) => void = () => undefined;
  const replies = awaitReplies();
  const fail = (error: Error): void => {
    if (crash) return;
    crash = error;
    replies.fail(error);
    onCrash(error);
  };
  const due = countDue(worker);
  const ask = (request: EmbeddedRequest, transfer: ArrayBuffer[] = []): void => {
    if (crash) throw crash;
    due.more();
    worker.postMessage(request, transfer);
  };

  worker.on('message', (message: EmbeddedReply) => {
    if (message.kind === 'bytes') {
      syncs = message.syncs;
      busyMs += message.busyMs;
      onBytes(message.bytes);
    } else if (message.kind === 'crashed') {
      fail(new EmbeddedEngineCrashed(message.reason));
    } else replies.take(message);
    // Closing is answered by the end of the thread.
    if (message.kind === 'bytes' || message.kind === 'dump') due.less();
  });
  worker.on('error', fail);
  worker.on('exit', (code) => {
    if (!closing)
      fail(new EmbeddedEngineCrashed(`the embedded database thread ended with code ${code}`));
  });
  await replies.next('ready');
  worker.unref();

  return {
    send: (bytes) => ask({ kind: 'bytes', bytes }, [bytes.buffer]),
    onBytes: (listener) => void (onBytes = listener),
    onCrash: (listener) => void (onCrash = listener),
    dump: async (compression) => {
      const dumped = replies.next('dump');
      ask({ kind: 'dump', compression });
      const message = await dumped;
      return message.kind === 'dump' ? message.bytes : new Uint8Array();
    },
    syncs: () => syncs,
    busyMs: () => busyMs,
    close: async () => {
      if (crash) return;
      closing = true;
      const exit = once(worker, 'exit');
      ask({ kind: 'close' });
      await exit;
    },
  };
}

function startWorker(start: EmbeddedStart): Worker {
  setFlagsFromString(`--wasm-tiering-budget=${tieringBudget}`);
  // What one compiling thread needed the C library keeps for it: four kept 40 MB more than one.
  setFlagsFromString('--wasm-num-compilation-tasks=1');
  return new Worker(new URL('./embedded-worker.js', import.meta.url), {
    workerData: start,
    name: 'embedded-database',
    // What is answered goes out at once; the engine's own memory is not V8's.
    resourceLimits: { maxYoungGenerationSizeMb: 24 },
  });
}

/** The thread keeps the process alive only while an answer is due, like an idle connection. */
function countDue(worker: Worker): { more(): void; less(): void } {
  let due = 0;
  return {
    more() {
      due += 1;
      if (due === 1) worker.ref();
    },
    less() {
      due -= 1;
      if (due === 0) worker.unref();
    },
  };
}

type ReplyKind = EmbeddedReply['kind'];

/** Answers that come by their kind, one of each at a time. */
function awaitReplies(): {
  next(kind: ReplyKind): Promise<EmbeddedReply>;
  take(reply: EmbeddedReply): void;
  fail(error: Error): void;
} {
  const waiting = new Map<
    ReplyKind,
    { resolve: (reply: EmbeddedReply) => void; reject: (error: Error) => void }
  >();
  return {
    next: (kind) => new Promise((resolve, reject) => waiting.set(kind, { resolve, reject })),
    take(reply) {
      waiting.get(reply.kind)?.resolve(reply);
      waiting.delete(reply.kind);
    },
    fail(error) {
      for (const one of waiting.values()) one.reject(error);
      waiting.clear();
    },
  };
}
