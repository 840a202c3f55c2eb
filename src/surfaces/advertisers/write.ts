import { recordAudit } from '../../platform/audit.js';
import type { Caller } from '../../platform/auth/guards.js';
import type { Db } from '../../platform/db/db.js';
import type { MintId } from '../../platform/ids.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { CampaignRow } from './rows.js';

/** What stays the same from write to write. */
export interface WriteDeps {
  mintId: MintId;
  jobs: Pick<JobQueue, 'enqueue'>;
  /** `auto` approves at once what the automatic checks do not stop. */
  reviewMode: 'manual' | 'auto';
  /** May this advertiser's campaigns be switched on? */
  billingGate: (tx: Db, advertiserId: string) => Promise<boolean>;
}

/** One change by one caller in one transaction: what every verb of this surface is given first. */
export interface Write extends WriteDeps {
  tx: Db;
  now: number;
  advertiserId: string;
  actor: Caller['actor'];
  /** What people see while a change waits for review; what was approved, unless it is said. */
  whileInReview?: WhileInReview;
  /** Filled with what became of the campaign, for who asks before saving. */
  moves?: CampaignMove[];
}

export const whileInReview = ['keep_showing', 'stop_showing'] as const;
export type WhileInReview = (typeof whileInReview)[number];

export interface CampaignMove {
  wasShown: boolean;
  isShown: boolean;
  /** It waits for a person. */
  waits: boolean;
}

/** Whether the version approved last is to stay on the air while this change waits. */
export function keepsApproved(write: Write, campaign: CampaignRow): boolean {
  return (
    write.whileInReview !== 'stop_showing' &&
    (campaign.review_status === 'approved' || campaign.shows_approved)
  );
}

export async function audit(
  write: Write,
  action: string,
  entity: string,
  entityId: string,
  before: object | null,
  after: object | null,
): Promise<void> {
  await recordAudit(write.tx, write.mintId, write.now, {
    actor: write.actor,
    accountId: write.advertiserId,
    action,
    entity,
    entityId,
    before,
    after,
  });
}

/** The columns that really change, with their old values; null when nothing does. */
export function difference<T extends object>(
  row: T,
  columns: Partial<T>,
): { before: Partial<T>; after: Partial<T> } | null {
  const before: Partial<T> = {};
  const after: Partial<T> = {};
  // Own keys of an object typed Partial<T> are keys of T.
  for (const name of Object.keys(columns) as (keyof T)[]) {
    if (JSON.stringify(row[name]) === JSON.stringify(columns[name])) continue;
    before[name] = row[name];
    after[name] = columns[name];
  }
  return Object.keys(after).length === 0 ? null : { before, after };
}
