import { Worker } from 'node:worker_threads';
import {
  errorOf,
  type FeedJob,
  type FromReader,
  plainError,
  type ToReader,
} from './feed-messages.js';
import { BrokenFeed, type FeedRow } from './feed-row.js';
import type { FeedDoors, FeedSource } from './open-feed.js';

/**
 * A piece of a feed takes milliseconds; a reader that says nothing for so long is stuck, however
 * crowded the machine.
 */
const stuckMs = 60_000;

/**
 * The rows of a feed somebody else wrote, read in a thread of its own: whatever it does to the
 * parser, nobody else waits for it, and a thread that no longer answers is ended. What it needs
 * from the network is fetched here, behind the usual guards.
 */
export async function* readFeedApart(
  doors: FeedDoors,
  source: FeedSource,
  options: { stuckMs?: number; worker?: URL } = {},
): AsyncGenerator<FeedRow> {
  const job: FeedJob = { source, indexUrl: doors.indexUrl() };
  const worker = new Worker(options.worker ?? new URL('./feed-worker.js', import.meta.url), {
    name: 'feed',
    workerData: job,
    resourceLimits: { maxOldGenerationSizeMb: 512 },
  });
  const inbox = createInbox();
  const fetching = fetchFor(worker, doors);
  const watch = watchOver(worker, options.stuckMs ?? stuckMs, () =>
    inbox.fail(new BrokenFeed('the feed takes too long to read')),
  );
  worker.on('message', (message: FromReader) => {
    watch.heard();
    if (!fetching.serve(message)) inbox.put(message);
  });
  worker.once('error', (cause) => inbox.fail(new BrokenFeed('the feed cannot be read', { cause })));
  worker.once('exit', () => inbox.fail(new BrokenFeed('the feed cannot be read')));
  try {
    for (;;) {
      const message = await inbox.next();
      if (message.say === 'end') return;
      if (message.say === 'broke') throw errorOf(message.error);
      if (message.say !== 'rows') continue;
      yield* message.rows;
      worker.postMessage({ say: 'more' } satisfies ToReader);
    }
  } finally {
    watch.stop();
    fetching.stop();
    await worker.terminate();
  }
}

/** Messages in the order they came; a failure comes after those. */
function createInbox() {
  const messages: FromReader[] = [];
  let failure: Error | null = null;
  let wake = (): void => undefined;
  return {
    put(message: FromReader): void {
      messages.push(message);
      wake();
    },
    fail(error: Error): void {
      failure ??= error;
      wake();
    },
    async next(): Promise<FromReader> {
      for (;;) {
        const message = messages.shift();
        if (message !== undefined) return message;
        if (failure !== null) throw failure;
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    },
  };
}

function watchOver(
  worker: Worker,
  ms: number,
  onStuck: () => void,
): { heard(): void; stop(): void } {
  let heardAt = performance.now();
  let askedAt = heardAt;
  const timer = setInterval(
    () => {
      // A thread that held us up ourselves may have answered meanwhile: judged by the next round.
      const now = performance.now();
      const isLate = now - askedAt > 2 * Math.max(1000, ms / 10);
      askedAt = now;
      if (isLate) heardAt = now;
      worker.postMessage({ say: 'still-there' } satisfies ToReader);
      if (now - heardAt <= ms) return;
      onStuck();
      void worker.terminate();
    },
    Math.max(10, ms / 10),
  );
  timer.unref();
  return {
    heard: () => {
      heardAt = performance.now();
    },
    stop: () => clearInterval(timer),
  };
}

/** Answers what the thread asks of the network. */
function fetchFor(worker: Worker, { outbound, outboundStream }: FeedDoors) {
  const streams = new Map<number, AsyncIterator<Buffer>>();
  let lastStream = 0;

  function answer(id: number, work: () => Promise<unknown>): void {
    work().then(
      (value) => worker.postMessage({ say: 'answer', id, value } satisfies ToReader),
      (error: unknown) =>
        worker.postMessage({ say: 'failed', id, error: plainError(error) } satisfies ToReader),
    );
  }

  async function openStream(url: string): Promise<unknown> {
    const { body, ...answer } = await outboundStream(url);
    lastStream += 1;
    streams.set(lastStream, body[Symbol.asyncIterator]());
    return { ...answer, headers: { ...answer.headers }, stream: lastStream };
  }

  async function pull(stream: number): Promise<Buffer | null> {
    const next = await streams.get(stream)?.next();
    return next === undefined || next.done === true ? null : next.value;
  }

  function leave(stream: number): void {
    // Nobody is left to tell that closing it failed.
    streams
      .get(stream)
      ?.return?.()
      .catch(() => undefined);
    streams.delete(stream);
  }

  return {
    /** Whether that was a question. */
    serve(message: FromReader): boolean {
      switch (message.say) {
        case 'fetch':
          answer(message.id, async () => {
            const { body, headers, ...rest } = await outbound(message.url, message.request);
            return { ...rest, headers: { ...headers }, body };
          });
          return true;
        case 'open':
          answer(message.id, () => openStream(message.url));
          return true;
        case 'pull':
          answer(message.id, () => pull(message.stream));
          return true;
        case 'leave':
          leave(message.stream);
          return true;
        case 'alive':
          return true;
        default:
          return false;
      }
    },
    stop: () => {
      for (const stream of streams.keys()) leave(stream);
    },
  };
}
