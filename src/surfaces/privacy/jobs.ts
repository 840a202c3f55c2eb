import { announce, channels } from '../../platform/channels.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { EventLog } from '../../platform/events/event-log.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { deleteSessionChoices } from '../../platform/privacy/choice-queries.js';
import { rewriteNames } from '../../platform/privacy/rewrite-names.js';
import type { Pseudonyms } from '../../platform/secrets/pseudonyms.js';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

export interface PrivacyJobDeps {
  db: Db;
  clock: Clock;
  jobs: JobQueue;
  pseudonyms: Pseudonyms;
  eventLog: Pick<EventLog, 'forgetServed'>;
  /** How long what a session chose holds. */
  sessionChoiceDays: number;
}

/** What is kept of people only for a while, and what earlier versions kept under plain names. */
export function privacyJobs({ db, clock, jobs, ...deps }: PrivacyJobDeps): void {
  jobs.every('forget-session-choices', dayMs, async () => {
    const before = new Date(clock() - deps.sessionChoiceDays * dayMs);
    await db.transaction(async (tx) => {
      if (await deleteSessionChoices(tx, before)) await announce(tx, channels.choices, null);
    });
  });
  jobs.every(
    'rewrite-names',
    hourMs,
    async () => {
      await rewriteNames({ ...deps, db, forgetServed: () => deps.eventLog.forgetServed() });
    },
    { slow: true },
  );
}
