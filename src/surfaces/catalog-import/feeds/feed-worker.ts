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

function readFeed(port: MessagePort, { source, indexUrl }: FeedJob): Promise<void> {
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

  const outboundStream: OutboundStream = async (url) => {
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

  async function tell(rows: FeedRow[]): Promise<void> {
    const taken = new Promise<void>((resolve) => {
      takeMore = resolve;
    });
    say({ say: 'rows', rows });
    await taken;
  }

  async function read(): Promise<void> {
    const { rows } = await openFeed(
      {
        outboundStream,
        async outbound(url, request = {}) {
          const { signal: _, ...rest } = request;
          // As `read-feed-apart` answers it.
          const answer = (await ask((id) => ({
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
        await tell(batch);
        batch = [];
      }
    } finally {
      // Also when the feed breaks off.
      if (batch.length > 0) await tell(batch);
    }
  }

  return read()
    .then(
      () => say({ say: 'end' }),
      (error: unknown) => say({ say: 'broke', error: plainError(error) }),
    )
    .finally(() => port.close());
}

// As `readFeedApart` gives it.
if (parentPort !== null) await readFeed(parentPort, workerData as FeedJob);
