// What a server holds that nobody asks anything, with demo data: after a first start, which makes
// them, after a crowd, and after a second start.
import { setTimeout as sleep } from 'node:timers/promises';
import { type BuiltServer, startBuiltServer } from './support/built-server.js';

export const summary =
  'megabytes resident at rest: a first start with demo data, a crowd, a second';

/** The C library as it is by itself. */
const usual = {
  MALLOC_ARENA_MAX: undefined,
  MALLOC_TRIM_THRESHOLD_: undefined,
  MALLOC_MMAP_THRESHOLD_: undefined,
};

/** Arguments: seconds of quiet before it is looked (60), ads the crowd asks for (3000). */
export async function run(args: readonly string[]): Promise<void> {
  const [seconds = 60, ads = 3000] = args.map(Number);
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
    await first.kill();
    const second = await startBuiltServer(settings, first.folder);
    await rest();
    process.stdout.write(
      `${name}: ${ready} MB when a first start is ready, ${quiet} after ${seconds} s; ` +
        `${crowded} right after ${ads} ads, ${left} after ${seconds} s; ` +
        `${second.memory()} so long after a second start\n`,
    );
    await second.stop();
  }
}

const wants = ['a hotel in Berlin', 'running shoes', 'web hosting', 'dog food', 'a camping tent'];

/** Thirty-two at a time; every tenth conversation is new. */
async function crowd(server: BuiltServer, ads: number): Promise<void> {
  const headers = {
    authorization: `Bearer ${server.demo.publisher.api_key}`,
    'content-type': 'application/json',
  };
  let next = 0;
  const ask = async (): Promise<void> => {
    while (next < ads) {
      const n = next++;
      const content = `Looking for ${wants[n % wants.length]} ${n % 10 === 0 ? `for ${n} days` : ''}`;
      const payload = JSON.stringify({
        messages: [{ role: 'user', content }],
        sessionId: `s${n}`,
        placements: [{ placement: 'below_response', placement_id: 'main' }],
      });
      await server.send('/api/v1/ad', { method: 'POST', headers, payload });
    }
  };
  await Promise.all(Array.from({ length: 32 }, ask));
}
