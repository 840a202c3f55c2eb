import type { FastifyInstance } from 'fastify';
import { toDollars } from '../../domain/money.js';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { isUuid } from '../../domain/uuid.js';
import { recordAudit } from '../../platform/audit.js';
import type { AccountDirectory } from '../../platform/auth/account-directory.js';
import { advertiserOf, callerOf, type Guards, publisherOf } from '../../platform/auth/guards.js';
import { csrfTokenOf } from '../../platform/auth/session-store.js';
import { AppError, fieldError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import type { PublicUrls } from '../../platform/public-urls.js';
import { advertiserSteps, operatorSteps, publisherSteps } from './onboarding-queries.js';
import { pageRoutes } from './page-routes.js';
import { type PlaygroundDeps, playgroundPublisher, playgroundRoutes } from './playground-routes.js';
import {
  countFeedback,
  findAdvertiserNames,
  findDemoAccounts,
  hasOperator,
  listAdUnits,
  listBestRelevances,
  listFeedback,
  listPixelEvents,
  listSeenAdvertisers,
  loadSettings,
  saveSettings,
  type SettingsRow,
} from './queries.js';
import {
  AdUnits,
  AdvertiserNames,
  Boot,
  FeedbackList,
  FillPreview,
  OnboardingSteps,
  PixelEvents,
  PublisherSettings,
  PublisherSettingsChange,
  TestAds,
  TestConversion,
} from './schema.js';
import { dayMs } from '../../domain/time/utc-day.js';
import { openAnswer } from '../../platform/http/plain-answers.js';

export interface DashboardDeps extends PlaygroundDeps {
  mintId: MintId;
  guards: Guards;
  directory: AccountDirectory;
  urls: PublicUrls;
  signUp: Boot['sign_up'];
}

/**
 * The web app and the few calls it needs beside the public API. Writes the ad controls of
 * publishers; owns no table.
 */
export function dashboardRoutes(app: FastifyInstance, deps: DashboardDeps): void {
  pageRoutes(app, deps);
  playgroundRoutes(app, deps);
  publisherControls(app, deps);

  bootRoute(app, deps);
  onboardingRoutes(app, deps);
  advertiserCheckRoutes(app, deps);
}

function bootRoute(app: FastifyInstance, deps: DashboardDeps): void {
  const { guards, db } = deps;

  app.get(
    '/dashboard/boot',
    { schema: { hide: true, response: { 200: Boot } } },
    async (request, reply): Promise<Boot> => {
      const visitor = await guards.visitor(request);
      const session = visitor?.session ?? null;
      const account =
        session?.accountId == null
          ? undefined
          : (deps.directory.advertiser(session.accountId) ??
            deps.directory.publisher(session.accountId));
      const player = await playgroundPublisher(deps, request);
      const demo = await findDemoAccounts(db);
      void reply.header('cache-control', 'no-store');
      return {
        session:
          visitor === null || session === null
            ? null
            : {
                email: session.email,
                role: session.role,
                team_role: session.teamRole,
                second_factor: session.hasSecondFactor,
                account_id: session.accountId,
                account_name: account?.name ?? null,
                account_status: account?.status ?? null,
                csrf_token: csrfTokenOf(visitor.token),
              },
        sign_up: deps.signUp,
        unclaimed: visitor === null && !(await hasOperator(db)),
        playground: {
          available: player !== null,
          is_demo: player?.isDemo ?? false,
          publisher_name: player?.publisher.name ?? null,
          advertiser: demo.advertiserId !== null,
        },
        urls: {
          base: deps.urls.base,
          api: deps.urls.api,
          platform: deps.urls.platform,
          index: deps.urls.index,
        },
      };
    },
  );
}

function onboardingRoutes(app: FastifyInstance, deps: DashboardDeps): void {
  const { guards, db } = deps;

  app.get(
    '/session/onboarding',
    {
      onRequest: guards.person,
      schema: {
        tags: ['session'],
        summary: 'Which steps of getting started are done',
        response: { 200: OnboardingSteps },
      },
    },
    async (request) => {
      const { advertiser, publisher, operator } = callerOf(request);
      if (operator !== undefined) return { steps: await operatorSteps(db, operator.personId) };
      if (advertiser !== undefined) return { steps: await advertiserSteps(db, advertiser.id) };
      if (publisher !== undefined) return { steps: await publisherSteps(db, publisher.id) };
      return { steps: {} };
    },
  );

  app.post(
    '/session/test-ad',
    {
      onRequest: guards.publisherDashboard,
      schema: {
        tags: ['session'],
        summary: 'A test ad for the publisher, approved or not: never counted',
        response: { 200: TestAds },
      },
    },
    async (request) => {
      const { ads } = await deps.askForAds(
        publisherOf(request),
        {
          messages: [{ role: 'user', content: 'What should I pack for a trip to Iceland?' }],
          sessionId: 'dashboard',
          testAd: true,
        },
        request,
      );
      return { ads };
    },
  );
}

function advertiserCheckRoutes(app: FastifyInstance, deps: DashboardDeps): void {
  const { guards, db } = deps;

  pixelEventsRoute(app, deps);

  app.get(
    '/session/ad-units',
    {
      onRequest: guards.advertiserDashboard,
      schema: {
        tags: ['session'],
        summary: 'Ad units of the account, newest first, with the campaigns that use them',
        response: { 200: AdUnits },
      },
    },
    async (request) => ({
      ad_units: (await listAdUnits(db, advertiserOf(request).id, 1000)).map((row) => ({
        ...row,
        created_at: formatTimestamp(row.created_at.getTime()),
      })),
    }),
  );

  app.post<{ Body: TestConversion }>(
    '/session/test-conversion',
    {
      onRequest: guards.advertiserDashboard,
      schema: {
        tags: ['session'],
        summary: 'Check a conversion event without storing it',
        body: TestConversion,
        response: { 200: openAnswer },
      },
    },
    (request) =>
      deps.recordConversions(advertiserOf(request).id, [request.body.event], {
        source: 'capi',
        test: true,
      }),
  );
}

function pixelEventsRoute(app: FastifyInstance, deps: DashboardDeps): void {
  const { guards, db, clock } = deps;

  app.get(
    '/session/pixel-events',
    {
      onRequest: guards.advertiserDashboard,
      schema: {
        tags: ['session'],
        summary: 'Pixel events of the last hour, newest first',
        response: { 200: PixelEvents },
      },
    },
    async (request) => {
      const rows = await listPixelEvents(
        db,
        advertiserOf(request).id,
        new Date(clock() - 3_600_000),
        50,
      );
      return {
        events: rows.map((row) => ({
          id: row.id,
          at: formatTimestamp(row.at.getTime()),
          event_type: row.eventType ?? '',
          domain: row.domain ?? '',
        })),
      };
    },
  );
}

function publisherControls(app: FastifyInstance, deps: DashboardDeps): void {
  publisherSettingRoutes(app, deps);
  publisherInsightRoutes(app, deps);
}

function publisherSettingRoutes(app: FastifyInstance, deps: DashboardDeps): void {
  const { clock, db } = deps;
  const shared = publisherRoute(deps);

  app.get(
    '/session/publisher-settings',
    shared('Ad controls of the publisher', { response: { 200: PublisherSettings } }),
    async (request) => show(deps, await current(deps, publisherOf(request).id)),
  );

  app.patch<{ Body: PublisherSettingsChange }>(
    '/session/publisher-settings',
    shared('Change ad controls', {
      body: PublisherSettingsChange,
      response: { 200: PublisherSettings },
    }),
    async (request) => {
      const { id } = publisherOf(request);
      const { body } = request;
      const blocked = body.blocked_advertisers;
      if (blocked?.some((one) => !isUuid(one)) === true)
        throw fieldError(['body', 'blocked_advertisers'], 'Must be advertiser ids');
      const before = await current(deps, id);
      const after: SettingsRow = {
        floorCpmMicros:
          body.floor_cpm === undefined
            ? before.floorCpmMicros
            : Math.round(body.floor_cpm * 1_000_000),
        minRelevance: body.min_relevance ?? before.minRelevance,
        excludedTopics: [
          ...new Set(
            (body.excluded_topics ?? before.excludedTopics).map((topic) =>
              topic.replaceAll('\u0000', '').toWellFormed().trim(),
            ),
          ),
        ],
        blockedAdvertisers: [...new Set(blocked ?? before.blockedAdvertisers)],
      };
      await db.transaction(async (tx) => {
        await saveSettings(tx, id, after);
        await recordAudit(tx, deps.mintId, clock(), {
          actor: callerOf(request).actor,
          accountId: id,
          action: 'update',
          entity: 'publisher',
          entityId: id,
          before,
          after,
        });
      });
      await deps.directory.refresh();
      return show(deps, after);
    },
  );
}

function publisherInsightRoutes(app: FastifyInstance, deps: DashboardDeps): void {
  const { db, clock } = deps;
  const shared = publisherRoute(deps);

  app.get(
    '/session/publisher-settings/fill-preview',
    shared('Share of recent requests each relevance baseline would fill', {
      response: { 200: FillPreview },
    }),
    async (request) => {
      const rows = await listBestRelevances(
        db,
        publisherOf(request).id,
        new Date(clock() - 14 * dayMs),
        2000,
      );
      const steps = Array.from({ length: 21 }, (_, index) => index / 20);
      return {
        requests: rows.length,
        steps: steps.map((relevance) => ({
          relevance,
          fill:
            rows.length === 0
              ? 0
              : rows.filter(({ best }) => best >= relevance).length / rows.length,
        })),
      };
    },
  );

  app.get(
    '/session/advertisers',
    shared('Advertisers whose ads were seen in the last 30 days', {
      response: { 200: AdvertiserNames },
    }),
    async (request) => ({
      advertisers: await listSeenAdvertisers(db, publisherOf(request).id, {
        since: clock() - 30 * dayMs,
        until: clock(),
      }),
    }),
  );

  app.get(
    '/session/feedback',
    shared('Newest feedback on ads', { response: { 200: FeedbackList } }),
    async (request) => {
      const { id } = publisherOf(request);
      const [rows, votes] = [await listFeedback(db, id, 200), await countFeedback(db, id)];
      return {
        thumbs_up: votes.up,
        thumbs_down: votes.down,
        feedback: rows.map((row) => ({ ...row, at: formatTimestamp(row.at.getTime()) })),
      };
    },
  );
}

async function show(deps: DashboardDeps, row: SettingsRow): Promise<PublisherSettings> {
  return {
    floor_cpm: toDollars(row.floorCpmMicros),
    min_relevance: row.minRelevance,
    excluded_topics: row.excludedTopics,
    blocked_advertisers: await findAdvertiserNames(deps.db, row.blockedAdvertisers),
  };
}

async function current(deps: DashboardDeps, publisherId: string): Promise<SettingsRow> {
  const row = await loadSettings(deps.db, publisherId);
  if (row === null) throw new AppError('not_found');
  return row;
}

const publisherRoute =
  (deps: DashboardDeps) => (summary: string, more: Record<string, unknown>) => ({
    onRequest: deps.guards.publisherDashboard,
    schema: { tags: ['session'], summary, ...more },
  });
