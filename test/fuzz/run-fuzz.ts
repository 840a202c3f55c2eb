import { performance } from 'node:perf_hooks';
import { addPerson } from '../../src/surfaces/accounts/open-account.js';
import type { TestApp } from '../support/test-app.js';
import {
  createRandom,
  type FuzzRequest,
  makeRequest,
  operationsOf,
  type Random,
} from './make-request.js';

export interface FuzzResult {
  readonly requests: number;
  readonly byStatus: ReadonlyMap<number, number>;
  readonly failures: readonly (FuzzRequest & { status: number; caller: string })[];
  /** The longest the thread was busy with one thing: what `/health` would have waited. */
  readonly longestHealthMs: number;
}

interface Caller {
  readonly name: string;
  readonly headers: Readonly<Record<string, string>>;
}

/** Fails with a reason of ours: the database is there, so nothing may say it is not. */
const isFailure = (status: number): boolean => status >= 500;

/** Sends so many requests over every operation, as every kind of caller, and says what broke. */
export async function runFuzz(
  app: TestApp,
  options: { seed: number; count: number; probeHealth?: () => Promise<number> },
): Promise<FuzzResult> {
  const random = createRandom(options.seed);
  const operations = operationsOf(app.http.swagger());
  const { callers, ids } = await makeCallers(app);
  const byStatus = new Map<number, number>();
  const failures: (FuzzRequest & { status: number; caller: string })[] = [];
  let longestHealthMs = 0;
  for (let at = 0; at < options.count; at += 1) {
    const operation = operations[at % operations.length];
    if (operation === undefined) break;
    const caller = callerFor(callers, random);
    const request = makeRequest(operation, random, ids);
    const { statusCode } = await app.http.inject({
      // OpenAPI names the methods.
      method: request.method as 'GET',
      url: request.url,
      headers: { 'content-type': 'application/json', ...caller.headers },
      ...(request.payload === null ? {} : { payload: request.payload }),
    });
    byStatus.set(statusCode, (byStatus.get(statusCode) ?? 0) + 1);
    if (isFailure(statusCode))
      failures.push({ ...request, status: statusCode, caller: caller.name });
    if (options.probeHealth !== undefined && at % 20 === 0)
      longestHealthMs = Math.max(longestHealthMs, await options.probeHealth());
  }
  return { requests: options.count, byStatus, failures, longestHealthMs };
}

function callerFor(callers: readonly Caller[], random: Random): Caller {
  return callers[Math.floor(random() * callers.length)] ?? { name: 'nobody', headers: {} };
}

async function makeCallers(app: TestApp): Promise<{ callers: Caller[]; ids: string[] }> {
  const [publisher, advertiser] = [await app.newPublisher(), await app.newAdvertiser()];
  const email = `fuzz-${app.services.mintId(app.clock.now)}@test.example`;
  await app.db.transaction((tx) =>
    addPerson(
      { tx, mintId: app.services.mintId, now: app.clock.now },
      { email, password: 'correct horse', role: 'operator', accountId: null },
    ),
  );
  const session = await app.http.inject({
    method: 'POST',
    url: '/session',
    payload: { email, password: 'correct horse' },
  });
  const operator = {
    cookie: String(session.headers['set-cookie']).split(';')[0] ?? '',
    'x-csrf-token': String(session.json<{ csrf_token?: string }>().csrf_token),
  };
  const keyed = (key: string): Record<string, string> => ({
    'x-api-key': key,
    authorization: `Bearer ${key}`,
  });
  return {
    callers: [
      { name: 'publisher', headers: keyed(publisher.apiKey) },
      { name: 'advertiser', headers: keyed(advertiser.apiKey) },
      { name: 'advertiser', headers: keyed(advertiser.apiKey) },
      { name: 'operator', headers: operator },
      { name: 'nobody', headers: {} },
      { name: 'guess', headers: keyed('guessed\u00ff') },
    ],
    ids: [publisher.id, advertiser.id, app.services.mintId(app.clock.now)],
  };
}

/** How long `/health` waits on a real connection while the requests run. */
export async function healthWait(address: string): Promise<number> {
  const started = performance.now();
  await (await fetch(`${address}/health`)).arrayBuffer();
  return performance.now() - started;
}
