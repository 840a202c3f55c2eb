import { type ChildProcess, fork } from 'node:child_process';
import { Agent, request as httpRequest } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { backgroundCpuMicros } from './background-cpu.js';
import { watchLoop } from './loop-watch.js';
import { treeCpuMicros } from './tree-cpu.js';

/**
 * One server under test: a module that listens, tells its port by `process.send({ port })` and
 * answers `cpu` with its CPU time.
 */
export interface Contender {
  name: string;
  module: URL;
  args?: readonly string[];
  /** Options of Node itself. */
  nodeOptions?: readonly string[];
  /** What the C library is told. */
  settings?: Readonly<Record<string, string>>;
  env?: Record<string, string>;
  /** What the server told about itself before it listened, or made ready for a round. */
  onSetup?: (setup: Record<string, unknown>) => void;
  /** Whether it is told before each round how many requests come, to make ready for them. */
  prepares?: boolean;
  /** The n-th request of this contender. */
  request: (n: number) => {
    path: string;
    method?: string;
    headers?: Record<string, string>;
    body?: string;
  };
  /** Statuses that count as right; anything else fails the bench. */
  statuses?: readonly number[];
}

/**
 * Unmeasured requests before the first round: until then V8 and the embedded engine compile what is
 * called often, which costs as much as the requests do and is over after so many (0175).
 */
export const warmUp = 16_000;

export interface Measured {
  name: string;
  cpuMicros: number;
  /** Of the median round, as everything else here. */
  p50Ms: number;
  p99Ms: number;
  /** Of the slowest round. */
  worstP99Ms: number;
  perSecond: number;
  /**
   * How long the event loop kept others waiting, the worst one in a hundred, in the median round.
   */
  loopP99Ms: number;
  /** The part of that the thread worked itself; the rest it waited for a core. */
  loopOwnP99Ms: number;
  /**
   * The part of `cpuMicros` spent by threads that stand back for the others. Not known outside
   * Linux.
   */
  backgroundMicros: number;
  /** Memory of the process after each round. */
  memoryMb: number[];
  ratio: number;
}

/** How a server is asked. */
export interface Load {
  requests: number;
  /** So many callers at once, each with a connection of its own. */
  concurrency: number;
  /** Each caller asks once in so many milliseconds; left out: as soon as it has its answer. */
  everyMs?: number;
}

interface Round {
  cpu: number;
  background: number;
  times: number[];
  wallMs: number;
  loopP99Ms: number;
  loopOwnP99Ms: number;
  memoryMb: number;
}

interface Entry {
  contender: Contender;
  server: Running;
  sent: number;
  rounds: Round[];
}

async function warm(entry: Entry, options: Load): Promise<void> {
  const { contender, server } = entry;
  await server.prepare(options.requests);
  await drive(contender, server.port, () => entry.sent++, options);
}

async function measureRound(entry: Entry, options: Load): Promise<Round> {
  const { requests } = options;
  const { contender, server } = entry;
  await server.prepare(requests);
  const before = await server.usage();
  const started = performance.now();
  const times = await drive(contender, server.port, () => entry.sent++, options);
  const wallMs = performance.now() - started;
  const after = await server.usage();
  return {
    cpu: (after.cpu - before.cpu) / requests,
    background: (after.background - before.background) / requests,
    times,
    wallMs,
    loopP99Ms: after.loopP99Ms,
    loopOwnP99Ms: after.loopOwnP99Ms,
    memoryMb: after.memoryMb,
  };
}

/**
 * CPU time per request of each server and of the database behind it, in interleaved rounds on one
 * machine, as the median round and as a ratio to the first contender. A round ends when everything
 * it recorded is in the database. Wall-clock numbers are shown too, but machines are noisy: trust
 * the ratio.
 */
export async function compareServers(
  contenders: readonly Contender[],
  options: Load & { rounds: number; warmUp?: number },
): Promise<Measured[]> {
  const servers: Entry[] = [];
  try {
    for (const contender of contenders)
      servers.push({ contender, server: await start(contender), sent: 0, rounds: [] });
    const { concurrency } = options;
    for (const entry of servers)
      await warm(entry, { requests: options.warmUp ?? warmUp, concurrency });
    for (let round = 0; round < options.rounds; round += 1) {
      for (const entry of servers) entry.rounds.push(await measureRound(entry, options));
    }
  } finally {
    for (const { server } of servers) server.stop();
  }
  const results = servers.map(({ contender, rounds }) => {
    const within = (share: number): number[] => rounds.map(({ times }) => quantile(times, share));
    return {
      name: contender.name,
      cpuMicros: median(rounds.map((round) => round.cpu)),
      p50Ms: median(within(0.5)),
      p99Ms: median(within(0.99)),
      worstP99Ms: Math.max(...within(0.99)),
      perSecond: median(rounds.map((round) => (options.requests / round.wallMs) * 1000)),
      loopP99Ms: median(rounds.map((round) => round.loopP99Ms)),
      loopOwnP99Ms: median(rounds.map((round) => round.loopOwnP99Ms)),
      backgroundMicros: median(rounds.map((round) => round.background)),
      memoryMb: rounds.map((round) => round.memoryMb),
      ratio: 0,
    };
  });
  const base = results[0]?.cpuMicros ?? 1;
  return results.map((result) => ({ ...result, ratio: result.cpuMicros / base }));
}

