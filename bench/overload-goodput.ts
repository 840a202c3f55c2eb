import { asker, closedLoop, type Load, openLoop } from './support/ad-load.js';
import { startBuiltServer } from './support/built-server.js';
import { watchHealth } from './support/watch-health.js';

export const summary =
  'ad requests at 0.5, 1, 2 and 4 times what the server can answer: goodput, /health, memory';

const factors = [0.5, 1, 2, 4];

/**
 * Arguments: seconds of each part (12). First as many at a time as make the most answers, then
 * requests at parts and multiples of that rate, however slow the answers are.
 */
export async function run(args: readonly string[]): Promise<void> {
  const seconds = Number(args[0] ?? 12);
  const server = await startBuiltServer({});
  try {
    const ask = asker(server);
    await closedLoop(ask, 16, 4);
    const before = server.memory();
    const best = await closedLoop(ask, 48, seconds);
    const quiet = await watchHealth(server, () => closedLoop(ask, 4, 3));
    process.stdout.write(
      `${'load'.padEnd(12)}${['asked', 'in time', 'turned away', 'late', 'broken', 'of the peak', '/health 99 %'].map((name) => name.padStart(13)).join('')}\n`,
    );
    print('at its best', best, best.goodput, quiet.p99);
    let peak = best.goodput;
    let atTwice = 0;
    for (const factor of factors) {
      const rate = factor * best.goodput;
      const { result, p99 } = await watchHealth(server, () => openLoop(ask, rate, seconds));
      peak = Math.max(peak, result.goodput);
      print(`${factor} times`, result, peak, p99);
      if (factor === 2) atTwice = result.goodput;
    }
    const share = Math.round((100 * atTwice) / peak);
    process.stdout.write(
      `${share >= 80 ? 'ok  ' : 'FAIL'} goodput at twice the capacity: ${share} % of the peak (>= 80)\n` +
        `/health while little is asked: ${quiet.p99} ms (99 %), ${quiet.longest} ms at most\n` +
        `memory: ${before ?? '?'} MB before, ${server.memory() ?? '?'} MB after\n`,
    );
  } finally {
    await server.stop();
  }
}

function print(name: string, load: Load, peak: number, healthMs: number): void {
  const { goodput, offered, shed, late, broken } = load;
  const cells = [
    ...[offered, goodput, shed, late, broken].map((value) => `${Math.round(value)}/s`),
    `${Math.round((100 * goodput) / peak)} %`,
    `${healthMs} ms`,
  ];
  process.stdout.write(`${name.padEnd(12)}${cells.map((cell) => cell.padStart(13)).join('')}\n`);
}
