import { sidelight } from './support/app-contender.js';
import { compareServers, type Contender, printMeasured } from './support/cpu-compare.js';
import { withEngine } from './support/with-engine.js';

export const summary =
  'counted impressions and ad decisions against bare node:http, CPU per request, database included';

const bare = new URL('./support/bare-server.js', import.meta.url);
const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

/**
 * Arguments: rounds (15), requests a round (4000), concurrency (64), ad groups (1000), engine
 * (embedded, the default of `npm start`, or server). The CPU of the database counts on both. Fewer
 * rounds say less: on a shared machine the ratio of a single one is between half and twice the
 * median's, and medians of five of the same build were between 5.6 and 6.5 within an hour.
 */
export async function run(args: readonly string[]): Promise<void> {
  await withEngine(args[4] === 'server' ? 'server' : 'embedded', (store) => measure(args, store));
}

interface Load {
  rounds: number;
  requests: number;
  concurrency: number;
  groups: number;
  /** The settings of the engine. */
  store: Record<string, string>;
}

async function measure(args: readonly string[], store: Record<string, string>): Promise<void> {
  const [rounds = 15, requests = 4000, concurrency = 64, groups = 1000] = args
    .slice(0, 4)
    .map(Number);
  const load = { rounds, requests, concurrency, groups, store };
  await measureImpressions(load);
  await measureKnown(load);
  await measureUnseen(load);
}

async function measureImpressions({ rounds, requests, concurrency, store }: Load): Promise<void> {
  printMeasured(
    'A counted, durable impression',
    await compareServers([bareGif, impressions(store)], {
      rounds,
      requests,
      concurrency,
    }),
  );
  // As fast as they can, callers, server and database fill both cores, and everyone waits for a
  // core. What one of many callers waits for the server is told by callers who leave some free.
  const calm = { rounds, requests, concurrency, everyMs: concurrency };
  printMeasured(
    `The same from ${concurrency} callers, 1000 a second`,
    await compareServers([bareGif, impressions(store)], calm),
  );
  const alone = { rounds, requests: Math.ceil(requests / 8), concurrency: 1 };
  printMeasured(
    'The same from one client, one after the other',
    await compareServers([bareGif, impressions(store)], alone),
  );
}

const bareGif: Contender = {
  name: 'bare node:http GIF',
  module: bare,
  request: () => ({ path: '/ack?p=x' }),
};

/** Each round is of ads served just before it, as beacons are. */
function impressions(store: Record<string, string>): Contender {
  const tokens: string[] = [];
  return {
    name: 'sidelight /ack',
    ...sidelight,
    env: { ...store, BENCH_GROUPS: '10' },
    prepares: true,
    onSetup({ tokens: minted }) {
      if (Array.isArray(minted)) for (const token of minted) tokens.push(String(token));
    },
    request: (n) => ({ path: `/ack?p=${tokens[n] ?? ''}`, headers: { 'user-agent': agent } }),
  };
}

/** Decisions about conversations that come again and again, by words and by meaning. */
async function measureKnown(load: Load): Promise<void> {
  const { rounds, requests, concurrency, groups } = load;
  const text = (n: number): string =>
    `looking for an affordable hotel in Berlin for ${1 + (n % 9)} nights`;
  for (const [title, contender] of [
    ['words only', decision(load, 'sidelight /api/v1/ad', text, 'fast')],
    ['by meaning', decision(load, 'conversations read before', text, 'semantic')],
  ] as const)
    printMeasured(
      `An ad decision among ${groups} ad groups, ${title}`,
      await compareServers([bareJson, contender], {
        rounds,
        requests: Math.ceil(requests / 2),
        concurrency,
      }),
    );
}

async function measureUnseen(load: Load): Promise<void> {
  const text = (n: number): string =>
    `we are ${2 + (n % 7)} people and need an affordable hotel in Berlin` +
    ` near the ${places[n % places.length] ?? ''}, room ${n}`;
  const unseen = (): Contender => decision(load, 'conversations never seen', text, 'semantic');
  const fresh = await compareServers([bareJson, unseen(), watched(bareJson), watched(unseen())], {
    rounds: load.rounds,
    requests: Math.ceil(load.requests / 8),
    concurrency: 8,
    warmUp: 1000,
  });
  printMeasured('The same with conversations that must be embedded first, eight at a time', fresh);
  const embeddingMs = (fresh[1]?.backgroundMicros ?? 0) / 1000;
  process.stdout.write(
    `embedding: ${embeddingMs.toFixed(1)} ms CPU a conversation, on a worker thread\n`,
  );
}

function bodyOf(n: number, text: string): string {
  return JSON.stringify({
    messages: [{ role: 'user', content: text }],
    sessionId: `s${n}`,
    placements: [{ placement: 'below_response', placement_id: 'main' }],
  });
}

const bareJson: Contender = {
  name: 'bare node:http JSON',
  module: bare,
  request: (n) => ({
    path: '/',
    method: 'POST',
    body: bodyOf(n, 'looking for an affordable hotel in Berlin'),
  }),
};

function decision(
  { store, groups }: Load,
  name: string,
  text: (n: number) => string,
  matching: string,
): Contender {
  // Each server has a publisher of its own.
  let key = '';
  return {
    name,
    ...sidelight,
    env: { ...store, BENCH_GROUPS: String(groups), MATCHING: matching },
    onSetup: (setup) => void (key = String(setup['publisher'])),
    request: (n) => ({
      path: '/api/v1/ad',
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'user-agent': agent },
      body: bodyOf(n, text(n)),
    }),
    statuses: [200, 204],
  };
}

function watched(contender: Contender): Contender {
  return {
    ...contender,
    name: `${contender.name}, loop watched`,
    env: { ...contender.env, BENCH_LOOP: '1' },
  };
}

const places = [
  'station',
  'zoo',
  'museum',
  'river',
  'old town',
  'airport',
  'lake',
  'opera',
  'university',
  'stadium',
  'market',
];
