import type { FastifyInstance, FastifyRequest } from 'fastify';
import { type TSchema, Type } from '@sinclair/typebox';
import { grclidOf } from '../../domain/grclid.js';
import { networkOf } from '../../domain/network.js';
import type { TrackingToken } from '../../domain/tracking-token.js';
import { isUuid } from '../../domain/uuid.js';
import type { AccountDirectory } from '../../platform/auth/account-directory.js';
import type { PublisherAccount } from '../../platform/auth/queries.js';
import type { Guards } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import type { ClientAddress } from '../../platform/http/client-address.js';
import type { RateLimit } from '../../platform/rate-limit.js';
import { readImpUrl } from '../../platform/secrets/read-imp-url.js';
import type { TrackingKeys } from '../../platform/secrets/tracking-keys.js';
import { findDemoAccounts } from './queries.js';
import {
  PlaygroundAd,
  PlaygroundConversion,
  PlaygroundFeedback,
  PlaygroundReading,
} from './schema.js';

/** A search of another surface: what it accepts, and how it is asked. */
export interface SearchDoor {
  body: TSchema;
  search(publisher: PublisherAccount, body: unknown): Promise<unknown>;
}

export interface PlaygroundDeps {
  db: Db;
  clock: Clock;
  guards: Pick<Guards, 'sameOrigin' | 'visitor'>;
  directory: Pick<AccountDirectory, 'publisher' | 'advertiser'>;
  rateLimit: RateLimit;
  clientAddress: ClientAddress;
  trackingKeys: Pick<TrackingKeys, 'find'>;
  /** The same functions the public API calls; the playground adds only the account. */
  askForAds: (
    publisher: PublisherAccount,
    body: PlaygroundAd & { testAd: boolean },
    request: FastifyRequest,
  ) => Promise<{ requestId: string; ads: { impUrl: string }[] }>;
  giveFeedback: (token: TrackingToken, body: PlaygroundFeedback) => Promise<{ feedbackId: string }>;
  recordConversions: (
    advertiserId: string,
    events: readonly unknown[],
    options: { source: 'capi'; test: boolean },
  ) => Promise<unknown>;
  explain: (requestId: string) => Promise<Record<string, unknown> | null>;
  /** How a conversation is read, and which of its words and turns did it. */
  explainReading: (messages: PlaygroundAd['messages']) => Promise<{ offers: unknown[] }>;
  shop: SearchDoor | null;
  tools: SearchDoor | null;
}

/**
 * The playground for visitors: decisions for the demo publisher of a demo install, test ads for a
 * signed-in publisher of its own, both among demo advertisers alone. No key ever reaches the
 * browser. Owns no table.
 */
export function playgroundRoutes(app: FastifyInstance, deps: PlaygroundDeps): void {
  playgroundAdRoutes(app, deps);
  playgroundEventRoutes(app, deps);
  playgroundSearchRoutes(app, deps);
}

function playgroundAdRoutes(app: FastifyInstance, deps: PlaygroundDeps): void {
  const hidden = hiddenRoute(deps);

  app.post<{ Body: PlaygroundAd }>('/playground/ad', hidden(PlaygroundAd), async (request) => {
    const { publisher, isDemo } = await enter(deps, request);
    // A publisher that plays with its own placements must not cost advertisers anything.
    const { requestId, ads } = await deps.askForAds(
      publisher,
      { ...request.body, testAd: !isDemo },
      request,
    );
    return {
      request_id: requestId,
      ads: ads.map((ad) => ({
        ...ad,
        grclid: grclidOf(readImpUrl(ad.impUrl, publisher.id, deps.trackingKeys).serveId),
      })),
    };
  });

  app.get<{ Params: { request_id: string } }>(
    '/playground/decisions/:request_id',
    hidden(),
    async (request) => {
      const { publisher, isDemo } = await enter(deps, request);
      const { request_id: id } = request.params;
      const decision = isUuid(id) ? await deps.explain(id) : null;
      if (decision === null || decision['publisher_id'] !== publisher.id)
        throw new AppError('not_found');
      return { ...decision, candidates: showCandidates(decision['candidates'], isDemo) };
    },
  );

  app.post<{ Body: PlaygroundReading }>(
    '/playground/reading',
    hidden(PlaygroundReading),
    async (request) => {
      const { isDemo } = await enter(deps, request);
      const explained = await deps.explainReading(request.body.messages);
      // What others offer is shown in a demo only.
      return isDemo ? explained : { ...explained, offers: [] };
    },
  );
}

