import { openCallers, type Caller, type Door } from './callers.js';
import {
  createRandom,
  type FuzzRequest,
  makeRequest,
  type Operation,
  operationsOf,
  type Random,
} from '../../test/fuzz/make-request.js';

export interface Answered extends FuzzRequest {
  readonly status: number;
  readonly caller: string;
  readonly ms: number;
}

export interface FuzzResult {
  readonly byStatus: ReadonlyMap<number, number>;
  /** Answers that say something of ours broke. */
  readonly failures: readonly Answered[];
  /** Those that took longest, the longest first. */
  readonly slowest: readonly Answered[];
}

/** Turned away for a while is an answer; whatever else is 500 and above is a fault. */
const isFailure = (status: number): boolean => status >= 500 && status !== 503;
/** Sessions end and keys are revoked by what is sent: accounts are opened anew after so many. */
const requestsPerAccounts = 1000;
const keptIds = 300;

/** Sends so many requests over every operation, as every kind of caller, and says what broke. */
export async function runFuzz(
  door: Door,
  options: { seed: number; count: number; together?: number; onProgress?: (sent: number) => void },
): Promise<FuzzResult> {
  const random = createRandom(options.seed);
  const operations = operationsOf(door.document);
  const byStatus = new Map<number, number>();
  const failures: Answered[] = [];
  const slowest: Answered[] = [];
  const ids: string[] = [];
  let callers: Caller[] = [];
  let at = 0;

  async function renewAccounts(): Promise<void> {
    const opened = await openCallers(door, `${options.seed}-${at}`);
    callers = opened.callers;
    ids.push(...opened.ids);
  }

  async function sendOne(): Promise<void> {
    const operation = operations[at % operations.length];
    at += 1;
    if (operation === undefined) return;
    const caller = callerFor(operation, callers, random);
    const request = makeRequest(operation, random, ids);
    const started = performance.now();
    const { status, body } = await door.send(request, {
      'content-type': 'application/json',
      ...caller.headers,
    });
    const answered = { ...request, status, caller: caller.name, ms: performance.now() - started };
    byStatus.set(status, (byStatus.get(status) ?? 0) + 1);
    if (isFailure(status)) failures.push(answered);
    if (status < 300) keepIds(ids, body, random);
    slowest.push(answered);
    if (slowest.length < 1000) return;
    slowest.sort((a, b) => b.ms - a.ms).length = 20;
  }

  while (at < options.count) {
    await renewAccounts();
    const until = Math.min(options.count, at + requestsPerAccounts);
    const lane = async (): Promise<void> => {
      while (at < until) await sendOne();
    };
    await Promise.all(Array.from({ length: options.together ?? 1 }, lane));
    options.onProgress?.(at);
  }
  return { byStatus, failures, slowest: slowest.sort((a, b) => b.ms - a.ms).slice(0, 20) };
}

/** Mostly whoever the operation is for, so that requests get past the door. */
function callerFor({ path }: Operation, callers: readonly Caller[], random: Random): Caller {
  const meant = /^\/(operator|metrics)/.test(path)
    ? ['operator']
    : /^\/(session|team|people)/.test(path)
      ? ['person', 'operator']
      : /^\/(advertiser|gateway|pixels?)/.test(path)
        ? ['advertiser', 'person']
        : ['publisher'];
  const fitting = callers.filter(({ name }) => meant.includes(name));
  const among = random() < 0.8 && fitting.length > 0 ? fitting : callers;
  return among[Math.floor(random() * among.length)] ?? { name: 'nobody', headers: {} };
}

/** Things that exist now, so that later requests find them. */
function keepIds(ids: string[], body: string, random: Random): void {
  for (const [id] of body.slice(0, 20_000).matchAll(/[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f-]{22}/g)) {
    if (ids.length < keptIds) ids.push(id);
    else ids[Math.floor(random() * keptIds)] = id;
  }
}
