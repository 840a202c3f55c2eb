// What a server that nobody asks anything holds, with demo data: after a first start, which makes
// them, and after a second one.
import { setTimeout as sleep } from 'node:timers/promises';
import { sidelight } from './support/app-contender.js';
import { startBuiltServer } from './support/built-server.js';

export const summary = 'megabytes resident after a first and a second start with demo data';

/** The C library keeps less of what was freed. */
const sparing = {
  MALLOC_ARENA_MAX: '2',
  MALLOC_TRIM_THRESHOLD_: '4194304',
  MALLOC_MMAP_THRESHOLD_: '4194304',
};

/** Arguments: seconds of quiet before it is looked (60). */
export async function run(args: readonly string[]): Promise<void> {
  const seconds = Number(args[0] ?? 60);
  for (const [name, settings] of [
    ['as `npm start`', {}],
    ['with a sparing C library', sparing],
  ] as const) {
    const env = { NODE_OPTIONS: sidelight.nodeOptions.join(' '), ...settings };
    const first = await startBuiltServer(env);
    const ready = first.memory();
    await sleep(seconds * 1000);
    const quiet = first.memory();
    await first.kill();
    const second = await startBuiltServer(env, first.folder);
    await sleep(seconds * 1000);
    process.stdout.write(
      `${name}: ${ready} MB when a first start is ready, ${quiet} after ${seconds} s, ` +
        `${second.memory()} so long after a second start\n`,
    );
    await second.stop();
  }
}
