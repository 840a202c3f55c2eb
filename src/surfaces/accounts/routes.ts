import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { recordAudit } from '../../platform/audit.js';
import type { AccountDirectory } from '../../platform/auth/account-directory.js';
import { strictCookie } from '../../platform/auth/cookies.js';
import type { Guards } from '../../platform/auth/guards.js';
import {
  deviceCookie,
  deviceMaxAgeSeconds,
  type KnownDevices,
} from '../../platform/auth/known-devices.js';
import { csrfTokenOf, sessionCookie, sessionTokenOf } from '../../platform/auth/session-store.js';
import { AppError } from '../../platform/errors.js';
import type { JobQueue } from '../../platform/jobs/job-queue.js';
import type { ClientAddress } from '../../platform/http/client-address.js';
import { sessionOf } from './account-of.js';
import { keyRoutes } from './key-routes.js';
import { SessionView, SignIn } from './schema.js';
import { securityRoutes } from './people/security-routes.js';
import { accountOperatorRoutes } from './operator-routes.js';
import { sweepLinks } from './links/link-queries.js';
import { linkRoutes, type SignUpMode } from './links/link-routes.js';
import type { LinkDeps } from './links/make-link.js';
import { teamRoutes } from './team/team-routes.js';
import { signIn, type SignInDeps } from './people/sign-in.js';
import { nothing } from '../../platform/http/plain-answers.js';

export interface AccountsDeps extends SignInDeps, LinkDeps {
  jobs: Pick<JobQueue, 'every'>;
  signUp: SignUpMode;
  rotateTrackingKey: () => Promise<number>;
  guards: Guards;
  directory: AccountDirectory;
  knownDevices: KnownDevices;
  clientAddress: ClientAddress;
  secureCookies: () => boolean;
}

/**
 * Signing in and out, and what people and accounts need to get in: second factors, sessions, keys,
 * links, teams. Owns advertisers, publishers, api_keys, people, sessions, recovery_codes and
 * account_links.
 */
export function accountRoutes(app: FastifyInstance, deps: AccountsDeps): void {
  const { db } = deps;
  keyRoutes(app, deps);
  securityRoutes(app, { ...deps, endCookie: (reply) => endCookie(deps, reply) });
  linkRoutes(app, deps);
  teamRoutes(app, deps);
  accountOperatorRoutes(app, deps);
  deps.jobs.every('sweep-links', 3_600_000, () =>
    sweepLinks(db, new Date(deps.clock() - 30 * 86_400_000)),
  );

  sessionRoutes(app, deps);
}

function sessionRoutes(app: FastifyInstance, deps: AccountsDeps): void {
  const { guards } = deps;

  signInRoute(app, deps);

  app.get(
    '/session',
    {
      schema: { tags: ['session'], summary: 'Who is signed in', response: { 200: SessionView } },
      onRequest: guards.person,
    },
    (request) => view(deps, tokenOf(request)),
  );

  signOutRoute(app, deps);
}

function signInRoute(app: FastifyInstance, deps: AccountsDeps): void {
  const { guards } = deps;

  app.post<{ Body: SignIn }>(
    '/session',
    {
      onRequest: guards.sameOrigin,
      schema: {
        tags: ['session'],
        summary: 'Sign in; with `code` where the person has a second factor',
        body: SignIn,
        response: { 200: SessionView },
      },
    },
    async (request, reply) => {
      const device = deps.knownDevices.read(request.headers.cookie);
      const { token, maxAgeSeconds, personId } = await signIn(deps, request.body, {
        address: deps.clientAddress(request.raw),
        userAgent: request.headers['user-agent'] ?? '',
        device,
      });
      const secure = deps.secureCookies();
      void reply.header('set-cookie', [
        strictCookie(sessionCookie, token, { maxAgeSeconds, secure }),
        strictCookie(deviceCookie, deps.knownDevices.remember(device, personId), {
          maxAgeSeconds: deviceMaxAgeSeconds,
          secure,
        }),
      ]);
      return view(deps, token);
    },
  );
}

function signOutRoute(app: FastifyInstance, deps: AccountsDeps): void {
  const { guards, sessions, db } = deps;

  app.delete(
    '/session',
    {
      schema: { tags: ['session'], summary: 'Sign out', response: nothing },
      config: { permission: 'self' },
      onRequest: guards.person,
    },
    async (request, reply) => {
      const { personId, accountId } = sessionOf(request);
      await sessions.revoke(tokenOf(request));
      await recordAudit(db, deps.mintId, deps.clock(), {
        actor: { kind: 'person', id: personId },
        accountId,
        action: 'sign_out',
        entity: 'person',
        entityId: personId,
        before: null,
        after: null,
      });
      return endCookie(deps, reply).code(204).send();
    },
  );
}

async function view(deps: AccountsDeps, token: string): Promise<Record<string, unknown>> {
  const session = await deps.sessions.find(token);
  if (session === null) throw new AppError('invalid_credentials');
  const account =
    session.accountId === null
      ? undefined
      : (deps.directory.advertiser(session.accountId) ??
        deps.directory.publisher(session.accountId));
  return {
    email: session.email,
    role: session.role,
    team_role: session.teamRole,
    second_factor: session.hasSecondFactor,
    account_id: session.accountId,
    account_name: account?.name ?? null,
    csrf_token: csrfTokenOf(token),
  };
}

function endCookie(deps: AccountsDeps, reply: FastifyReply): FastifyReply {
  const ended = { maxAgeSeconds: 0, secure: deps.secureCookies() };
  return reply.header('set-cookie', strictCookie(sessionCookie, '', ended));
}

function tokenOf(request: FastifyRequest): string {
  const token = sessionTokenOf(request.headers.cookie);
  if (token === null) throw new AppError('invalid_credentials');
  return token;
}
