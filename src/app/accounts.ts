import type { FastifyInstance } from 'fastify';
import type { Database } from '../platform/db/db.js';
import { createMailer } from '../platform/mail/mailer.js';
import { addTrackingKey } from '../platform/secrets/tracking-keys.js';
import type { Services } from '../services.js';
import { accountRoutes } from '../surfaces/accounts/routes.js';
import { alertJobs } from '../surfaces/alerts/jobs.js';
import { alertRoutes } from '../surfaces/alerts/routes.js';
import { privacyRoutes } from '../surfaces/privacy/routes.js';
import type { NoteRequest } from '../surfaces/request-log/note-requests.js';
import { requestLogRoutes } from '../surfaces/request-log/routes.js';

/** Who gets in, and how. */
export function addAccounts(
  http: FastifyInstance,
  {
    config,
    db,
    clock,
    mintId,
    sealer,
    jobs,
    sessions,
    rateLimit,
    passwords,
    guards,
    directory,
    knownDevices,
    clientAddress,
    urls,
  }: Services,
): void {
  accountRoutes(http, {
    db,
    clock,
    mintId,
    sealer,
    jobs,
    sessions,
    rateLimit,
    passwords,
    guards,
    directory,
    knownDevices,
    clientAddress,
    mailer: createMailer({
      db,
      clock,
      mintId,
      sealer,
      jobs,
      smtpUrl: config.SMTP_URL,
      from: config.MAIL_FROM,
    }),
    signUp: config.SIGN_UP,
    platformUrl: () => urls.platform,
    rotateTrackingKey: async () => (await addTrackingKey(db, sealer)) ?? 0,
    secureCookies: () => urls.platform.startsWith('https:'),
  });
}

/** What an account may look up about itself, have sent to it, or ask for in a person's name. */
export function addAccountServices(
  http: FastifyInstance,
  {
    config,
    db,
    clock,
    mintId,
    guards,
    log,
    sealer,
    pseudonyms,
    eventLog,
    choices,
    outbound,
    jobs,
    rateLimit,
  }: Services,
  { settledDb }: { settledDb: Database },
): { noteRequest: NoteRequest } {
  privacyRoutes(http, {
    db: settledDb,
    clock,
    mintId,
    guards,
    sealer,
    pseudonyms,
    eventLog,
    choices,
    rateLimit,
    jobs,
    log,
    sessionChoiceDays: config.SESSION_CHOICE_DAYS,
  });
  const noteRequest = requestLogRoutes(http, { db, clock, mintId, guards, log });
  alertRoutes(http, { db, clock, mintId, guards, sealer, outbound, jobs, rateLimit });
  alertJobs({ db, clock, mintId, sealer, outbound, jobs });
  return { noteRequest };
}
