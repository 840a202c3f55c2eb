import { sidelight } from './support/app-contender.js';
import { compareServers, type Contender, printMeasured, warmUp } from './support/cpu-compare.js';
import { withEngine } from './support/with-engine.js';

export const summary =
  'counted impressions and ad decisions against bare node:http, CPU per request, database included';

const bare = new URL('./support/bare-server.js', import.meta.url);
const agent =
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

/**
 * Arguments: rounds (5), requests a round (4000), concurrency (64), ad groups (1000), engine
 * (embedded, the default of `npm start`, or server). The CPU of the database counts on both.
 */
export async function run(args: readonly string[]): Promise<void> {
  await withEngine(args[4] === 'server' ? 'server' : 'embedded', (store) => measure(args, store));
}

async function measure(args: readonly string[], store: Record<string, string>): Promise<void> {
  const [rounds = 5, requests = 4000, concurrency = 64, groups = 1000] = args
    .slice(0, 4)
    .map(Number);
  const total = rounds * requests + warmUp;
  let tokens: string[] = [];
  printMeasured(
    'A counted, durable impression',
    await compareServers(
      [
        { name: 'bare node:http GIF', module: bare, request: () => ({ path: '/ack?p=x' }) },
        {
          name: 'sidelight /ack',
          ...sidelight,
          env: { ...store, BENCH_GROUPS: '10', BENCH_TOKENS: String(total) },
          onSetup: (setup) =>
            void (tokens = Array.isArray(setup['tokens']) ? setup['tokens'].map(String) : []),
          request: (n) => ({ path: `/ack?p=${tokens[n] ?? ''}`, headers: { 'user-agent': agent } }),
        },
      ],
      { rounds, requests, concurrency },
    ),
  );

  const body = (n: number, text: string): string =>
    JSON.stringify({
      messages: [{ role: 'user', content: text }],
      sessionId: `s${n}`,
      placements: [{ placement: 'below_response', placement_id: 'main' }],
    });
  const decision = (name: string, text: (n: number) => string, matching = 'fast'): Contender => {
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
        body: body(n, text(n)),
      }),
      statuses: [200, 204],
    };
  };
  const bareJson: Contender = {
    name: 'bare node:http JSON',
    module: bare,
    request: (n) => ({
      path: '/',
      method: 'POST',
      body: body(n, 'looking for an affordable hotel in Berlin'),
    }),
  };
  printMeasured(
    `An ad decision among ${groups} ad groups, words only`,
    await compareServers(
      [
        bareJson,
        decision(
          'sidelight /api/v1/ad',
          (n) => `looking for an affordable hotel in Berlin for ${1 + (n % 9)} nights`,
        ),
      ],
      { rounds, requests: Math.ceil(requests / 2), concurrency },
    ),
  );
  const cached = await compareServers(
    [
      bareJson,
      decision(
        'conversations read before',
        (n) => `looking for an affordable hotel in Berlin for ${1 + (n % 9)} nights`,
        'semantic',
      ),
    ],
    { rounds, requests: Math.ceil(requests / 2), concurrency },
  );
  printMeasured(`An ad decision among ${groups} ad groups, by meaning`, cached);
  const unseen = (): Contender =>
    decision(
      'conversations never seen',
      (n) =>
        `we are ${2 + (n % 7)} people and need an affordable hotel in Berlin near the ${places[n % places.length] ?? ''}, room ${n}`,
      'semantic',
    );
  const fresh = await compareServers([bareJson, unseen(), watched(bareJson), watched(unseen())], {
    rounds,
    requests: Math.ceil(requests / 8),
    concurrency: 8,
    warmUp: 1000,
  });
  printMeasured('The same with conversations that must be embedded first, eight at a time', fresh);
  process.stdout.write(
    `embedding: ${((fresh[1]?.backgroundMicros ?? 0) / 1000).toFixed(1)} ms CPU a conversation, on a worker thread\n`,
  );
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
