import { channels, hear } from '../channels.js';
import type { Clock } from '../clock.js';
import type { Database, Db } from '../db/db.js';
import { errorFields, type Log } from '../log.js';
import type { JobPayloads, RoundName } from './job-kinds.js';
import {
  claimJobs,
  failJob,
  finishJob,
  insertJob,
  insertJobs,
  isWaiting,
  type JobRow,
  renewLease,
} from './job-queries.js';

type AnyPayloads = Record<string, Record<string, unknown>>;

/**
 * Work that survives restarts. A job runs at least once; its handler must be safe to repeat. Which
 * jobs there are says `job-kinds.ts`.
 */
export interface JobQueue<
  Payloads extends AnyPayloads = JobPayloads,
  Rounds extends string = RoundName,
> {
  /**
   * Joins the transaction passed in. A waiting job of the same kind and key is brought forward
   * instead of doubled.
   */
  enqueue<Kind extends (keyof Payloads & string) | Rounds>(
    tx: Db,
    kind: Kind,
    key: string,
    payload: Kind extends keyof Payloads ? Payloads[Kind] : Record<string, never>,
    options?: { runAt?: number },
  ): Promise<void>;
  /** Several of one kind in one statement; of one key the last. */
  enqueueEach<Kind extends keyof Payloads & string>(
    tx: Db,
    kind: Kind,
    jobs: readonly (readonly [key: string, payload: Payloads[Kind]])[],
  ): Promise<void>;
  handle<Kind extends keyof Payloads & string>(
    kind: Kind,
    handler: JobHandler<Payloads[Kind]>,
    options?: { maxAttempts?: number; backoffMs?: (attempt: number) => number } & LaneOption,
  ): void;
  /** Enqueues `kind` again and again; one node runs each round. */
  every(kind: Rounds, intervalMs: number, work: () => Promise<void>, options?: LaneOption): void;
  start(): void;
  /** Runs everything due now; what tests call instead of waiting. */
  runDue(): Promise<number>;
  close(): Promise<void>;
}

/** Slow work (it waits for servers of others) runs beside the quick, which never waits for it. */
interface LaneOption {
  slow?: boolean;
}

export type JobHandler<Payload = Record<string, unknown>> = (
  payload: Payload,
  job: { key: string; attempt: number },
) => Promise<void>;

interface QueueOptions {
  db: Database;
  clock: Clock;
  log: Log;
  nodeId: string;
  pollMs?: number;
}

interface Handling {
  handler: JobHandler;
  maxAttempts: number;
  backoffMs: (attempt: number) => number;
  slow: boolean;
}

const leaseMs = 120_000;

/** Of one key the last. */
async function insertEach(
  tx: Db,
  kind: string,
  jobs: readonly (readonly [key: string, payload: Record<string, unknown>])[],
  now: number,
): Promise<void> {
  const rows = [...new Map(jobs)].map(([key, payload]) => ({ kind, key, payload, runAt: now }));
  if (rows.length > 0) await insertJobs(tx, rows, now);
}

export function createJobQueue<
  Payloads extends AnyPayloads = JobPayloads,
  Rounds extends string = RoundName,
>(options: QueueOptions): JobQueue<Payloads, Rounds> {
  const { db, clock, log } = options;
  const handlers = new Map<string, Handling>();
  const lanes = [false, true].map((slow) => createLane(options, handlers, slow));
  let isClosed = false;
  let listening: Promise<() => Promise<void>> | null = null;
  let queuing: Promise<void> = Promise.resolve();

  const enqueue = (
    tx: Db,
    kind: string,
    key: string,
    payload: Record<string, unknown>,
    { runAt }: { runAt?: number } = {},
  ): Promise<void> => insertJob(tx, { kind, key, payload, runAt: runAt ?? clock() }, clock());

  return {
    enqueue,
    enqueueEach: (tx, kind, jobs) => insertEach(tx, kind, jobs, clock()),
    handle(kind, handler, { maxAttempts = 8, backoffMs = growingRest, slow = false } = {}) {
      // A job carries the payload its kind was asked with.
      handlers.set(kind, { handler: handler as JobHandler, maxAttempts, backoffMs, slow });
    },
    every(kind, intervalMs, work, { slow = false } = {}) {
      handlers.set(kind, roundsOf(options, kind, intervalMs, work, slow));
    },
    start() {
      const look = (): void => lanes.forEach((lane) => lane.look());
      listening = hear(db, channels.jobs, look);
      // What was asked for after the first look and before anybody listened was told to nobody.
      listening.then(look, (error: unknown) =>
        log.warn(errorFields(error), 'jobs are found by looking only'),
      );
      queuing = askForRounds(options, handlers, () => isClosed).catch((error: unknown) =>
        log.warn(errorFields(error), 'timed work not queued'),
      );
      for (const lane of lanes) lane.start();
    },
    /** Again until nothing is due: a job of one lane may ask for one of the other. */
    async runDue() {
      let count = 0;
      for (;;) {
        const [quick = 0, slow = 0] = await Promise.all(lanes.map((lane) => lane.run()));
        if (quick + slow === 0) return count;
        count += quick + slow;
      }
    },
    async close() {
      isClosed = true;
      for (const lane of lanes) lane.end();
      const stopListening = await listening?.catch(() => undefined);
      await stopListening?.();
      await queuing;
      for (const lane of lanes) lane.rest();
      for (const lane of lanes) await lane.settled();
    },
  };
}

