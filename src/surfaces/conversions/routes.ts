import type { FastifyInstance } from 'fastify';
import type { Guards } from '../../platform/auth/guards.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import { intakeRoutes } from './intake/intake-routes.js';
import { conversionJobs } from './jobs.js';
import { type PixelDoor, pixelRoutes } from './pixel/pixel-routes.js';
import { loadPixelScript } from './pixel/pixel-script.js';
import { currencyRateRoutes } from './rate-routes.js';
import {
  type ConversionDeps,
  createConversionRecorder,
  type RecordConversions,
} from './record-conversions.js';
import type { PixelDeps } from './pixel/record-pixel-events.js';
import { conversionReportRoutes } from './reports/report-routes.js';

/**
 * Conversions, from advertisers' servers and from their pages: taken in here, de-duplicated,
 * credited to ads, reported.
 * Owns conversions, conversion_keys, click_links, pixel_sessions, currency_rates. Returns the
 * recorder for other sources.
 */
export function conversionRoutes(
  app: FastifyInstance,
  deps: ConversionDeps &
    Omit<PixelDeps, 'recordConversions'> &
    Omit<PixelDoor, 'pixelScript'> & {
      guards: Guards;
      jobs: JobQueue;
      retentionDays: number;
    },
): RecordConversions {
  const recordConversions = createConversionRecorder(deps);
  // The build puts the script beside the server: build/web/pixel.
  const pixelScript = loadPixelScript(new URL('../../../web/pixel/pixel.js', import.meta.url));
  intakeRoutes(app, { ...deps, recordConversions });
  pixelRoutes(app, { ...deps, recordConversions, pixelScript });
  conversionReportRoutes(app, deps);
  currencyRateRoutes(app, deps);
  conversionJobs(deps.jobs, { ...deps, clickWindowMs: deps.windows.clickMs });
  return recordConversions;
}
