import { loadavg } from 'node:os';
import { asker, type Ask, closedLoop, type Load, openLoop } from './support/ad-load.js';
import { type BuiltServer, startBuiltServer } from './support/built-server.js';
import { keepCallersApart } from './support/keep-callers-apart.js';
import { mainThreadTimes } from './support/tree-cpu.js';
import { watchHealth } from './support/watch-health.js';

export const summary =
  'ad requests at 0.5, 1, 2 and 4 times what the server can answer: goodput, /health, memory';

const factors = [0.5, 1, 2, 4] as const;
const callers = 128;
/**
 * The first seconds of a start compile and bring in demo data: what is measured then as its best is
 * half of it, and twice that no overload.
 */
const warmSeconds = 15;
const columns = ['asked', 'in time', 'turned away', 'late', 'broken', 'of the peak', 'by CPU'];

interface Part extends Load {
  /** CPU of the thread that answers, for each answer in time, in microseconds. */
  micros: number;
  /** The share of its time in which that thread had work and no core. */
  starved: number;
  healthMs: number;
}

/** What was measured in one round, by its name. */
type Round = Map<string, Part>;

/**
 * Arguments: seconds of each part (5), rounds (5). Each round finds the most that is answered and
 * then asks for parts and multiples of that, however slow the answers are: what others do on the
 * machine meets all parts alike, and the middle of the rounds is told. "By CPU" is what one answer
 * at its best costs of what one costs here, those turned away included; "no core" how long the
 * thread that answers had work and waited for a core others had.
 */
export async function run(args: readonly string[]): Promise<void> {
  const seconds = Number(args[0] ?? 5);
  const rounds = Number(args[1] ?? 5);
  const server = await startBuiltServer({});
  try {
    const cores = keepCallersApart();
    const ask = asker(server);
    await closedLoop(ask, callers, warmSeconds);
    const before = server.memory();
    const quiet = await watchHealth(server, () => closedLoop(ask, 4, 3));
    const all: Round[] = [];
    for (let round = 0; round < rounds; round += 1) {
      all.push(await measureRound(server, ask, seconds));
      process.stdout.write(`round ${round + 1}: ${shares(all[round])}\n`);
    }
    report(all);
    process.stdout.write(
      `/health while little is asked: ${quiet.p99} ms (99 %), ${quiet.longest} ms at most\n` +
        `memory: ${before ?? '?'} MB before, ${server.memory() ?? '?'} MB after\n` +
        `${cores}; ${rounds} rounds of ${seconds} s a part, load of the machine ${loadavg()[0]?.toFixed(1)}\n`,
    );
  } finally {
    await server.stop();
  }
}

async function measureRound(server: BuiltServer, ask: Ask, seconds: number): Promise<Round> {
  const round: Round = new Map();
  const best = await measure(server, seconds, () => closedLoop(ask, callers, seconds));
  round.set('at its best', best);
  for (const factor of factors)
    round.set(
      `${factor} times`,
      await measure(server, seconds, () => openLoop(ask, factor * best.goodput, seconds)),
    );
  return round;
}

async function measure(
  server: BuiltServer,
  seconds: number,
  load: () => Promise<Load>,
): Promise<Part> {
  const began = mainThreadTimes(server.pid);
  const { result, p99 } = await watchHealth(server, load);
  const ended = mainThreadTimes(server.pid);
  const ran = ended.ranMicros - began.ranMicros;
  const waited = ended.waitedMicros - began.waitedMicros;
  return {
    ...result,
    micros: ran / (result.goodput * seconds),
    starved: waited / Math.max(1, ran + waited),
    healthMs: p99,
  };
}

/** The middle of all rounds. */
function median(all: readonly Round[], read: (round: Round) => number): number {
  const values = all.map(read).sort((a, b) => a - b);
  return values[values.length >> 1] ?? 0;
}

function shares(round: Round | undefined): string {
  const best = round?.get('at its best');
  return [...(round ?? [])]
    .map(([name, part]) => {
      const share = Math.round((100 * part.goodput) / (best?.goodput ?? 1));
      return `${name} ${Math.round(part.goodput)}/s (${share} %)`;
    })
    .join(', ');
}

function report(all: readonly Round[]): void {
  const names = [...(all[0]?.keys() ?? [])];
  const middle = (name: string, read: (part: Part, best: Part) => number): number =>
    median(all, (round) => {
      const part = round.get(name);
      const best = round.get('at its best');
      return part === undefined || best === undefined ? 0 : read(part, best);
    });
  // Of the same round: what is left of the most that was answered in that half minute.
  const left = (name: string): number => middle(name, (part, best) => part.goodput / best.goodput);
  const peak = Math.max(...names.map(left));
  const percent = (share: number): string => `${Math.round(100 * share)} %`;
  const heads = [...columns, 'no core', '/health 99 %'];
  process.stdout.write(`${'load'.padEnd(12)}${heads.map((name) => name.padStart(13)).join('')}\n`);
  for (const name of names) {
    const cells = [
      ...(['offered', 'goodput', 'shed', 'late', 'broken'] as const).map(
        (key) => `${Math.round(middle(name, (part) => part[key]))}/s`,
      ),
      percent(left(name) / peak),
      percent(middle(name, (part, best) => best.micros / part.micros)),
      percent(middle(name, ({ starved }) => starved)),
      `${middle(name, ({ healthMs }) => healthMs)} ms`,
    ];
    process.stdout.write(`${name.padEnd(12)}${cells.map((cell) => cell.padStart(13)).join('')}\n`);
  }
  const share = left('2 times') / peak;
  process.stdout.write(
    `${share >= 0.8 ? 'ok  ' : 'FAIL'} goodput at twice the capacity: ${percent(share)} of the peak (>= 80)\n`,
  );
}
