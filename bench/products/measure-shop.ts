// Shop searches through HTTP, over PostgreSQL: latency, CPU and how long the event loop was held
// up, at rest and while products change.
import { type ChildProcess, fork } from 'node:child_process';
import { Agent, request as httpRequest } from 'node:http';
import { startPostgresServer } from '../../test/support/postgres-server.js';
import { makeQueries, makeRandom } from './make-products.js';

interface Delay {
  p50: number;
  p99: number;
  max: number;
  own: number;
}
interface Told {
  written?: number;
  built?: {
    seconds: number;
    cpuSeconds: number;
    products: number;
    bytes: number;
    rss: number;
    delay: Delay;
  };
  port?: number;
  key?: string;
  cpu?: NodeJS.CpuUsage;
  /** Milliseconds of CPU time of the main thread, so far. */
  own?: number;
  delay?: Delay;
  changed?: boolean;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}

function heard(child: ChildProcess, wanted: (message: Told) => boolean): Promise<Told> {
  return new Promise((resolve, reject) => {
    const onExit = (code: number | null): void => reject(new Error(`the shop ended with ${code}`));
    child.once('exit', onExit);
    const onMessage = (message: Told): void => {
      if (!wanted(message)) return;
      child.off('message', onMessage);
      child.off('exit', onExit);
      resolve(message);
    };
    child.on('message', onMessage);
  });
}

function someFilters(random: () => number): Record<string, unknown> {
  return {
    ...(random() < 0.6 ? { price_max: Math.round(random() * 300) + 20 } : {}),
    ...(random() < 0.3 ? { colors: ['black', 'navy'] } : {}),
    ...(random() < 0.2 ? { sizes: ['M', '9'] } : {}),
    ...(random() < 0.2 ? { gender: 'women' } : {}),
    ...(random() < 0.2
      ? { categories: ['footwear', 'apparel', 'electronics_computing', 'home_kitchen'] }
      : {}),
    ...(random() < 0.2 ? { on_sale_only: true } : {}),
  };
}

function search(agent: Agent, port: number, key: string, body: string): Promise<number> {
  const started = performance.now();
  return new Promise((resolve, reject) => {
    const call = httpRequest(
      {
        agent,
        port,
        host: '127.0.0.1',
        path: '/shop/search',
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(body),
          'x-api-key': key,
        },
      },
      (response) => {
        response.resume();
        response.on('end', () =>
          response.statusCode === 200
            ? resolve(performance.now() - started)
            : reject(new Error(`answered ${response.statusCode}`)),
        );
      },
    );
    call.on('error', reject);
    call.end(body);
  });
}

async function timeSearches(
  child: ChildProcess,
  port: number,
  key: string,
  bodies: readonly string[],
  name: string,
): Promise<void> {
  const agent = new Agent({ keepAlive: true });
  const ask = async (): Promise<Told> => {
    const answer = heard(child, (message) => message.cpu !== undefined);
    child.send({ cpu: true });
    return answer;
  };
  const before = await ask();
  const times: number[] = [];
  for (const body of bodies) times.push(await search(agent, port, key, body));
  const after = await ask();
  agent.destroy();
  times.sort((a, b) => a - b);
  const at = (share: number): string => (times[Math.floor(times.length * share)] ?? 0).toFixed(1);
  const cpu =
    ((after.cpu?.user ?? 0) +
      (after.cpu?.system ?? 0) -
      (before.cpu?.user ?? 0) -
      (before.cpu?.system ?? 0)) /
    1000 /
    bodies.length;
  say(
    `  ${name}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms, p99 ${at(0.99)} ms over ${bodies.length} searches, ${cpu.toFixed(1)} ms CPU each, ${(((after.own ?? 0) - (before.own ?? 0)) / bodies.length).toFixed(1)} ms of it in the main thread; event loop held up p99 ${after.delay?.p99.toFixed(0)} ms, at most ${after.delay?.max.toFixed(0)} ms (own CPU ${after.delay?.own.toFixed(0)} ms)`,
  );
}

export async function measureShop(count: number, searches: number): Promise<void> {
  const postgres = await startPostgresServer();
  const child = fork(new URL('./shop-server.js', import.meta.url), [], {
    execArgv: ['--expose-gc', '--max-old-space-size=6000'],
    env: { ...process.env, DATABASE_URL: postgres.url, BENCH_PRODUCTS: String(count) },
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  try {
    say(`${count} products behind /shop/search`);
    const { written = 0 } = await heard(child, (message) => message.written !== undefined);
    say(`  written to PostgreSQL in ${written.toFixed(0)} s`);
    const { built } = await heard(child, (message) => message.built !== undefined);
    if (built !== undefined)
      say(
        `  indexed from the database in ${built.seconds.toFixed(0)} s (${built.cpuSeconds.toFixed(0)} s CPU), ${Math.round(built.bytes / built.products)} bytes a product, ${Math.round(built.rss / 2 ** 20)} MiB in all; event loop held up p99 ${built.delay.p99.toFixed(0)} ms, at most ${built.delay.max.toFixed(0)} ms (own CPU ${built.delay.own.toFixed(0)} ms)`,
      );
    const { port = 0, key = '' } = await heard(child, (message) => message.port !== undefined);
    const random = makeRandom(5);
    const bodies = makeQueries(searches, 3).map((query) =>
      JSON.stringify({ query, max_results: 10, ...someFilters(random) }),
    );
    await timeSearches(child, port, key, bodies.slice(0, 200), 'warming up');
    await timeSearches(child, port, key, bodies, 'at rest');
    const changed = heard(child, (message) => message.changed === true);
    child.send({ change: 5000 });
    await timeSearches(child, port, key, bodies, 'while 5000 products change');
    await changed;
  } finally {
    child.kill('SIGKILL');
    await postgres.stop();
  }
}
