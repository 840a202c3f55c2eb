import type { FastifyInstance } from 'fastify';
import { type Guards, publisherOf } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import type { RateLimit } from '../../platform/rate-limit.js';
import { readImpUrl } from '../../platform/secrets/read-imp-url.js';
import type { TrackingKeys } from '../../platform/secrets/tracking-keys.js';
import { recordFeedback } from './record-feedback.js';
import { Feedback, FeedbackAnswer } from './schema.js';

/** Thumbs up and down on served ads. Owns ad_feedback, ad_feedback_totals, ad_dislikes. */
export function feedbackRoutes(app: FastifyInstance, deps: { db: Db; clock: Clock; mintId: MintId; guards: Guards; rateLimit: RateLimit; trackingKeys: Pick<TrackingKeys, 'find'> }): void {
  app.post<{ Body: Feedback }>(
    '/ad-feedback',
    { onRequest: deps.guards.publisherHeader, schema: { tags: ['feedback'], summary: 'Tell what a person thinks of an ad', security: [{ apiKey: [] }], body: Feedback, response: { 200: FeedbackAnswer } } },
    async (request) => {
      const publisher = publisherOf(request);
      const token = readImpUrl(request.body.impUrl, publisher.id, deps.trackingKeys);
      await deps.rateLimit.take(`feedback:${publisher.id}:${request.body.sessionId.replaceAll('\u0000', '')}`, 30, 60_000);
      const now = deps.clock();
      const id = deps.mintId(now);
      try {
        await recordFeedback(deps.db, { id, now, token, body: request.body });
      } catch (error) {
        throw new AppError('temporarily_unavailable', { cause: error });
      }
      return { status: 'ok' as const, feedbackId: id };
    },
  );
}
