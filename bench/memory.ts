// What a server holds that nobody asks anything, with demo data: after a first start, which makes
// them, after a crowd that asks for ads, after one that looks for tools, and after a second start.
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltServer, startBuiltServer } from './support/built-server.js';

export const summary = 'megabytes resident at rest: a first start with demo data, crowds, a second';

/** The C library as it is by itself. */
const usual = {
  MALLOC_ARENA_MAX: undefined,
  MALLOC_TRIM_THRESHOLD_: undefined,
  MALLOC_MMAP_THRESHOLD_: undefined,
};

/**
 * Arguments: seconds of quiet before it is looked (60), ads the crowd asks for (3000), tools it
 * looks for (200).
 */
export async function run(args: readonly string[]): Promise<void> {
  const [seconds = 60, ads = 3000, tools = 200] = args.map(Number);
  const rest = (): Promise<void> => sleep(seconds * 1000);
  for (const [name, settings] of [
    ['as `npm start`', {}],
    ['without what it tells the C library', usual],
  ] as const) {
    const first = await startBuiltServer(settings);
    const ready = first.memory();
    await rest();
    const quiet = first.memory();
    await crowd(first, ads);
    const crowded = first.memory();
    await rest();
    const left = first.memory();
    await searchTools(first, tools);
    const searched = first.memory();
    await rest();
    const after = first.memory();
    await first.kill();
    const second = await startBuiltServer(settings, first.folder);
    await rest();
    process.stdout.write(
      `${name}: ${ready} MB when a first start is ready, ${quiet} after ${seconds} s; ` +
        `${crowded} right after ${ads} ads, ${left} after ${seconds} s; ` +
        `${searched} right after ${tools} tool searches, ${after} after ${seconds} s; ` +
        `${second.memory()} so long after a second start\n`,
    );
    await second.stop();
  }
}

const needs = [
  'send receipts by mail',
  'text drivers',
  'know when a cron job fails',
  'log in users',
];
const wants = ['a hotel in Berlin', 'running shoes', 'web hosting', 'dog food', 'a camping tent'];

/** Thirty-two at a time. */
async function inCrowd(count: number, ask: (n: number) => Promise<unknown>): Promise<void> {
  let next = 0;
  const caller = async (): Promise<void> => {
    while (next < count) await ask(next++);
  };
  await Promise.all(Array.from({ length: 32 }, caller));
}

/** Every tenth conversation is new. */
async function crowd(server: BuiltServer, ads: number): Promise<void> {
  const headers = {
    authorization: `Bearer ${server.demo.publisher.api_key}`,
    'content-type': 'application/json',
  };
  await inCrowd(ads, (n) => {
    const content = `Looking for ${wants[n % wants.length]} ${n % 10 === 0 ? `for ${n} days` : ''}`;
    const payload = JSON.stringify({
      messages: [{ role: 'user', content }],
      sessionId: `s${n}`,
      placements: [{ placement: 'below_response', placement_id: 'main' }],
    });
    return server.send('/api/v1/ad', { method: 'POST', headers, payload });
  });
}

/** Every need is new. */
async function searchTools(server: BuiltServer, count: number): Promise<void> {
  const headers = {
    'x-api-key': server.demo.publisher.api_key,
    'content-type': 'application/json',
  };
  await inCrowd(count, async (n) => {
    const payload = JSON.stringify({ query: `${needs[n % needs.length]}, ${n} of them a day` });
    const { status, body } = await server.send('/search', { method: 'POST', headers, payload });
    assert.equal(status, 200, body);
  });
}