function playgroundEventRoutes(app: FastifyInstance, deps: PlaygroundDeps): void {
  const hidden = hiddenRoute(deps);

  app.post<{ Body: PlaygroundFeedback }>(
    '/playground/feedback',
    hidden(PlaygroundFeedback),
    async (request) => {
      const { publisher } = await enter(deps, request);
      return deps.giveFeedback(
        readImpUrl(request.body.impUrl, publisher.id, deps.trackingKeys),
        request.body,
      );
    },
  );

  app.post<{ Body: PlaygroundConversion }>(
    '/playground/conversion',
    hidden(PlaygroundConversion),
    async (request) => {
      await enter(deps, request);
      const { advertiserId } = await findDemoAccounts(deps.db);
      if (advertiserId === null) throw new AppError('not_found');
      const { event_name, event_id, value, click_id, test } = request.body;
      const event = {
        event_name,
        event_id,
        event_time: Math.floor(deps.clock() / 1000),
        action_source: 'website',
        user_data: click_id === undefined ? {} : { click_id },
        custom_data: { value, currency: 'USD' },
      };
      return deps.recordConversions(advertiserId, [event], { source: 'capi', test });
    },
  );
}

function playgroundSearchRoutes(app: FastifyInstance, deps: PlaygroundDeps): void {
  const hidden = hiddenRoute(deps);

  for (const [path, door] of [
    ['/playground/shop', deps.shop],
    ['/playground/tools', deps.tools],
  ] as const) {
    app.post(path, hidden(door?.body ?? Type.Object({})), async (request) => {
      const { publisher } = await enter(deps, request);
      if (door === null) throw new AppError('not_found');
      return door.search(publisher, request.body);
    });
  }
}

const hiddenRoute = (deps: PlaygroundDeps) => (body?: TSchema) => ({
  onRequest: deps.guards.sameOrigin,
  schema: { hide: true, ...(body === undefined ? {} : { body }) },
});

async function enter(
  deps: PlaygroundDeps,
  request: FastifyRequest,
): Promise<{ publisher: PublisherAccount; isDemo: boolean }> {
  const found = await playgroundPublisher(deps, request);
  if (found === null) throw new AppError('not_found');
  await deps.rateLimit.take(
    `playground:${networkOf(deps.clientAddress(request.raw) ?? 'unknown')}`,
    120,
    60_000,
  );
  return found;
}

/**
 * For whom this visitor plays: themselves when they are a publisher that may serve, else the demo's
 * publisher; null without either.
 */
export async function playgroundPublisher(
  deps: Pick<PlaygroundDeps, 'db' | 'guards' | 'directory'>,
  request: FastifyRequest,
): Promise<{ publisher: PublisherAccount; isDemo: boolean } | null> {
  const session = (await deps.guards.visitor(request))?.session ?? null;
  const { publisherId } = await findDemoAccounts(deps.db);
  const own =
    session?.role === 'publisher' && session.accountId !== null
      ? deps.directory.publisher(session.accountId)
      : undefined;
  if (own !== undefined && own.status === 'approved')
    return { publisher: own, isDemo: own.id === publisherId };
  const demo = publisherId === null ? undefined : deps.directory.publisher(publisherId);
  return demo === undefined ? null : { publisher: demo, isDemo: true };
}

const bidFields = new Set([
  'bid_micros',
  'score',
  'multiplier',
  'runner_up_score',
  'pcvr',
  'quality',
]);

/**
 * Demo advertisers only, and their bids only in the demo: what others bid is their own business.
 */
function showCandidates(candidates: unknown, withBids: boolean): unknown {
  if (!Array.isArray(candidates)) return [];
  return candidates
    .filter((candidate: Record<string, unknown>) => candidate['is_demo'] === true)
    .map((candidate: Record<string, unknown>) =>
      Object.fromEntries(
        Object.entries(candidate).filter(([name]) => withBids || !bidFields.has(name)),
      ),
    );
}
