import type { FastifyInstance } from 'fastify';
import { type Guards, publisherOf, refuseBlocked } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import type { TrackingToken } from '../../domain/tracking-token.js';
import { uuidDay, uuidTime } from '../../domain/uuid.js';
import { AppError } from '../../platform/errors.js';
import type { Partitions } from '../../platform/events/partitions.js';
import type { MintId } from '../../platform/ids.js';
import type { RateLimit } from '../../platform/rate-limit.js';
import type { Pseudonyms } from '../../platform/secrets/pseudonyms.js';
import { readImpUrl } from '../../platform/secrets/read-imp-url.js';
import type { TrackingKeys } from '../../platform/secrets/tracking-keys.js';
import { recordFeedback } from './record-feedback.js';
import { Feedback, FeedbackAnswer } from './schema.js';

/** Thumbs up and down on served ads. Owns ad_feedback, ad_feedback_totals, ad_dislikes. */
export function feedbackRoutes(
  app: FastifyInstance,
  deps: {
    db: Db;
    clock: Clock;
    mintId: MintId;
    guards: Guards;
    rateLimit: RateLimit;
    pseudonyms: Pseudonyms;
    partitions: Partitions;
    trackingKeys: Pick<TrackingKeys, 'find'>;
    /** Told of each vote once. */
    onVote: (token: TrackingToken, sentiment: Feedback['sentiment']) => void;
  },
): void {
  app.post<{ Body: Feedback }>(
    '/ad-feedback',
    {
      onRequest: deps.guards.publisherHeader,
      schema: {
        tags: ['feedback'],
        summary: 'Tell what a person thinks of an ad',
        security: [{ apiKey: [] }],
        body: Feedback,
        response: { 200: FeedbackAnswer },
      },
    },
    async (request) => {
      refuseBlocked(request);
      const publisher = publisherOf(request);
      const token = readImpUrl(request.body.impUrl, publisher.id, deps.trackingKeys);
      const id = deps.mintId(deps.clock());
      await orUnavailable(() =>
        deps.rateLimit.take(
          `feedback:${publisher.id}:${deps.pseudonyms.searcher(publisher.id, `votes ${request.body.sessionId}`)}`,
          30,
          60_000,
        ),
      );
      await orUnavailable(async () => {
        await deps.partitions.ensure([uuidDay(id)]);
        const input = { id, now: uuidTime(id), token, body: request.body };
        if (await recordFeedback(deps, input)) deps.onVote(token, request.body.sentiment);
      });
      return { status: 'ok' as const, feedbackId: id };
    },
  );
}

/** Whatever fails here is safe to retry, and says so. */
async function orUnavailable(work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    throw error instanceof AppError
      ? error
      : new AppError('temporarily_unavailable', { cause: error });
  }
}
