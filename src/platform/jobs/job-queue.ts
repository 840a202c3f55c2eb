import { channels, hear } from '../channels.js';
import { randomUUID } from 'node:crypto';
import type { Clock } from '../clock.js';
import type { Database, Db } from '../db/db.js';
import { errorFields, type Log } from '../log.js';
import type { JobPayloads, RoundName } from './job-kinds.js';

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

interface JobRow {
  id: string;
  kind: string;
  key: string;
  payload: Record<string, unknown>;
  attempts: number;
}

interface Lane {
  slow: boolean;
  timer: NodeJS.Timeout | null;
  running: Promise<number> | null;
  /** Asked for while it ran: it looks once more before it waits. */
  again: boolean;
}

const leaseMs = 120_000;

export function createJobQueue<
  Payloads extends AnyPayloads = JobPayloads,
  Rounds extends string = RoundName,
>(options: {
  db: Database;
  clock: Clock;
  log: Log;
  nodeId: string;
  pollMs?: number;
}): JobQueue<Payloads, Rounds> {
  const { db, clock, log, nodeId, pollMs = 500 } = options;
  const handlers = new Map<
    string,
    {
      handler: JobHandler;
      maxAttempts: number;
      backoffMs: (attempt: number) => number;
      slow: boolean;
    }
  >();
  const lanes = [false, true].map((slow): Lane => ({
    slow,
    timer: null,
    running: null,
    again: false,
  }));
  let closed = false;
  let listening: Promise<() => Promise<void>> | null = null;
  let queuing: Promise<void> = Promise.resolve();

  async function enqueue(
    tx: Db,
    kind: string,
    key: string,
    payload: Record<string, unknown>,
    { runAt }: { runAt?: number } = {},
  ): Promise<void> {
    const now = clock();
    // Every node hears of what is due when the transaction commits; what is for later is found by
    // looking.
    await tx.query(
      `with asked as (
           insert into jobs (id, kind, key, payload, run_at)
           values ($1, $2, $3, $4::jsonb, $5)
           on conflict (kind, key) where finished_at is null
             do update set payload = excluded.payload, run_at = least(jobs.run_at, excluded.run_at),
             asked_again = jobs.locked_until is not null
           returning run_at
         )
       select pg_notify('${channels.jobs.name}', '')
       from asked
       where run_at <= $6`,
      [randomUUID(), kind, key, JSON.stringify(payload), new Date(runAt ?? now), new Date(now)],
    );
  }

  async function claim(slow: boolean): Promise<JobRow[]> {
    const kinds = [...handlers].flatMap(([kind, entry]) => (entry.slow === slow ? [kind] : []));
    return db.query<JobRow>(
      `update jobs
       set locked_by = $1, locked_until = $3, attempts = attempts + 1, asked_again = false
       where id in (
           select id
           from jobs
           where finished_at is null and run_at <= $2
             and (locked_until is null or locked_until < $2) and kind = any($4::text[])
           order by run_at limit 4
           for update skip locked
         )
       returning id, kind, key, payload, attempts`,
      [nodeId, new Date(clock()), new Date(clock() + leaseMs), kinds],
    );
  }

  async function run(job: JobRow): Promise<void> {
    const entry = handlers.get(job.kind);
    if (entry === undefined) return;
    // A long job keeps its lease, or another node would start it too.
    const renewal = setInterval(() => {
      db.query(
        `update jobs set locked_until = $2 where id = $1 and locked_by = $3
          and finished_at is null`,
        [job.id, new Date(clock() + leaseMs), nodeId],
      ).catch((error: unknown) =>
        log.warn({ ...errorFields(error), job: job.kind }, 'lease not renewed'),
      );
    }, leaseMs / 3);
    try {
      await entry.handler(job.payload, { key: job.key, attempt: job.attempts });
      // Asked for again while it ran: it may not have seen what changed, so it runs again.
      await db.query(
        `update jobs
         set finished_at = case when asked_again then null else $2::timestamptz end,
           locked_until = null, last_error = null
         where id = $1 and locked_by = $3`,
        [job.id, new Date(clock()), nodeId],
      );
    } catch (error) {
      const gaveUp = job.attempts >= entry.maxAttempts;
      log[gaveUp ? 'error' : 'warn'](
        { ...errorFields(error), job: job.kind, attempt: job.attempts },
        gaveUp ? 'job given up' : 'job failed',
      );
      const message = error instanceof Error ? error.message : 'failed';
      await db.query(
        `update jobs
         set locked_until = null, last_error = $2, run_at = case when asked_again then run_at
           else $3::timestamptz end, finished_at = case when asked_again then null
           else $4::timestamptz end
         where id = $1 and locked_by = $5`,
        [
          job.id,
          message.slice(0, 500),
          new Date(clock() + entry.backoffMs(job.attempts)),
          gaveUp ? new Date(clock()) : null,
          nodeId,
        ],
      );
    } finally {
      clearInterval(renewal);
    }
  }

  async function runAll(slow: boolean): Promise<number> {
    let count = 0;
    for (;;) {
      const jobs = closed ? [] : await claim(slow);
      if (jobs.length === 0) return count;
      await Promise.all(jobs.map(run));
      count += jobs.length;
    }
  }

  function runLane(lane: Lane): Promise<number> {
    lane.running ??= runAll(lane.slow).finally(() => {
      lane.running = null;
    });
    return lane.running;
  }

  /** Again until nothing is due: a job of one lane may ask for one of the other. */
  async function runDue(): Promise<number> {
    let count = 0;
    for (;;) {
      const [quick = 0, slow = 0] = await Promise.all(lanes.map(runLane));
      if (quick + slow === 0) return count;
      count += quick + slow;
    }
  }

  return {
    enqueue,
    handle(
      kind,
      handler,
      {
        maxAttempts = 8,
        backoffMs = (attempt: number) => Math.min(3_600_000, 5_000 * 3 ** (attempt - 1)),
        slow = false,
      } = {},
    ) {
      // A job carries the payload its kind was asked with.
      handlers.set(kind, { handler: handler as JobHandler, maxAttempts, backoffMs, slow });
    },
    every(kind, intervalMs, work, { slow = false } = {}) {
      handlers.set(kind, {
        slow,
        maxAttempts: Number.POSITIVE_INFINITY,
        backoffMs: () => Math.min(intervalMs, 60_000),
        async handler() {
          await work();
          // The next round waits under its own key, because this one is not finished yet.
          const round = Math.floor(clock() / intervalMs) + 1;
          await enqueue(db, kind, `round-${round}`, {}, { runAt: round * intervalMs });
        },
      });
    },
    start() {
      const tick = (lane: Lane): void => {
        lane.again = false;
        let restMs = pollMs;
        runLane(lane)
          .catch((error: unknown) => {
            // A database that is away says so at once: asking it twice a second only fills the log.
            restMs = 10 * pollMs;
            lane.again = false;
            log.warn(errorFields(error), 'jobs not run');
          })
          .finally(() => {
            if (closed) return;
            if (lane.again) tick(lane);
            else lane.timer = setTimeout(tick, restMs, lane).unref();
          });
      };
      const look = (): void => {
        for (const lane of lanes) {
          if (lane.running !== null || closed) {
            lane.again = true;
            continue;
          }
          if (lane.timer !== null) clearTimeout(lane.timer);
          tick(lane);
        }
      };
      listening = hear(db, channels.jobs, look);
      // What was asked for after the first look and before anybody listened was told to nobody.
      listening.then(look, (error: unknown) =>
        log.warn(errorFields(error), 'jobs are found by looking only'),
      );
      queuing = (async () => {
        for (const [kind, entry] of handlers) {
          if (closed) return;
          if (entry.maxAttempts === Number.POSITIVE_INFINITY) await enqueueFirstRound(kind);
        }
      })().catch((error: unknown) => log.warn(errorFields(error), 'timed work not queued'));
      for (const lane of lanes) tick(lane);
    },
    runDue,
    async close() {
      closed = true;
      const stopListening = await listening?.catch(() => undefined);
      await stopListening?.();
      await queuing;
      for (const lane of lanes) if (lane.timer !== null) clearTimeout(lane.timer);
      for (const lane of lanes) await lane.running;
    },
  };

  async function enqueueFirstRound(kind: string): Promise<void> {
    const [waiting] = await db.query<{ count: number }>(
      `select count(*) as count from jobs where kind = $1 and finished_at is null`,
      [kind],
    );
    if ((waiting?.count ?? 0) === 0) await enqueue(db, kind, 'first', {}, {});
  }
}
