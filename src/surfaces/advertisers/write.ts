import { type AuditEntry, recordAudit, recordAudits } from '../../platform/audit.js';
import type { Caller } from '../../platform/auth/guards.js';
import type { Db } from '../../platform/db/db.js';
import type { MintId } from '../../platform/ids.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import {
  announceCampaign,
  announceCampaigns,
  type CampaignUpdate,
  type PastBudget,
  rememberBudgets,
  updateCampaign,
  updateCampaigns,
} from './campaigns/campaign-queries.js';
import { keepApprovedPages } from './review/review-queries.js';
import type { CampaignRow } from './rows.js';

/** What stays the same from write to write. */
export interface WriteDeps {
  mintId: MintId;
  jobs: Pick<JobQueue, 'enqueue' | 'enqueueEach'>;
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
  /** Filled with what many changes leave for the end of their transaction. */
  later?: Later;
  /** Filled with what became of the campaign, for who asks before saving. */
  moves?: CampaignMove[];
}

/** What is written once for many changes, one statement each. */
export interface Later {
  audits: AuditEntry[];
  /** Campaigns to bring to other networks, and to tell serving of. */
  synced: Set<string>;
  announced: Set<string>;
  budgets: PastBudget[];
  updates: Map<string, CampaignUpdate['changes']>;
  /** Campaigns whose approved pages are to be known; no change of many touches a page. */
  pages: CampaignRow[];
  /** Locked together beforehand. */
  locked: Map<string, CampaignRow>;
}

export const nothingLater = (): Later => ({
  audits: [],
  synced: new Set(),
  announced: new Set(),
  budgets: [],
  updates: new Map(),
  pages: [],
  locked: new Map(),
});

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
  const { actor, advertiserId: accountId } = write;
  const entry = { actor, accountId, action, entity, entityId, before, after };
  if (write.later !== undefined) write.later.audits.push(entry);
  else await recordAudit(write.tx, write.mintId, write.now, entry);
}

/** The campaign changed: other networks and serving on every node are to hear of it. */
export async function syncCampaign(write: Write, id: string): Promise<void> {
  if (write.later !== undefined) write.later.synced.add(id);
  else await write.jobs.enqueue(write.tx, 'sync-campaign', id, { campaign_id: id });
}

export async function tellServing(write: Write, campaignId: string): Promise<void> {
  if (write.later !== undefined) write.later.announced.add(campaignId);
  else await announceCampaign(write.tx, campaignId);
}

/**
 * Keeps what a daily budget was, if it is among what changed: clicks made under it are bound by it.
 */
export async function keepBudget(
  write: Write,
  scopeId: string,
  { daily_budget_micros: limitMicros }: { daily_budget_micros?: number | null },
): Promise<void> {
  if (limitMicros === undefined) return;
  const past = { scopeId, limitMicros };
  if (write.later !== undefined) write.later.budgets.push(past);
  else await rememberBudgets(write.tx, [past], write.now);
}

/** Stores what changed of a campaign. */
export async function changeCampaignRow(
  write: Write,
  id: string,
  changes: CampaignUpdate['changes'],
): Promise<void> {
  const { later } = write;
  if (later === undefined) await updateCampaign(write.tx, id, changes);
  else later.updates.set(id, { ...later.updates.get(id), ...changes });
}

/** Before an approved campaign changes: the pages its ads lead to are those approved last. */
export async function keepPages(write: Write, campaign: CampaignRow): Promise<void> {
  if (write.later !== undefined) write.later.pages.push(campaign);
  else await keepApprovedPages(write.tx, [campaign], { replacing: false });
}

/** Writes what was left for later. */
export async function writeLater(write: Write, later: Later): Promise<void> {
  const { tx, now } = write;
  if (later.pages.length > 0) await keepApprovedPages(tx, later.pages, { replacing: false });
  const updates = [...later.updates].map(([id, changes]) => ({ id, changes }));
  await updateCampaigns(tx, updates);
  await recordAudits(tx, write.mintId, now, later.audits);
  if (later.budgets.length > 0) await rememberBudgets(tx, later.budgets, now);
  await write.jobs.enqueueEach(
    tx,
    'sync-campaign',
    [...later.synced].map((id) => [id, { campaign_id: id }]),
  );
  if (later.announced.size > 0) await announceCampaigns(tx, [...later.announced]);
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
