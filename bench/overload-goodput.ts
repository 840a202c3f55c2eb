import { asker, closedLoop, type Load, openLoop } from './support/ad-load.js';
import { type BuiltServer, startBuiltServer } from './support/built-server.js';
import { mainThreadMicros } from './support/tree-cpu.js';
import { watchHealth } from './support/watch-health.js';

export const summary =
  'ad requests at 0.5, 1, 2 and 4 times what the server can answer: goodput, /health, memory';

const factors = [0.5, 1, 2, 4];
/**
 * The first seconds of a start compile and bring in demo data: what is measured then as its best is
 * half of it, and twice that no overload.
 */
const warmSeconds = 15;
const columns = ['asked', 'in time', 'turned away', 'late', 'broken', 'of the peak', 'by CPU'];

interface Part extends Load {
  /** CPU of the thread that answers, for each answer in time, in microseconds. */
  micros: number;
  healthMs: number;
}

/**
 * Arguments: seconds of each part (12). First as many at a time as make the most answers, then
 * requests at parts and multiples of that rate, however slow the answers are. "By CPU" is what one
 * answer at its best costs of what one costs here, those turned away included: what is left of the
 * peak where others on the machine take none of it.
 */
export async function run(args: readonly string[]): Promise<void> {
  const seconds = Number(args[0] ?? 12);
  const server = await startBuiltServer({});
  try {
    const ask = asker(server);
    await closedLoop(ask, 48, warmSeconds);
    const before = server.memory();
    const best = await measure(server, seconds, () => closedLoop(ask, 48, seconds));
    const quiet = await watchHealth(server, () => closedLoop(ask, 4, 3));
    process.stdout.write(
      `${'load'.padEnd(12)}${[...columns, '/health 99 %'].map((name) => name.padStart(13)).join('')}\n`,
    );
    print('at its best', best, best.goodput, best.micros);
    let peak = best.goodput;
    let atTwice: Part | null = null;
    for (const factor of factors) {
      const rate = factor * best.goodput;
      const part = await measure(server, seconds, () => openLoop(ask, rate, seconds));
      peak = Math.max(peak, part.goodput);
      print(`${factor} times`, part, peak, best.micros);
      if (factor === 2) atTwice = part;
    }
    const share = Math.round((100 * (atTwice?.goodput ?? 0)) / peak);
    process.stdout.write(
      `${share >= 80 ? 'ok  ' : 'FAIL'} goodput at twice the capacity: ${share} % of the peak (>= 80)\n` +
        `/health while little is asked: ${quiet.p99} ms (99 %), ${quiet.longest} ms at most\n` +
        `memory: ${before ?? '?'} MB before, ${server.memory() ?? '?'} MB after\n`,
    );
  } finally {
    await server.stop();
  }
}

async function measure(
  server: BuiltServer,
  seconds: number,
  load: () => Promise<Load>,
): Promise<Part> {
  const began = mainThreadMicros(server.pid);
  const { result, p99 } = await watchHealth(server, load);
  const spent = mainThreadMicros(server.pid) - began;
  return { ...result, micros: spent / (result.goodput * seconds), healthMs: p99 };
}

function print(name: string, part: Part, peak: number, bestMicros: number): void {
  const { goodput, offered, shed, late, broken } = part;
  const cells = [
    ...[offered, goodput, shed, late, broken].map((value) => `${Math.round(value)}/s`),
    `${Math.round((100 * goodput) / peak)} %`,
    part.micros > 0 ? `${Math.round((100 * bestMicros) / part.micros)} %` : '?',
    `${part.healthMs} ms`,
  ];
  process.stdout.write(`${name.padEnd(12)}${cells.map((cell) => cell.padStart(13)).join('')}\n`);
}
