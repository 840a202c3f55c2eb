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

/** A part, and what the server did at its best right before and behind it. */
interface Compared extends Part {
  best: Pick<Part, 'goodput' | 'micros'>;
}

/** What was measured in one round, by its name. */
type Round = Map<string, Compared>;

/**
 * Arguments: seconds of each part (4), rounds (5). Each round finds the most that is answered and
 * then asks for parts and multiples of that, however slow the answers are. A machine is not equally
 * fast all the time: each part is compared with the best right before and right behind it, and the
 * middle of the rounds is told. "By CPU" is what one answer
 * at its best costs of what one costs here, those turned away included; "no core" how long the
 * thread that answers had work and waited for a core others had.
 */
export async function run(args: readonly string[]): Promise<void> {
  const seconds = Number(args[0] ?? 4);
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
  const atBest = (): Promise<Part> =>
    measure(server, seconds, () => closedLoop(ask, callers, seconds));
  let before = await atBest();
  const { goodput } = before;
  round.set('at its best', { ...before, best: before });
  for (const factor of factors) {
    const part = await measure(server, seconds, () => openLoop(ask, factor * goodput, seconds));
    const behind = await atBest();
    round.set(`${factor} times`, { ...part, best: between(before, behind) });
    before = behind;
  }
  return round;
}

function between(before: Part, behind: Part): Compared['best'] {
  return {
    goodput: (before.goodput + behind.goodput) / 2,
    micros: (before.micros + behind.micros) / 2,
  };
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
  return [...(round ?? [])]
    .map(([name, { goodput, best }]) => {
      const share = Math.round((100 * goodput) / best.goodput);
      return `${name} ${Math.round(goodput)}/s (${share} % of ${Math.round(best.goodput)}/s)`;
    })
    .join(', ');
}

function report(all: readonly Round[]): void {
  const names = [...(all[0]?.keys() ?? [])];
  const middle = (name: string, read: (part: Compared) => number): number =>
    median(all, (round) => {
      const part = round.get(name);
      return part === undefined ? 0 : read(part);
    });
  // What is left of the most that was answered in those seconds.
  const left = (name: string): number =>
    middle(name, ({ goodput, best }) => goodput / best.goodput);
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
      percent(middle(name, ({ micros, best }) => best.micros / micros)),
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