export function printMeasured(title: string, results: readonly Measured[]): void {
  const lines = results.map(
    (result) =>
      `| ${result.name} | ${result.cpuMicros.toFixed(1)} | ${result.ratio.toFixed(2)}× | ${Math.round(result.perSecond)} | ${result.p50Ms.toFixed(2)} | ${result.p99Ms.toFixed(2)} (${result.worstP99Ms.toFixed(0)}) | ${!(result.loopP99Ms > 0.01) ? '–' : `${result.loopP99Ms.toFixed(1)}, own ${result.loopOwnP99Ms.toFixed(1)}`} |`,
  );
  process.stdout.write(
    `\n${title}\n\n| server, database included | CPU µs/request | ratio | requests/s | p50 ms | p99 ms (worst round) | loop p99 ms |\n|---|---|---|---|---|---|---|\n${lines.join('\n')}\n`,
  );
}

interface Usage {
  cpu: number;
  background: number;
  loopP99Ms: number;
  loopOwnP99Ms: number;
  memoryMb: number;
}

interface Running {
  port: number;
  /** CPU so far, and the event loop's delays since it was last asked. */
  usage(): Promise<Usage>;
  /** Resolves when it is ready for so many requests. */
  prepare(requests: number): Promise<void>;
  stop(): void;
}

function start(contender: Contender): Promise<Running> {
  return new Promise((resolve, reject) => {
    const child = fork(contender.module, [...(contender.args ?? [])], {
      execArgv: [...(contender.nodeOptions ?? [])],
      env: { ...contender.settings, ...process.env, ...contender.env },
      stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`${contender.name} ended with ${code}`)));
    child.on('message', (message: { port?: number; setup?: Record<string, unknown> }) => {
      if (message.setup !== undefined) contender.onSetup?.(message.setup);
      if (message.port !== undefined)
        resolve({
          port: message.port,
          usage: async () => withDatabase(await usageOf(child), contender.env),
          prepare: async (requests) => {
            if (contender.prepares === true) await prepared(child, requests);
          },
          stop: () => child.kill('SIGKILL'),
        });
    });
  });
}

function prepared(child: ChildProcess, requests: number): Promise<void> {
  return new Promise((resolve) => {
    const onMessage = (message: { setup?: unknown }): void => {
      if (message.setup === undefined) return;
      child.off('message', onMessage);
      resolve();
    };
    child.on('message', onMessage);
    child.send({ prepare: requests });
  });
}

function usageOf(child: ChildProcess): Promise<Usage> {
  return new Promise((resolve) => {
    const onMessage = (message: { usage?: Usage }): void => {
      if (message.usage === undefined) return;
      child.off('message', onMessage);
      resolve(message.usage);
    };
    child.on('message', onMessage);
    child.send('usage');
  });
}

/** The database is a part of the server, whether it runs inside its process or beside it. */
function withDatabase(usage: Usage, env: Record<string, string> = {}): Usage {
  const pid = Number(env['BENCH_DATABASE_PID'] ?? 0);
  return pid === 0 ? usage : { ...usage, cpu: usage.cpu + treeCpuMicros(pid) };
}

/**
 * What a server under test calls once it listens. CPU includes worker threads: it is the whole
 * process, once what it still has to do is done.
 */
export function reportToBench(port: number, settle: () => Promise<void> = async () => {}): void {
  // Watching costs CPU of its own, so only where it is asked for.
  const watch = process.env['BENCH_LOOP'] === '1' ? watchLoop() : null;
  const report = async (): Promise<void> => {
    await settle();
    const { user, system } = process.cpuUsage();
    process.send?.({
      usage: {
        cpu: user + system,
        background: backgroundCpuMicros(),
        loopP99Ms: watch?.delayP99() ?? 0,
        loopOwnP99Ms: watch?.ownP99() ?? 0,
        memoryMb: Math.round(process.memoryUsage.rss() / 2 ** 20),
      },
    });
    watch?.reset();
  };
  process.on('message', (message) => {
    if (message === 'usage') void report();
  });
  process.send?.({ port });
}

async function drive(
  contender: Contender,
  port: number,
  next: () => number,
  { requests, concurrency, everyMs }: Load,
): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: concurrency });
  const times: number[] = [];
  let left = requests;
  const statuses = new Set(contender.statuses ?? [200]);
  const began = performance.now();
  const worker = async (at: number): Promise<void> => {
    for (let sent = 0; left > 0; sent += 1) {
      left -= 1;
      // What comes late because the one before did has waited since it was due.
      const due = began + (at / concurrency + sent) * (everyMs ?? 0);
      if (everyMs !== undefined) await sleep(Math.max(0, due - performance.now()));
      // A timer may ring a moment early.
      const started = Math.min(performance.now(), everyMs === undefined ? Infinity : due);
      const status = await send(agent, port, contender.request(next()));
      if (!statuses.has(status)) throw new Error(`${contender.name} answered ${status}`);
      times.push(performance.now() - started);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, (_, at) => worker(at)));
  agent.destroy();
  return times;
}

function send(
  agent: Agent,
  port: number,
  { path, method = 'GET', headers = {}, body }: ReturnType<Contender['request']>,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      {
        agent,
        port,
        host: '127.0.0.1',
        path,
        method,
        headers:
          body === undefined
            ? headers
            : {
                'content-type': 'application/json',
                'content-length': Buffer.byteLength(body),
                ...headers,
              },
      },
      (response) => {
        response.resume();
        response.on('end', () => resolve(response.statusCode ?? 0));
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

function quantile(values: readonly number[], share: number): number {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length * share)] ?? 0;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
