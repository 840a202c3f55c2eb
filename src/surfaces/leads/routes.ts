import type { FastifyInstance } from 'fastify';
import { Type } from '@sinclair/typebox';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { isUuid, uuidDay } from '../../domain/uuid.js';
import {
  advertiserOf,
  type Guards,
  publisherOf,
  refuseBlocked,
} from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import { ingestEvents } from '../../platform/events/ingest-events.js';
import type { Partitions } from '../../platform/events/partitions.js';
import type { MintId } from '../../platform/ids.js';
import { readImpUrl } from '../../platform/secrets/read-imp-url.js';
import type { Sealer } from '../../platform/secrets/sealer.js';
import type { TrackingKeys } from '../../platform/secrets/tracking-keys.js';
import { checkFields } from './check-fields.js';
import { findLeadForm, insertLead, listLeads, type StoredLead } from './queries.js';
import { LeadAnswer, LeadList, LeadSubmission } from './schema.js';
import { readTimeCursor, writeTimeCursor } from '../../platform/http/time-cursor.js';

export interface LeadsDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  guards: Guards;
  sealer: Sealer;
  partitions: Partitions;
  trackingKeys: Pick<TrackingKeys, 'find'>;
}

const LeadQuery = Type.Object({
  campaign_id: Type.Optional(Type.String()),
  cursor: Type.Optional(Type.String()),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 50 }),
});

/**
 * Answers to lead forms: taken from publishers, sealed at rest, readable by the advertiser only.
 * Owns leads.
 */
export function leadRoutes(app: FastifyInstance, deps: LeadsDeps): void {
  leadSubmissionRoute(app, deps);
  leadListRoute(app, deps);
}

function leadSubmissionRoute(app: FastifyInstance, deps: LeadsDeps): void {
  const { db, sealer } = deps;

  app.post<{ Body: LeadSubmission }>(
    '/api/v1/lead',
    {
      onRequest: deps.guards.adServing,
      schema: {
        tags: ['ads'],
        summary: 'Submit a lead form',
        security: [{ bearer: [] }],
        body: LeadSubmission,
        response: { 200: LeadAnswer },
      },
    },
    async (request) => {
      refuseBlocked(request);
      const token = readImpUrl(request.body.impUrl, publisherOf(request).id, deps.trackingKeys);
      const form = await findLeadForm(db, token.campaignId);
      if (form === null) throw new AppError('no_lead_form');
      const problems = checkFields(form, request.body.fields);
      if (problems.length > 0) throw new AppError('validation_failed', { detail: problems });
      const now = deps.clock();
      const id = deps.mintId(now);
      if (token.test) return { status: 'ok' as const, leadId: id };
      await deps.partitions.ensure([uuidDay(id)]);
      const lead = await db.transaction(async (tx) => {
        const stored = await insertLead(tx, {
          ...token,
          id,
          at: new Date(now),
          fieldsSealed: sealer.seal(
            JSON.stringify(request.body.fields),
            `lead:${token.advertiserId}`,
          ),
          consent: request.body.consent ?? null,
        });
        if (stored.isNew)
          await ingestEvents(tx, [
            {
              id,
              kind: 'lead',
              at: now,
              publisherId: token.publisherId,
              advertiserId: token.advertiserId,
              campaignId: token.campaignId,
              adGroupId: token.adGroupId,
              adId: token.adId,
              placement: token.placement,
              data: { serve: token.serveId },
            },
          ]);
        return stored;
      });
      return { status: 'ok' as const, leadId: lead.id };
    },
  );
}

function leadListRoute(app: FastifyInstance, deps: LeadsDeps): void {
  const { db } = deps;

  app.get<{ Querystring: { campaign_id?: string; cursor?: string; limit: number } }>(
    '/advertiser-dashboard/leads',
    {
      onRequest: deps.guards.advertiserDashboard,
      config: { csv: { list: 'leads', spread: 'fields' } },
      schema: {
        tags: ['advertiser'],
        summary: 'Leads of the account, newest first',
        security: [{ apiKey: [] }],
        querystring: LeadQuery,
        response: { 200: LeadList },
      },
    },
    async (request) => {
      const { id: advertiserId } = advertiserOf(request);
      const { limit, cursor, campaign_id: campaignId = null } = request.query;
      if (campaignId !== null && !isUuid(campaignId)) throw new AppError('not_found');
      const rows = await listLeads(db, advertiserId, {
        campaignId,
        before: readTimeCursor(cursor),
        limit: limit + 1,
      });
      const page = rows.slice(0, limit);
      const last = page.at(-1);
      return {
        leads: page.map((row) => present(deps, row, advertiserId)),
        has_more: rows.length > limit,
        next_cursor:
          rows.length > limit && last !== undefined ? writeTimeCursor(last.at, last.id) : null,
      };
    },
  );
}

function present(
  deps: LeadsDeps,
  row: StoredLead,
  advertiserId: string,
): LeadList['leads'][number] {
  return {
    lead_id: row.id,
    campaign_id: row.campaignId,
    campaign_name: row.campaignName,
    ad_id: row.adId,
    submitted_at: formatTimestamp(row.at.getTime()),
    consent: row.consent,
    // Sealed here after the submission's schema had checked it.
    fields: JSON.parse(
      deps.sealer.open(row.fieldsSealed, `lead:${advertiserId}`),
    ) as LeadList['leads'][number]['fields'],
  };
}
