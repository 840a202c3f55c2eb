import { randomUUID } from 'node:crypto';
import { channels } from '../channels.js';
import type { Db } from '../db/db.js';
import { timestampArray } from '../db/timestamp-array.js';

export interface JobRow {
  id: string;
  kind: string;
  key: string;
  payload: Record<string, unknown>;
  attempts: number;
}

/** Taken by one node at a time, as many as it starts together. */
const claimedAtOnce = 4;
const longestError = 500;

export type NewJob = Pick<JobRow, 'kind' | 'key' | 'payload'> & { runAt: number };

/** A waiting job of the same kind and key is brought forward instead of doubled. */
export async function insertJob(tx: Db, job: NewJob, now: number): Promise<void> {
  await insertJobs(tx, [job], now);
}

/** Several, no two of one kind and key. */
export async function insertJobs(tx: Db, jobs: readonly NewJob[], now: number): Promise<void> {
  // Every node hears of what is due when the transaction commits; what is for later is found by
  // looking.
  await tx.query(
    `with asked as (
         insert into jobs (id, kind, key, payload, run_at)
         select j.id, j.kind, j.key, j.payload::jsonb, j.run_at
         from unnest($1::uuid[], $2::text[], $3::text[], $4::text[], $5::timestamptz[])
           as j (id, kind, key, payload, run_at)
         on conflict (kind, key) where finished_at is null
           do update set payload = excluded.payload, run_at = least(jobs.run_at, excluded.run_at),
           asked_again = jobs.locked_until is not null
         returning run_at
       )
     select pg_notify('${channels.jobs.name}', '')
     from asked
     where run_at <= $6
     limit 1`,
    [
      jobs.map(() => randomUUID()),
      jobs.map(({ kind }) => kind),
      jobs.map(({ key }) => key),
      jobs.map(({ payload }) => JSON.stringify(payload)),
      timestampArray(jobs.map(({ runAt }) => runAt)),
      new Date(now),
    ],
  );
}

export function claimJobs(
  db: Db,
  nodeId: string,
  kinds: readonly string[],
  { now, until }: { now: number; until: number },
): Promise<JobRow[]> {
  return db.query<JobRow>(
    `update jobs
     set locked_by = $1, locked_until = $3, attempts = attempts + 1, asked_again = false
     where id in (
         select id
         from jobs
         where finished_at is null and run_at <= $2
           and (locked_until is null or locked_until < $2) and kind = any($4::text[])
         order by run_at limit ${claimedAtOnce}
         for update skip locked
       )
     returning id, kind, key, payload, attempts`,
    [nodeId, new Date(now), new Date(until), kinds],
  );
}

export async function renewLease(db: Db, id: string, nodeId: string, until: number): Promise<void> {
  await db.query(
    `update jobs
     set locked_until = $2
     where id = $1 and locked_by = $3 and finished_at is null`,
    [id, new Date(until), nodeId],
  );
}

/** Asked for again while it ran: it may not have seen what changed, so it runs again. */
export async function finishJob(db: Db, id: string, nodeId: string, now: number): Promise<void> {
  await db.query(
    `update jobs
     set finished_at = case when asked_again then null else $2::timestamptz end,
       locked_until = null, last_error = null
     where id = $1 and locked_by = $3`,
    [id, new Date(now), nodeId],
  );
}

export async function failJob(
  db: Db,
  id: string,
  nodeId: string,
  failure: { message: string; retryAt: number; givenUpAt: number | null },
): Promise<void> {
  await db.query(
    `update jobs
     set locked_until = null, last_error = $2, run_at = case when asked_again then run_at
       else $3::timestamptz end, finished_at = case when asked_again then null
       else $4::timestamptz end
     where id = $1 and locked_by = $5`,
    [
      id,
      failure.message.slice(0, longestError),
      new Date(failure.retryAt),
      failure.givenUpAt === null ? null : new Date(failure.givenUpAt),
      nodeId,
    ],
  );
}

export async function isWaiting(db: Db, kind: string): Promise<boolean> {
  const [waiting] = await db.query<{ count: number }>(
    `select count(*) as count from jobs where kind = $1 and finished_at is null`,
    [kind],
  );
  return (waiting?.count ?? 0) > 0;
}
