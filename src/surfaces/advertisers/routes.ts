import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { BudgetDays } from '../../domain/decision/budget-day.js';
import type { ContentCategory } from '../../domain/reading/topics.js';
import { advertiserOf, callerOf, type Guards } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { type Answer, writeOnce } from '../../platform/http/write-once.js';
import { adGroupRoutes } from './ad-groups/ad-group-routes.js';
import { adRoutes } from './ads/ad-routes.js';
import { adUnitRoutes } from './ads/ad-unit-routes.js';
import type { NetworkCaps } from './views.js';
import { campaignRoutes } from './campaigns/campaign-routes.js';
import { bulkRoutes } from './campaigns/bulk-routes.js';
import { checkEditRoutes } from './review/check-edit-routes.js';
import { listRoutes } from './campaigns/list-routes.js';
import type { WhileInReview, Write, WriteDeps } from './write.js';

export interface AdvertisersDeps extends WriteDeps {
  db: Db;
  clock: Clock;
  guards: Guards;
  /** The account's own days, on which budgets run. */
  budgetDays: BudgetDays;
  /** How often anybody is shown one campaign, whatever it asks for. */
  caps: NetworkCaps;
  contentCategories: readonly ContentCategory[];
}

/**
 * One write of the calling advertiser, answered once however often it is sent with the same key.
 */
export type Writing = (
  request: FastifyRequest,
  reply: FastifyReply,
  work: (write: Write) => Promise<Answer>,
) => Promise<FastifyReply>;

/**
 * What advertisers manage: campaigns, ad groups, ads and the older ad units. Every write is one
 * transaction that also
 * holds its audit entry, its jobs and the news for serving. Owns campaigns, ad_groups, ads,
 * ad_units, campaign_ad_units.
 */
export function advertiserRoutes(app: FastifyInstance, deps: AdvertisersDeps): void {
  const { db, clock, mintId, jobs, reviewMode, billingGate } = deps;
  const writing: Writing = async (request, reply, work) => {
    const { id: advertiserId } = advertiserOf(request);
    const { actor } = callerOf(request);
    const now = clock();
    const answer = await writeOnce(db, { accountId: advertiserId, request, now }, (tx) =>
      work({
        tx,
        now,
        advertiserId,
        actor,
        mintId,
        jobs,
        reviewMode,
        billingGate,
        whileInReview: whileInReviewOf(request.body),
      }),
    );
    return reply.code(answer.status).send(answer.body);
  };
  campaignRoutes(app, deps, writing);
  checkEditRoutes(app, deps);
  bulkRoutes(app, deps);
  listRoutes(app, deps);
  adGroupRoutes(app, deps, writing);
  adRoutes(app, deps, writing);
  adUnitRoutes(app, deps, writing);
}

/** Bodies were checked by their schemas; one that does not speak of it means the usual. */
export function whileInReviewOf(body: unknown): WhileInReview {
  const isStopped =
    typeof body === 'object' &&
    body !== null &&
    'while_in_review' in body &&
    body.while_in_review === 'stop_showing';
  return isStopped ? 'stop_showing' : 'keep_showing';
}
