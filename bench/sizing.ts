// What one ad request and one view cost, counted as CPU time of the server and of its database.
import { Agent } from 'node:http';
import { startPostgresServer } from '../test/support/postgres-server.js';
import { type BuiltServer, startBuiltServer } from './support/built-server.js';
import { memoryOfTree, treeCpuMicros } from './support/tree-cpu.js';

export const summary =
  'CPU of server and database for a million ads, views and repeats; what docs/sizing.md says';

const together = 8;
const things = ['hotel', 'tent', 'laptop', 'CRM', 'desk', 'course', 'insurance', 'phone plan'];
const places = ['Berlin', 'Oslo', 'Lima', 'Leeds', 'Osaka', 'Porto', 'Quito', 'Reno', 'Turin'];

interface Cost {
  what: string;
  count: number;
  serverMicros: number;
  databaseMicros: number;
}

/** Arguments: ads (1500), engine (both | embedded | server). */
export async function run(args: readonly string[]): Promise<void> {
  const ads = Number(args[0] ?? 1500);
  for (const engine of ['embedded', 'server'] as const)
    if ((args[1] ?? 'both') === 'both' || args[1] === engine) await measureEngine(engine, ads);
}

async function measureEngine(engine: 'embedded' | 'server', ads: number): Promise<void> {
  const postgres = engine === 'server' ? await startPostgresServer({ durable: true }) : null;
  const server = await startBuiltServer(
    postgres === null ? { DATABASE_URL: '' } : { DATABASE_URL: postgres.url },
  );
  try {
    const costOf = async (what: string, count: number, work: (n: number) => Promise<void>) => {
      const cpu = (): [number, number] => [
        treeCpuMicros(server.pid),
        postgres === null ? 0 : treeCpuMicros(postgres.pid),
      ];
      const before = cpu();
      await inLanes(count, work);
      await caughtUp(server);
      const after = cpu();
      const cost: Cost = {
        what,
        count,
        serverMicros: after[0] - before[0],
        databaseMicros: after[1] - before[1],
      };
      print(cost);
    };
    process.stdout.write(
      `\n${engine} engine${engine === 'embedded' ? ' (its CPU is the server\u2019s)' : ''}\n` +
        `${'one of'.padEnd(38)} ${'server'.padStart(9)} ${'database'.padStart(9)} ${'core-hours a million'.padStart(21)} ${'a second on a core'.padStart(19)}\n`,
    );
    const seen: string[] = [];
    await inLanes(200, (n) => ask(server, `w${n}`, wish(n), []));
    await caughtUp(server);
    await costOf('ads, the conversation is new', ads, (n) =>
      ask(server, `n${n}`, wish(1000 + n), seen),
    );
    await costOf('ads, it was read before', ads, (n) => ask(server, `r${n}`, wish(n % 50), seen));
    const views = [...seen];
    await costOf('views (impressions)', views.length, async (n) => {
      await get(server, views[n] ?? '');
    });
    process.stdout.write(
      `memory: ${memoryOfTree(server.pid)} MB the server` +
        `${postgres === null ? '' : `, ${memoryOfTree(postgres.pid)} MB PostgreSQL`}\n`,
    );
  } finally {
    await server.stop();
    await postgres?.stop();
  }
}

function wish(n: number): string {
  const thing = things[n % things.length];
  const place = places[Math.floor(n / things.length) % places.length];
  return `I need a ${thing} in ${place}, for ${2 + (n % 97)} people and no more than ${50 + n} dollars`;
}

const agent = new Agent({ keepAlive: true, maxSockets: together });

async function ask(
  server: BuiltServer,
  sessionId: string,
  content: string,
  seen: string[],
): Promise<void> {
  const { status, body } = await server.send('/api/v1/ad', {
    method: 'POST',
    payload: JSON.stringify({
      messages: [{ role: 'user', content }],
      sessionId,
      placements: [{ placement: 'below_response', placement_id: 'main' }],
    }),
    headers: {
      authorization: `Bearer ${server.demo.publisher.api_key}`,
      'content-type': 'application/json',
    },
    agent,
  });
  if (status !== 200 && status !== 204) throw new Error(`an ad request answered ${status}`);
  const url = /"impUrl":"([^"]+)"/.exec(body)?.[1];
  if (url !== undefined) seen.push(url);
}

async function get(server: BuiltServer, url: string): Promise<void> {
  const { pathname, search } = new URL(url);
  const { status } = await server.send(`${pathname}${search}`, {
    headers: { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64) Firefox/140.0' },
    agent,
  });
  if (status >= 300) throw new Error(`a beacon answered ${status}`);
}

async function inLanes(count: number, work: (n: number) => Promise<void>): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: together }, lane));
}

async function caughtUp(server: BuiltServer): Promise<void> {
  for (;;) {
    const { body } = await server.send('/health');
    // Told by the health route.
    const { journal } = JSON.parse(body) as { journal?: { lag_ms: number } };
    if ((journal?.lag_ms ?? 0) === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

function print({ what, count, serverMicros, databaseMicros }: Cost): void {
  if (count === 0) return void process.stdout.write(`${what}: none\n`);
  const each = (serverMicros + databaseMicros) / count;
  const cells = [
    what.padEnd(38),
    `${Math.round(serverMicros / count)} \u00b5s`.padStart(9),
    `${Math.round(databaseMicros / count)} \u00b5s`.padStart(9),
    (each / 3600).toFixed(2).padStart(21),
    String(Math.round(1e6 / each)).padStart(19),
  ];
  process.stdout.write(`${cells.join(' ')}\n`);
}
