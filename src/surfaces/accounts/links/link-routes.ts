import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from '@sinclair/typebox';
import type { AccountDirectory } from '../../../platform/auth/account-directory.js';
import { hashSecret } from '../../../platform/auth/api-key.js';
import type { Guards } from '../../../platform/auth/guards.js';
import type { Passwords } from '../../../platform/auth/password.js';
import type { SessionStore } from '../../../platform/auth/session-store.js';
import type { Db } from '../../../platform/db/db.js';
import { AppError, fieldError } from '../../../platform/errors.js';
import type { ClientAddress } from '../../../platform/http/client-address.js';
import { networkOf } from '../../../domain/network.js';
import type { RateLimit } from '../../../platform/rate-limit.js';
import { cleanEmail, isEmail } from '../people/clean-email.js';
import { accountName, findLink } from './link-queries.js';
import { LinkToken, LinkUse, LinkView, ResetRequest, SignUp } from './link-schema.js';
import { type LinkDeps, mailLink } from './make-link.js';
import { findPerson } from '../people/person-queries.js';
import { useLink } from './use-link.js';

export type SignUpMode = 'open' | 'invitation' | 'off';

export interface LinkRouteDeps extends LinkDeps {
  db: Db;
  guards: Guards;
  sessions: SessionStore;
  passwords: Passwords;
  rateLimit: RateLimit;
  clientAddress: ClientAddress;
  directory: Pick<AccountDirectory, 'refresh'>;
  signUp: SignUpMode;
}

const hourMs = 3_600_000;
const Accepted = Type.Object({ status: Type.Literal('sent') });

/**
 * Getting in without an account or a password: signing up, asking for a new password, and the
 * links that both send. The answers never tell who has an account. Owns account_links.
 */
export function linkRoutes(app: FastifyInstance, deps: LinkRouteDeps): void {
  linkRequestRoutes(app, deps);
  linkUseRoutes(app, deps);
}

function linkRequestRoutes(app: FastifyInstance, deps: LinkRouteDeps): void {
  const { db } = deps;
  const open = openRoute(deps);

  app.post<{ Body: SignUp }>(
    '/sign-up',
    open('Ask for an account; a link comes by mail', { body: SignUp, response: { 202: Accepted } }),
    async (request, reply) => {
      if (deps.signUp !== 'open') throw new AppError('sign_up_closed');
      const email = readEmail(request.body.email);
      const { kind: role, name, url = '' } = request.body;
      if (url !== '' && !isWebAddress(url))
        throw fieldError(['body', 'url'], 'Must be an http:// or https:// address');
      await limit(deps, request, 'sign-up', email);
      await db.transaction(async (tx) => {
        const known = await findPerson(tx, email);
        if (known !== null) return void (await mailReset(deps, tx, known));
        const details = { name: clean(name), url: clean(url) };
        const wanted = { purpose: 'sign_up', email, role, details, createdBy: 'sign-up' } as const;
        await mailLink(deps, tx, wanted, {
          subject: 'Open your Sidelight account',
          text: `Choose a password to open the ${role} account "${details.name}":`,
        });
      });
      return reply.code(202).send({ status: 'sent' });
    },
  );

  app.post<{ Body: ResetRequest }>(
    '/password-reset',
    open('Ask for a new password; a link comes by mail', {
      body: ResetRequest,
      response: { 202: Accepted },
    }),
    async (request, reply) => {
      const email = readEmail(request.body.email);
      await limit(deps, request, 'reset', email);
      const person = await findPerson(db, email);
      if (person !== null) await db.transaction((tx) => mailReset(deps, tx, person));
      return reply.code(202).send({ status: 'sent' });
    },
  );
}

function linkUseRoutes(app: FastifyInstance, deps: LinkRouteDeps): void {
  const { db, clock } = deps;
  const open = openRoute(deps);

  app.post<{ Body: LinkToken }>(
    '/links/open',
    open('What a link is for', { body: LinkToken, response: { 200: LinkView } }),
    async (request) => {
      await limit(deps, request, 'link', null);
      const link = await findLink(db, hashSecret(request.body.token), new Date(clock()));
      if (link === null) throw new AppError('link_ended');
      return {
        purpose: link.purpose,
        email: link.email,
        role: link.role,
        team_role: link.teamRole,
        account_name:
          link.accountId === null
            ? (link.details.name ?? null)
            : await accountName(db, link.accountId),
      };
    },
  );

  app.post<{ Body: LinkUse }>(
    '/links/use',
    open('Choose the password a link is for', {
      body: LinkUse,
      response: { 200: Type.Object({ email: Type.String() }) },
    }),
    async (request) => {
      await limit(deps, request, 'link', null);
      const { token, password, email } = request.body;
      const chosen = email === undefined ? null : readEmail(email);
      const used = await useLink(deps, { token, password, email: chosen });
      await deps.directory.refresh();
      return used;
    },
  );
}

const openRoute = (deps: LinkRouteDeps) => (summary: string, schema: Record<string, unknown>) => ({
  onRequest: deps.guards.sameOrigin,
  schema: { tags: ['session'], summary, ...schema },
});

/** Mail to a stranger is a nuisance, and hashing costs: few of each. */
async function limit(
  deps: LinkRouteDeps,
  request: FastifyRequest,
  what: string,
  email: string | null,
): Promise<void> {
  const network = networkOf(deps.clientAddress(request.raw) ?? 'unknown');
  await deps.rateLimit.take(`${what}:network:${network}`, 30, hourMs);
  if (email !== null) await limitMailTo(deps.rateLimit, email);
}

function mailReset(
  deps: LinkRouteDeps,
  tx: Db,
  person: { id: string; email: string },
): Promise<unknown> {
  const { id: personId, email } = person;
  const wanted = { purpose: 'reset', email, personId, createdBy: 'reset' } as const;
  return mailLink(deps, tx, wanted, {
    subject: 'A new password for Sidelight',
    text: 'Somebody, we hope you, asked for a new password of your Sidelight account:',
  });
}

/** However many ask, and whatever for: a mailbox is not filled through us. */
export function limitMailTo(rateLimit: RateLimit, email: string): Promise<void> {
  return rateLimit.take(`mail:to:${email}`, 5, hourMs);
}

export function readEmail(text: string): string {
  const email = cleanEmail(text);
  if (!isEmail(email)) throw fieldError(['body', 'email'], 'Must be an e-mail address');
  return email;
}

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

export function clean(text: string): string {
  return text.replaceAll('\u0000', '').toWellFormed().trim();
}
