import type { Clock } from '../clock.js';
import type { Db } from '../db/db.js';
import type { JobQueue } from '../jobs/job-queue.js';
import type { Log } from '../log.js';
import type { RateLimit } from '../rate-limit.js';
import type { EventLog } from './event-log.js';
import { dropPartitionsBefore, indexPartitionsBefore, type Partitions } from './partitions.js';
import { sweepBudgets } from '../budgets/read-budgets.js';
import { utcDay } from '../../domain/time/utc-day.js';
import { nilUuid } from '../../domain/uuid.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/**
 * Timed upkeep of the shared tables: days ahead get their partition, old raw events go, what has
 * expired is swept.
 */
export function maintainEvents(
  jobs: JobQueue,
  deps: {
    db: Db;
    clock: Clock;
    log: Log;
    partitions: Partitions;
    rateLimit: RateLimit;
    retentionDays: number;
    attributionMs: number;
    eventLog: Pick<EventLog, 'sweep'>;
  },
): void {
  const { db, clock } = deps;
  jobs.every('event-partitions', hourMs, async () => {
    await deps.partitions.ensure([0, 1, 2].map((days) => dayOf(clock() + days * dayMs)));
  });
  jobs.every('event-retention', 6 * hourMs, async () => {
    const dropped = await dropPartitionsBefore(db, dayOf(clock() - deps.retentionDays * dayMs));
    deps.eventLog.sweep(clock() - deps.retentionDays * dayMs);
    if (dropped.length > 0)
      deps.log.info({ partitions: dropped.length }, 'old raw events dropped, totals kept');
  });
  // A day gets beacons for some hours after it is over.
  jobs.every('event-indexes', 6 * hourMs, async () => {
    await indexPartitionsBefore(db, dayOf(clock() - dayMs));
  });
  // Nothing can be attributed to what a viewer saw or clicked longer ago.
  jobs.every('sweep-viewers', 24 * hourMs, async () => {
    await sweepViewers(db, new Date(clock() - deps.attributionMs));
  });
  jobs.every('sweep-expired', hourMs, async () => {
    await deps.rateLimit.sweep();
    await db.query(`delete from sessions where expires_at < $1`, [new Date(clock() - 30 * dayMs)]);
    await db.query(`delete from jobs where finished_at < $1`, [new Date(clock() - 7 * dayMs)]);
    await sweepBudgets(db, clock());
    await db.query(`delete from ad_dislikes where at < $1`, [new Date(clock() - 180 * dayMs)]);
    await db.query(`delete from embedding_cache where used_on < $1::date`, [
      dayOf(clock() - 60 * dayMs),
    ]);
  });
}

/** So many are looked at in one statement: on the embedded engine everybody waits for it. */
const viewersAtOnce = 2000;

export async function sweepViewers(db: Db, before: Date): Promise<void> {
  let after: { advertiser: string; identity: string } | null = {
    advertiser: nilUuid,
    identity: '',
  };
  while (after !== null) {
    const [last]: { advertiser: string; identity: string; count: number }[] = await db.query(
      `with page as materialized (
           select advertiser_id, identity
           from viewer_links
           where (advertiser_id, identity) > ($1::uuid, $2)
           order by advertiser_id, identity
           limit ${viewersAtOnce}
         ),
         gone as (
           delete from viewer_links v
           using page p
           where v.advertiser_id = p.advertiser_id and v.identity = p.identity
             and greatest(v.clicked_at, v.viewed_at) < $3
         )
       select advertiser_id as advertiser, identity, count(*) over () as count
       from page
       order by advertiser_id desc, identity desc
       limit 1`,
      [after.advertiser, after.identity, before],
    );
    after = last === undefined || last.count < viewersAtOnce ? null : last;
  }
}

function dayOf(at: number): string {
  return utcDay(at);
}
