import type { FastifyInstance } from 'fastify';
import { Type } from '@sinclair/typebox';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { isUuid } from '../../domain/uuid.js';
import { recordAudit } from '../../platform/audit.js';
import { callerOf, type Guards, publisherOf } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import { privacyHeaders } from '../../platform/privacy/privacy-headers.js';
import { judgeSearch, type SearchPrivacy } from '../../platform/privacy/searcher.js';
import {
  linkCampaign,
  listGaps,
  listResultCampaigns,
  loadCampaignLinks,
  unlinkCampaign,
} from './queries.js';
import { attributionOf } from './read-attribution.js';
import { readSearch } from './read-search.js';
import {
  CategoryList,
  GapList,
  GapQuery,
  ToolAnswer,
  ToolCampaign,
  ToolCampaignChoices,
  ToolCampaignList,
  ToolSearch,
} from './schema.js';
import type { ToolSearchSurface } from './tool-search.js';

type ToolRouteDeps = SearchPrivacy & { guards: Guards; db: Db; clock: Clock; mintId: MintId };

/**
 * The developer-tool index: one recommendation for a need, with what an agent must do to use it.
 * Operators see what went
 * unanswered and tie campaigns to tools. Owns tool_searches, tool_search_turns, tool_campaigns.
 */
export function toolSearchRoutes(
  app: FastifyInstance,
  surface: ToolSearchSurface,
  deps: ToolRouteDeps,
): void {
  searchRoutes(app, surface, deps);
  gapRoute(app, deps);
  toolCampaignListRoutes(app, surface, deps);
  toolCampaignTieRoutes(app, surface, deps);
}

function searchRoutes(app: FastifyInstance, surface: ToolSearchSurface, deps: ToolRouteDeps): void {
  app.post<{ Body: ToolSearch }>(
    '/search',
    {
      ...deps.guards.index,
      schema: {
        tags: ['index'],
        summary: 'Recommend a developer tool for a need',
        security: [{ apiKey: [] }],
        body: ToolSearch,
        response: { 200: ToolAnswer },
      },
    },
    async (request, reply) => {
      const { headers } = request;
      const body = readSearch(request.body);
      const publisher = publisherOf(request);
      const { emailHash } = attributionOf(body);
      const privacy = await judgeSearch(deps, publisher.id, body, emailHash, headers);
      void reply.headers(privacyHeaders(privacy));
      return surface.searchTools(publisher, body, privacy);
    },
  );
  app.get(
    '/categories',
    {
      schema: {
        tags: ['index'],
        summary: 'Categories of the index',
        response: { 200: CategoryList },
      },
    },
    async () => surface.listCategories(),
  );
}

function gapRoute(app: FastifyInstance, deps: ToolRouteDeps): void {
  const operator = { onRequest: deps.guards.operator };

  app.get<{ Querystring: GapQuery }>(
    '/operator/search-gaps',
    {
      ...operator,
      ...described('Searches without a good answer', {
        querystring: GapQuery,
        response: { 200: GapList },
      }),
    },
    async (request) => {
      const { days, limit } = request.query;
      const rows = await listGaps(deps.db, new Date(deps.clock() - days * 86_400_000), limit);
      return {
        gaps: rows.map(({ lastAt, ...gap }) => ({
          ...gap,
          last_at: formatTimestamp(lastAt.getTime()),
        })),
      };
    },
  );
}

function toolCampaignListRoutes(
  app: FastifyInstance,
  surface: ToolSearchSurface,
  deps: ToolRouteDeps,
): void {
  const operator = { onRequest: deps.guards.operator };

  app.get(
    '/operator/tool-campaigns',
    {
      ...operator,
      ...described('Campaigns behind tools', { response: { 200: ToolCampaignList } }),
    },
    async () => ({
      links: (await loadCampaignLinks(deps.db)).map((link) => ({
        slug: link.slug,
        campaign_id: link.campaignId,
        advertiser_id: link.advertiserId,
        campaign: link.name,
        is_live: link.isLive,
      })),
    }),
  );
  app.get(
    '/operator/tool-campaigns/choices',
    {
      ...operator,
      ...described('Tools, and the campaigns paid by result that could stand behind one', {
        response: { 200: ToolCampaignChoices },
      }),
    },
    async () => ({
      tools: surface.listTools(),
      campaigns: await listResultCampaigns(deps.db, 1000),
    }),
  );
}

function toolCampaignTieRoutes(
  app: FastifyInstance,
  surface: ToolSearchSurface,
  deps: ToolRouteDeps,
): void {
  tieRoute(app, surface, deps);
  untieRoute(app, surface, deps);
}

function tieRoute(app: FastifyInstance, surface: ToolSearchSurface, deps: ToolRouteDeps): void {
  const operator = { onRequest: deps.guards.operator };

  app.put<{ Body: ToolCampaign }>(
    '/operator/tool-campaigns',
    {
      ...operator,
      ...described('Tie a campaign to a tool', {
        body: ToolCampaign,
        response: { 200: ToolCampaign },
      }),
    },
    async (request) => {
      const { slug, campaign_id: campaignId } = request.body;
      if (!surface.has(slug) || !isUuid(campaignId)) throw new AppError('not_found');
      await deps.db.transaction(async (tx) => {
        const now = deps.clock();
        if (!(await linkCampaign(tx, slug, campaignId, new Date(now))))
          throw new AppError('not_found');
        await recordAudit(tx, deps.mintId, now, {
          actor: callerOf(request).actor,
          accountId: null,
          action: 'link',
          entity: 'tool_campaign',
          entityId: slug,
          before: null,
          after: request.body,
        });
      });
      await surface.campaigns.refresh();
      return { slug, campaign_id: campaignId };
    },
  );
}

function untieRoute(app: FastifyInstance, surface: ToolSearchSurface, deps: ToolRouteDeps): void {
  const operator = { onRequest: deps.guards.operator };

  app.delete<{ Params: { slug: string; campaign_id: string } }>(
    '/operator/tool-campaigns/:slug/:campaign_id',
    {
      ...operator,
      ...described('Untie a campaign from a tool', {
        params: Type.Object({ slug: Type.String(), campaign_id: Type.String() }),
        response: { 204: Type.Null() },
      }),
    },
    async (request, reply) => {
      const { slug, campaign_id: campaignId } = request.params;
      await deps.db.transaction(async (tx) => {
        if (!isUuid(campaignId) || !(await unlinkCampaign(tx, slug, campaignId)))
          throw new AppError('not_found');
        await recordAudit(tx, deps.mintId, deps.clock(), {
          actor: callerOf(request).actor,
          accountId: null,
          action: 'unlink',
          entity: 'tool_campaign',
          entityId: slug,
          before: request.params,
          after: null,
        });
      });
      await surface.campaigns.refresh();
      return reply.code(204).send();
    },
  );
}

const described = (summary: string, more: Record<string, unknown> = {}) => ({
  schema: { tags: ['operator'], summary, security: [{ session: [] }], ...more },
});
