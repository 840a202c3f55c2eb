import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OutboundError } from '../../../platform/outbound/guarded-fetch.js';
import type { FeedRow } from './feed-row.js';
import { bounded, type FeedDoors, feedLimits, openFeed } from './open-feed.js';
import { readFeedApart } from './read-feed-apart.js';

const table = ['id,title,link,price,image_link']
  .concat(
    Array.from(
      { length: 250 },
      (_, at) => `${at},Lamp ${at},https://s.example/${at},5.00 EUR,https://s.example/${at}.jpg`,
    ),
  )
  .join('\n');

/** A network that answers every address with these bytes, in small pieces. */
function network(content: string, onLeft: () => void = () => undefined): FeedDoors {
  async function* body(): AsyncGenerator<Buffer> {
    try {
      for (let at = 0; at < content.length; at += 1000)
        yield Buffer.from(content.slice(at, at + 1000));
    } finally {
      onLeft();
    }
  }
  return {
    outbound: () => Promise.reject(new OutboundError('private_address', 'the address is private')),
    outboundStream: async () => ({ status: 200, headers: {}, body: body() }),
    indexUrl: () => 'https://index.example',
  };
}

const source = { place: 'https://s.example/feed', format: null, currency: null };

async function all(rows: AsyncIterable<FeedRow>): Promise<FeedRow[]> {
  const found: FeedRow[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

describe('reading a feed in a thread', () => {
  it('finds what reading it here finds', async () => {
    const here = await all((await openFeed(network(table), source)).rows);
    assert.equal(here.length, 250);
    assert.deepEqual(await all(readFeedApart(network(table), source)), here);
  });

  it('lets go of the network when nobody wants more rows', async () => {
    let left = 0;
    const rows = readFeedApart(
      network(table.repeat(50), () => (left += 1)),
      source,
    );
    for await (const row of rows) if (row.row === 3) break;
    assert.equal(left, 1);
  });

  it('tells what is wrong with a feed, and what the network refused', async () => {
    await assert.rejects(all(readFeedApart(network('<other></other>'), source)), {
      name: 'BrokenFeed',
    });
    await assert.rejects(
      all(readFeedApart(network(''), { ...source, format: 'schema-org' })),
      (error) => error instanceof OutboundError && error.failure === 'private_address',
    );
  });

  it('ends a reader that never ends, and goes on with the next feed', async () => {
    const endless = new URL('data:text/javascript,for(;;);');
    await assert.rejects(
      all(readFeedApart(network(''), source, { worker: endless, stuckMs: 200 })),
      { message: 'the feed takes too long to read' },
    );
    assert.equal((await all(readFeedApart(network(table), source))).length, 250);
  });

  it('says so when the reader breaks', async () => {
    const broken = new URL('data:text/javascript,throw new Error("x")');
    await assert.rejects(all(readFeedApart(network(''), source, { worker: broken })), {
      message: 'the feed cannot be read',
    });
  });
});

describe('how much of a feed is taken', () => {
  /** So many pieces of a kilobyte, each of which is waited for. */
  async function take(pieces: number, msEach: number): Promise<number> {
    let now = 0;
    let taken = 0;
    async function* slow(): AsyncGenerator<Buffer> {
      for (let at = 0; at < pieces; at += 1) {
        now += msEach;
        yield Buffer.alloc(1024);
      }
    }
    const limits = { ...feedLimits, bytes: 1024 * 1000 };
    for await (const piece of bounded(slow(), limits, () => now)) {
      // What is done with the rows is our own time.
      now += 10_000;
      taken += piece.length;
    }
    return taken;
  }

  it('not more than so many bytes', async () => {
    assert.equal(await take(1000, 1), 1024 * 1000);
    await assert.rejects(take(1001, 1), { message: 'the feed is too large' });
  });

  it('not what trickles', async () => {
    await assert.rejects(take(1000, 2000), { message: 'the feed takes too long' });
  });
});
