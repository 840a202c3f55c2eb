import { Worker } from 'node:worker_threads';
import { sha256 } from '../../domain/pii.js';
import type { SaidSignals } from '../../domain/privacy/read-signals.js';
import {
  noSignals,
  type PrivacyDecision,
  type ReadConsent,
  type ReadSection,
  weighSignals,
} from '../../domain/privacy/weigh-signals.js';
import { createBoundedCache } from '../bounded-cache.js';
import type { Clock } from '../clock.js';
import { errorFields, type Log } from '../log.js';
import type { DecodeTask } from './consent-worker.js';

/** Says what is allowed to whom; resolves at once where nothing was said or it is known. */
export interface ConsentReader {
  judge(said: SaidSignals | null): PrivacyDecision | Promise<PrivacyDecision>;
  close(): Promise<void>;
}

export interface ConsentReaderOptions {
  clock: Clock;
  log: Log;
  /** Whose consent is looked for in a string; 0: everybody's. */
  vendorId: number;
  /** How long a request waits for the thread; after that the string counts as unread. */
  patienceMs: number;
  /** How long one string may take. */
  deadlineMs?: number;
  worker?: URL;
}

type Read = ReadConsent | readonly ReadSection[] | null;

interface Waiting {
  task: DecodeTask;
  resolve: (read: Read | 'lost') => void;
}

const mostWaiting = 1000;
const remembered = 20_000;

/** The thread strings are decoded in: it starts with the first and is replaced when it is stuck. */
interface DecodingThread {
  /** How many wait to be decoded. */
  readonly waiting: number;
  decode(task: DecodeTask): Promise<Read | 'lost'>;
  close(): Promise<void>;
}

function createDecodingThread(options: ConsentReaderOptions): DecodingThread {
  const { log, deadlineMs = 1000 } = options;
  let worker: Worker | null = null;
  let waiting = new Map<number, Waiting>();
  let timer: NodeJS.Timeout | undefined;

  function threadOf(): Worker {
    if (worker !== null) return worker;
    const begun = startWorker(options);
    worker = begun;
    begun.on('message', (message: 'ready' | { n: number; begins?: true; read?: Read }) => {
      if (message === 'ready') return;
      clearTimeout(timer);
      if (message.begins === true) timer = setTimeout(() => giveUp(begun, message.n), deadlineMs);
      else settle(message.n, message.read ?? null);
    });
    begun.on('error', (error) => log.warn(errorFields(error), 'consent strings not decoded'));
    begun.on('exit', () => {
      if (worker !== begun) return;
      worker = null;
      clearTimeout(timer);
      // Nobody knows which of them it was.
      for (const n of waiting.keys()) settle(n, 'lost');
    });
    return begun;
  }

  /** The one that takes too long is not read; the others get a new thread. */
  function giveUp(begun: Worker, n: number): void {
    log.warn({ deadlineMs }, 'a consent string took too long');
    settle(n, null);
    const others = waiting;
    waiting = new Map();
    worker = null;
    void begun.terminate();
    for (const [id, one] of others) {
      waiting.set(id, one);
      threadOf().postMessage(one.task);
    }
  }

  function settle(n: number, read: Read | 'lost'): void {
    const one = waiting.get(n);
    waiting.delete(n);
    one?.resolve(read);
  }

  return {
    get waiting() {
      return waiting.size;
    },
    decode(task) {
      const coming = new Promise<Read | 'lost'>((resolve) =>
        waiting.set(task.n, { task, resolve }),
      );
      threadOf().postMessage(task);
      return coming;
    },
    async close() {
      clearTimeout(timer);
      for (const n of waiting.keys()) settle(n, 'lost');
      await worker?.terminate();
    },
  };
}

function startWorker({ worker: url, vendorId }: ConsentReaderOptions): Worker {
  const worker = new Worker(url ?? new URL('./consent-worker.js', import.meta.url), {
    name: 'consent',
    workerData: { vendorId },
    resourceLimits: { maxOldGenerationSizeMb: 128 },
  });
  worker.unref();
  return worker;
}

/**
 * Strings are decoded in a thread of their own, once each: the decoders take longer than deciding
 * on an ad, and what strangers write for them could keep them busy for ever.
 */
export function createConsentReader(options: ConsentReaderOptions): ConsentReader {
  const { clock, patienceMs } = options;
  const known = createBoundedCache<string, Promise<Read> | { read: Read }>(remembered);
  const thread = createDecodingThread(options);
  let isClosed = false;
  let count = 0;

  function decode(kind: DecodeTask['kind'], text: string): Promise<Read> | { read: Read } {
    if (text === '') return { read: null };
    const key = `${kind} ${text.length > 64 ? sha256(text) : text}`;
    const earlier = known.get(key);
    if (earlier !== undefined) return earlier;
    if (isClosed || thread.waiting >= mostWaiting) return { read: null };
    const task: DecodeTask = { n: (count += 1), kind, text };
    const coming = thread.decode(task).then((read) => {
      if (read === 'lost') known.delete(key);
      else known.set(key, { read });
      return read === 'lost' ? null : read;
    });
    known.set(key, coming);
    return coming;
  }

  return {
    judge(said) {
      if (said === null) return noSignals;
      const now = clock();
      const tcf = said.tcf.map((text) => decode('tcf', text));
      const gpp = said.gpp.map((text) => decode('gpp', text));
      const all = [...tcf, ...gpp];
      if (all.every((one) => 'read' in one)) return weigh(said, all.map(readOf), tcf.length, now);
      return inTime(Promise.all(all.map(later)), patienceMs).then((reads) =>
        weigh(said, reads ?? all.map(() => null), tcf.length, now),
      );
    },
    async close() {
      isClosed = true;
      await thread.close();
    },
  };
}

function weigh(
  said: SaidSignals,
  reads: readonly Read[],
  tcfs: number,
  now: number,
): PrivacyDecision {
  // In the order they were asked for: consents first.
  const tcf = reads.slice(0, tcfs) as (ReadConsent | null)[];
  const gpp = reads.slice(tcfs) as (readonly ReadSection[] | null)[];
  return weighSignals(said, { tcf, gpp }, now);
}

function readOf(one: Promise<Read> | { read: Read }): Read {
  return 'read' in one ? one.read : null;
}

async function later(one: Promise<Read> | { read: Read }): Promise<Read> {
  return 'read' in one ? one.read : one;
}

/** Null when it takes longer. */
async function inTime<T>(work: Promise<T>, ms: number): Promise<T | null> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, ms, null);
  });
  return Promise.race([work, late]).finally(() => clearTimeout(timer));
}
