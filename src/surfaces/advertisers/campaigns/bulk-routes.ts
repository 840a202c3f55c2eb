import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { toDollars } from '../../../domain/money.js';
import { isUuid } from '../../../domain/uuid.js';
import { advertiserOf, callerOf } from '../../../platform/auth/guards.js';
import type { Db } from '../../../platform/db/db.js';
import { AppError } from '../../../platform/errors.js';
import { idOf } from '../fields/id-of.js';
import { change } from '../route-schema.js';
import type { AdvertisersDeps } from '../routes.js';
import { AdGroupsBulk, AdsBulk, type CampaignPatch, CampaignsBulk } from '../schema.js';
import { type Later, nothingLater, type Write, writeLater } from '../write.js';
import { archiveAdGroup, editAdGroup } from '../ad-groups/write-ad-groups.js';
import { archiveAd, editAd, lockOwn } from '../ads/write-ads.js';
import { lockCampaigns } from './campaign-queries.js';
import { editLocked, toggleLocked } from './write-campaigns.js';

const Results = Type.Object({
  changed: Type.Integer(),
  results: Type.Array(
    Type.Object({
      id: Type.String(),
      ok: Type.Boolean(),
      error: Type.Optional(Type.String({ description: 'Why this one stayed as it was' })),
    }),
  ),
});

/**
 * One change to many things: each by itself, so that one that is refused does not stop the rest.
 */
export function bulkRoutes(app: FastifyInstance, deps: AdvertisersDeps): void {
  const onRequest = deps.guards.advertiserDashboard;

  app.post<{ Body: CampaignsBulk }>(
    '/advertiser-dashboard/campaigns/bulk',
    {
      onRequest,
      schema: {
        ...change('Change many campaigns at once: status, budget, bid, end, archive'),
        body: CampaignsBulk,
        response: { 200: Results },
      },
    },
    (request) =>
      each(deps, request, request.body.campaign_ids, {
        before: lockTogether,
        work: (write, id) => changeCampaign(write, id, request.body.changes),
      }),
  );

  app.post<{ Body: AdGroupsBulk }>(
    '/advertiser-dashboard/ad-groups/bulk',
    {
      onRequest,
      schema: {
        ...change('Change many ad groups at once: status, budget, bid'),
        body: AdGroupsBulk,
        response: { 200: Results },
      },
    },
    (request) =>
      each(deps, request, request.body.ad_group_ids, {
        async work(write, id) {
          const { status, ...changes } = request.body.changes;
          if (status === 'archived') await archiveAdGroup(write, idOf(id));
          else await editAdGroup(write, idOf(id), { ...changes, ...(status && { status }) });
        },
      }),
  );

  app.post<{ Body: AdsBulk }>(
    '/advertiser-dashboard/ads/bulk',
    {
      onRequest,
      schema: {
        ...change('Pause, activate or archive many ads written by hand'),
        body: AdsBulk,
        response: { 200: Results },
      },
    },
    (request) =>
      each(deps, request, request.body.ad_ids, {
        async work(write, id) {
          const { status } = request.body.changes;
          if (status === 'archived') await archiveAd(write, idOf(id));
          else await editAd(write, idOf(id), { status });
        },
      }),
  );
}

type Result = { id: string; ok: boolean; error?: string };

/** Committed together: each commit waits for the disk, and locks are not to be held for long. */
const atOnce = 25;

interface Work {
  /** What is done once for all of them. */
  before?: (write: Write, later: Later, ids: readonly string[]) => Promise<void>;
  work: (write: Write, id: string) => Promise<void>;
}

async function lockTogether(write: Write, later: Later, ids: readonly string[]): Promise<void> {
  for (const row of await lockCampaigns(write.tx, write.advertiserId, ids.filter(isUuid)))
    later.locked.set(row.id, row);
}

async function each(
  { db, clock, mintId, jobs, reviewMode, billingGate }: AdvertisersDeps,
  request: FastifyRequest,
  ids: readonly string[],
  work: Work,
): Promise<{ changed: number; results: Result[] }> {
  const { id: advertiserId } = advertiserOf(request);
  const { actor } = callerOf(request);
  const fixed = { advertiserId, actor, mintId, jobs, reviewMode, billingGate };
  const writeIn = (tx: Db): Write => ({ ...fixed, tx, now: clock() });
  // Always in the same order, so that two such changes do not wait for each other.
  const ordered = [...new Set(ids)].sort();
  const results = new Map<string, Result>();
  for (let from = 0; from < ordered.length; from += atOnce) {
    const some = ordered.slice(from, from + atOnce);
    const done =
      (await allOrNone(db, writeIn, some, work)) ?? (await oneByOne(db, writeIn, some, work));
    for (const result of done) results.set(result.id, result);
  }
  const listed = [...new Set(ids)].flatMap((id) => results.get(id) ?? []);
  return { changed: listed.filter((result) => result.ok).length, results: listed };
}

/**
 * As a rule nothing is refused: then what is written once for all needs one statement, and none a
 * savepoint. Null when one was refused; nothing has changed then.
 */
async function allOrNone(
  db: Db,
  writeIn: (tx: Db) => Write,
  ids: readonly string[],
  { before, work }: Work,
): Promise<Result[] | null> {
  try {
    await db.transaction(async (tx) => {
      const later = nothingLater();
      const write = { ...writeIn(tx), later };
      await before?.(write, later, ids);
      for (const id of ids) await work(write, id);
      await writeLater(write, later);
    });
    return ids.map((id) => ({ id, ok: true }));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return null;
  }
}

async function oneByOne(
  db: Db,
  writeIn: (tx: Db) => Write,
  ids: readonly string[],
  { work }: Work,
): Promise<Result[]> {
  const attempt = async (tx: Db, id: string): Promise<Result> => {
    try {
      await tx.transaction((own) => work(writeIn(own), id));
      return { id, ok: true };
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      return { id, ok: false, error: error.code };
    }
  };
  return db.transaction(async (tx) => {
    const results: Result[] = [];
    for (const id of ids) results.push(await attempt(tx, id));
    return results;
  });
}

async function changeCampaign(
  write: Write,
  id: string,
  { archived, daily_budget_percent: percent, ...changes }: CampaignsBulk['changes'],
): Promise<void> {
  const campaign = await lockOwn(write, id);
  const patch: CampaignPatch = { ...changes };
  if (percent !== undefined)
    // To the cent: nobody wants to read a budget of 33.333333.
    patch.daily_budget = Math.max(
      0.01,
      Math.round(toDollars(campaign.daily_budget_micros) * (100 + percent)) / 100,
    );
  const edited =
    Object.keys(patch).length > 0 ? await editLocked(write, campaign, patch) : campaign;
  if (archived !== undefined && archived !== edited.is_archived) await toggleLocked(write, edited);
}
