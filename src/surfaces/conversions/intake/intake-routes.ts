import type { FastifyInstance } from 'fastify';
import { advertiserOf, type Guards } from '../../../platform/auth/guards.js';
import type { ConsentReader } from '../../../platform/consent/consent-reader.js';
import { AppError } from '../../../platform/errors.js';
import type { RecordConversions } from '../record-conversions.js';
import { ConversionReport, ConversionRequest } from '../schema.js';
import { withinSignals } from './within-signals.js';

const bodyLimit = 8 * 1024 * 1024;

/** The server-side door: up to 1,000 events, each on its own. */
export function intakeRoutes(
  app: FastifyInstance,
  deps: {
    guards: Guards;
    recordConversions: RecordConversions;
    consent: Pick<ConsentReader, 'judge'>;
  },
): void {
  app.post<{ Body: ConversionRequest }>(
    '/gateway/events',
    {
      onRequest: deps.guards.conversionIntake,
      bodyLimit,
      schema: {
        tags: ['conversions'],
        summary: 'Report conversions',
        security: [{ bearer: [] }, { queryKey: [] }],
        body: ConversionRequest,
        response: { 200: ConversionReport },
      },
    },
    async (request, reply) => {
      const code = request.body.test_event_code;
      const { events, problems } = await withinSignals(deps.consent, request.body, request.headers);
      if (problems.length > 0) void reply.header('privacy-problems', problems.join(', '));
      const recorded = deps.recordConversions(advertiserOf(request).id, events, {
        source: 'capi',
        test: typeof code === 'string' && code.trim() !== '',
      });
      // Read already; a batch is megabytes that need not live until the answer.
      request.body.data = [];
      try {
        return await recorded;
      } catch (error) {
        // The whole batch was rolled back, so it may be sent again as it is.
        throw error instanceof AppError
          ? error
          : new AppError('temporarily_unavailable', { cause: error });
      }
    },
  );
}
