import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { isUuid } from '../../domain/uuid.js';
import { callerOf, type Caller, type Guards } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError, fieldError } from '../../platform/errors.js';
import { writeOnce } from '../../platform/http/write-once.js';
import { showQueue } from './list-queue.js';
import { countQueue } from './queries.js';
import { Approval, Decision, QueueQuery, QueueView, Rejection } from './schema.js';
import { readTimeCursor, writeTimeCursor } from '../../platform/http/time-cursor.js';

export type Verdict = { kind: 'approve' } | { kind: 'reject'; notes: string; keep: boolean };

export interface DecidedCampaign {
  id: string;
  status: string;
  review_status: string;
  deployment_status: string;
  review_notes: string | null;
  reviewed_at: Date | null;
}

export interface ReviewDeps {
  db: Db;
  clock: Clock;
  guards: Guards;
  /**
   * Campaigns belong to another surface, which moves them; `seen` is when the version looked at was
   * handed in.
   */
  decide: (
    tx: Db,
    by: Caller['actor'],
    campaignId: string,
    verdict: Verdict,
    seen: number | null,
  ) => Promise<DecidedCampaign>;
}

/** Where operators look at what people are going to see, and decide. Owns landing_page_checks. */
export function reviewRoutes(app: FastifyInstance, deps: ReviewDeps): void {
  queueRoute(app, deps);
  verdictRoutes(app, deps);
}

function queueRoute(app: FastifyInstance, deps: ReviewDeps): void {
  const { guards, db } = deps;
  const tags = ['operator'];
  const security = [{ session: [] }];

  app.get<{ Querystring: QueueQuery }>(
    '/operator/review',
    {
      onRequest: guards.operator,
      schema: {
        tags,
        security,
        summary: 'Campaigns waiting for review, longest first',
        querystring: QueueQuery,
        response: { 200: QueueView },
      },
    },
    async (request) => {
      const { limit, cursor } = request.query;
      const rows = await showQueue(db, readTimeCursor(cursor), limit + 1);
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      const next =
        rows.length > limit && last !== undefined
          ? writeTimeCursor(last.waitingSince, last.view.campaign_id)
          : null;
      return {
        total: await countQueue(db),
        next_cursor: next,
        campaigns: page.map((row) => row.view),
      };
    },
  );
}

function verdictRoutes(app: FastifyInstance, deps: ReviewDeps): void {
  const { guards } = deps;
  const tags = ['operator'];
  const security = [{ session: [] }];

  app.post<{ Params: { campaign_id: string }; Body: Approval | undefined }>(
    '/operator/review/:campaign_id/approve',
    {
      onRequest: guards.operator,
      preValidation: allowEmptyBody,
      schema: {
        tags,
        security,
        summary: 'Approve a campaign and its ads',
        body: Approval,
        response: { 200: Decision },
      },
    },
    (request) => answer(deps, request, { kind: 'approve' }, request.body?.submitted_for_review_at),
  );

  app.post<{ Params: { campaign_id: string }; Body: Rejection }>(
    '/operator/review/:campaign_id/reject',
    {
      onRequest: guards.operator,
      schema: {
        tags,
        security,
        summary: 'Reject a campaign; the notes are shown to the advertiser',
        body: Rejection,
        response: { 200: Decision },
      },
    },
    (request) =>
      answer(
        deps,
        request,
        {
          kind: 'reject',
          notes: request.body.notes.trim(),
          keep: request.body.keep_showing === true,
        },
        request.body.submitted_for_review_at,
      ),
  );
}

async function answer(
  deps: ReviewDeps,
  request: FastifyRequest<{ Params: { campaign_id: string } }>,
  verdict: Verdict,
  seen: string | undefined,
): Promise<unknown> {
  const { campaign_id: campaignId } = request.params;
  if (!isUuid(campaignId)) throw new AppError('not_found');
  const { actor } = callerOf(request);
  const seenAt =
    seen === undefined ? null : Date.parse(/(?:Z|[+-]\d\d:?\d\d)$/i.test(seen) ? seen : `${seen}Z`);
  if (Number.isNaN(seenAt))
    throw fieldError(
      ['body', 'submitted_for_review_at'],
      'Must be a date and time in ISO 8601',
      'datetime',
    );
  const { body } = await writeOnce(
    deps.db,
    { accountId: actor.id, request, now: deps.clock() },
    async (tx) => {
      const campaign = await deps.decide(tx, actor, campaignId, verdict, seenAt);
      return {
        status: 200,
        body: {
          campaign_id: campaign.id,
          status: campaign.status,
          review_status: campaign.review_status,
          deployment_status: campaign.deployment_status,
          review_notes: campaign.review_notes,
          reviewed_at:
            campaign.reviewed_at === null ? null : formatTimestamp(campaign.reviewed_at.getTime()),
        },
      };
    },
  );
  return body;
}

/** Approving needs nothing said. */
async function allowEmptyBody(request: FastifyRequest): Promise<void> {
  request.body ??= {};
}
