// Fills the app with ad groups and times the decision alone, its conversation already read. Reports
// to bench/decisions.ts.
import { noSignals } from '../../src/domain/privacy/weigh-signals.js';
import { openBenchApp } from './open-bench-app.js';

const groups = Number(process.env['BENCH_GROUPS']);
const rounds = Number(process.env['BENCH_DECISIONS']);
const { app, publisher, fill } = await openBenchApp();
const things = [
  'hotel',
  'mortgage',
  'running shoes',
  'dog food',
  'web hosting',
  'solar panels',
  'car rental',
  'camping tent',
  'language course',
  'tax filing',
];
const places = ['Berlin', 'London', 'Austin', 'Madrid', 'Tokyo', 'Paris', 'Oslo'];
const questions = [
  'looking for an affordable X in Y',
  'which X would you recommend near Y?',
  'I need a good X for my trip to Y',
  'compare X prices in Y',
  'where can I buy a X in Y this week',
];

async function usedMemory(): Promise<number> {
  // What other threads handed over is freed a moment after it is collected.
  for (let round = 0; round < 5; round += 1) {
    globalThis.gc?.();
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

// The first ones bring in code and caches that are there once.
await fill(200);
const empty = await usedMemory();
await fill(groups);
const perGroup = ((await usedMemory()) - empty) / groups;

const account = app.services.directory.publisher(publisher.id);
if (account === undefined) throw new Error('the publisher is not known');
const audience = {
  name: 'anonymous',
  userId: 'anonymous',
  privacy: noSignals,
  country: 'DE',
  device: 'mobile',
  gender: null,
  age: null,
  interests: new Set<string>(),
  isDeviceNamed: true,
  identity: null,
  languages: [],
  minor: false,
};
const times: number[] = [];
let served = 0;
let cpu = 0;
for (let n = 0; n < rounds; n += 1) {
  const content = (questions[n % questions.length] ?? '')
    .replace('X', things[n % things.length] ?? '')
    .replace('Y', `${places[n % places.length] ?? ''}, ${n}`);
  const messages = [{ role: 'user' as const, content }];
  const query = await app.serving.matcher.read(messages, []);
  const body = {
    messages,
    sessionId: `s${n}`,
    placements: [{ placement: 'below_response' as const, placement_id: 'main' }],
  };
  const before = process.cpuUsage();
  const started = performance.now();
  const decision = app.serving.decide({
    requestId: app.services.mintId(Date.now()),
    now: Date.now(),
    query,
    publisher: account,
    body,
    audience,
    subjects: { session: `s${n}`, user: `s${n}` },
    dislikers: [`s${n}`],
  });
  times.push(performance.now() - started);
  const used = process.cpuUsage(before);
  cpu += used.user + used.system;
  if (decision.winners.length > 0) served += 1;
}
// The first ones compile.
const steady = times.slice(Math.floor(rounds / 5)).sort((a, b) => a - b);
process.send?.({
  result: {
    mode: app.serving.matcher.mode,
    perGroup,
    p50: steady[Math.floor(steady.length / 2)],
    p99: steady[Math.floor(steady.length * 0.99)],
    cpuMicros: cpu / rounds,
    served: served / rounds,
  },
});
