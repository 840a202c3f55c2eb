import { type MessagePort, parentPort, workerData } from 'node:worker_threads';
import type { OutboundStream, StreamedAnswer } from '../../../platform/outbound/guarded-stream.js';
import {
  errorOf,
  type FeedJob,
  type FromReader,
  plainError,
  type PlainResponse,
  type ToReader,
} from './feed-messages.js';
import type { FeedRow } from './feed-row.js';
import { openFeed } from './open-feed.js';

// A thread that reads one feed and ends. Who started it fetches for it and ends it when it says
// nothing for too long.

const rowsTogether = 100;

/** The other end of the line: what this thread asks of whoever started it. */
interface Line {
  say: (message: FromReader) => void;
  ask: (message: (id: number) => FromReader) => Promise<unknown>;
  /** Resolves when the rows were taken. */
  tell: (rows: FeedRow[]) => Promise<void>;
}

function openLine(port: MessagePort): Line {
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let lastId = 0;
  let takeMore = (): void => undefined;
  const say = (message: FromReader): void => port.postMessage(message);

  port.on('message', (message: ToReader) => {
    if (message.say === 'more') return takeMore();
    if (message.say === 'still-there') return say({ say: 'alive' });
    const asked = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.say === 'answer') asked?.resolve(message.value);
    else asked?.reject(errorOf(message.error));
  });

  function ask(message: (id: number) => FromReader): Promise<unknown> {
    lastId += 1;
    const id = lastId;
    return new Promise((resolve, reject) => {
      waiting.set(id, { resolve, reject });
      say(message(id));
    });
  }

  async function tell(rows: FeedRow[]): Promise<void> {
    const taken = new Promise<void>((resolve) => {
      takeMore = resolve;
    });
    say({ say: 'rows', rows });
    await taken;
  }

  return { say, ask, tell };
}

/** Fetching as a stream, done by whoever started this thread. */
const streamOver =
  ({ say, ask }: Line): OutboundStream =>
  async (url) => {
    // Both as `read-feed-apart` answers them.
    const { stream, ...answer } = (await ask((id) => ({ say: 'open', id, url }))) as Omit<
      StreamedAnswer,
      'body'
    > & { stream: number };
    async function* body(): AsyncGenerator<Buffer> {
      try {
        for (;;) {
          const chunk = (await ask((id) => ({ say: 'pull', id, stream }))) as Uint8Array | null;
          if (chunk === null) return;
          yield Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
        }
      } finally {
        say({ say: 'leave', stream });
      }
    }
    return { ...answer, body: body() };
  };

async function readRows(line: Line, { source, indexUrl }: FeedJob): Promise<void> {
  const { rows } = await openFeed(
    {
      outboundStream: streamOver(line),
      async outbound(url, request = {}) {
        const { signal: _, ...rest } = request;
        // As `read-feed-apart` answers it.
        const answer = (await line.ask((id) => ({
          say: 'fetch',
          id,
          url,
          request: rest,
        }))) as PlainResponse;
        return { ...answer, body: Buffer.from(answer.body) };
      },
      indexUrl: () => indexUrl,
    },
    source,
  );
  let batch: FeedRow[] = [];
  try {
    for await (const row of rows) {
      batch.push(row);
      if (batch.length < rowsTogether) continue;
      await line.tell(batch);
      batch = [];
    }
  } finally {
    // Also when the feed breaks off.
    if (batch.length > 0) await line.tell(batch);
  }
}

function readFeed(port: MessagePort, job: FeedJob): Promise<void> {
  const line = openLine(port);
  return readRows(line, job)
    .then(
      () => line.say({ say: 'end' }),
      (error: unknown) => line.say({ say: 'broke', error: plainError(error) }),
    )
    .finally(() => port.close());
}

// As `readFeedApart` gives it.
if (parentPort !== null) await readFeed(parentPort, workerData as FeedJob);