/** Timed work that nobody has asked for yet. */
async function askForRounds(
  { db, clock }: QueueOptions,
  handlers: ReadonlyMap<string, Handling>,
  isClosed: () => boolean,
): Promise<void> {
  for (const [kind, { maxAttempts }] of handlers) {
    if (isClosed()) return;
    if (maxAttempts !== Number.POSITIVE_INFINITY || (await isWaiting(db, kind))) continue;
    await insertJob(db, { kind, key: 'first', payload: {}, runAt: clock() }, clock());
  }
}

function growingRest(attempt: number): number {
  return Math.min(3_600_000, 5_000 * 3 ** (attempt - 1));
}

/** Work that asks for its next round when it is done. */
function roundsOf(
  { db, clock }: QueueOptions,
  kind: string,
  intervalMs: number,
  work: () => Promise<void>,
  slow: boolean,
): Handling {
  return {
    slow,
    maxAttempts: Number.POSITIVE_INFINITY,
    backoffMs: () => Math.min(intervalMs, 60_000),
    async handler() {
      await work();
      // The next round waits under its own key, because this one is not finished yet.
      const round = Math.floor(clock() / intervalMs) + 1;
      const runAt = round * intervalMs;
      await insertJob(db, { kind, key: `round-${round}`, payload: {}, runAt }, clock());
    },
  };
}

interface Lane {
  /** Runs what is due; whoever comes while it runs shares it. */
  run(): Promise<number>;
  start(): void;
  /** Now, or once more after what runs. */
  look(): void;
  /** Nothing further is begun. */
  end(): void;
  rest(): void;
  settled(): Promise<unknown>;
}

function createLane(
  options: QueueOptions,
  handlers: ReadonlyMap<string, Handling>,
  slow: boolean,
): Lane {
  const { db, clock, log, nodeId, pollMs = 500 } = options;
  let timer: NodeJS.Timeout | null = null;
  let running: Promise<number> | null = null;
  /** Asked for while it ran: it looks once more before it waits. */
  let again = false;
  let isOver = false;

  async function runAll(): Promise<number> {
    let count = 0;
    for (;;) {
      const kinds = [...handlers].flatMap(([kind, entry]) => (entry.slow === slow ? [kind] : []));
      const now = clock();
      const jobs = isOver ? [] : await claimJobs(db, nodeId, kinds, { now, until: now + leaseMs });
      if (jobs.length === 0) return count;
      await Promise.all(jobs.map((job) => runJob(options, handlers.get(job.kind), job)));
      count += jobs.length;
    }
  }

  const run = (): Promise<number> =>
    (running ??= runAll().finally(() => {
      running = null;
    }));

  function tick(): void {
    again = false;
    let restMs = pollMs;
    run()
      .catch((error: unknown) => {
        // A database that is away says so at once: asking it twice a second only fills the log.
        restMs = 10 * pollMs;
        again = false;
        log.warn(errorFields(error), 'jobs not run');
      })
      .finally(() => {
        if (isOver) return;
        if (again) tick();
        else timer = setTimeout(tick, restMs).unref();
      });
  }

  return {
    run,
    start: tick,
    look() {
      if (running !== null || isOver) return void (again = true);
      if (timer !== null) clearTimeout(timer);
      tick();
    },
    end: () => void (isOver = true),
    rest: () => void (timer !== null && clearTimeout(timer)),
    settled: async () => running,
  };
}

async function runJob(
  { db, clock, log, nodeId }: QueueOptions,
  entry: Handling | undefined,
  job: JobRow,
): Promise<void> {
  if (entry === undefined) return;
  // A long job keeps its lease, or another node would start it too.
  const renewal = setInterval(() => {
    renewLease(db, job.id, nodeId, clock() + leaseMs).catch((error: unknown) =>
      log.warn({ ...errorFields(error), job: job.kind }, 'lease not renewed'),
    );
  }, leaseMs / 3);
  try {
    await entry.handler(job.payload, { key: job.key, attempt: job.attempts });
    await finishJob(db, job.id, nodeId, clock());
  } catch (error) {
    const gaveUp = job.attempts >= entry.maxAttempts;
    log[gaveUp ? 'error' : 'warn'](
      { ...errorFields(error), job: job.kind, attempt: job.attempts },
      gaveUp ? 'job given up' : 'job failed',
    );
    await failJob(db, job.id, nodeId, {
      message: error instanceof Error ? error.message : 'failed',
      retryAt: clock() + entry.backoffMs(job.attempts),
      givenUpAt: gaveUp ? clock() : null,
    });
  } finally {
    clearInterval(renewal);
  }
}
