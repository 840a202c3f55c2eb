import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from '@sinclair/typebox';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import type { AccountDirectory } from '../../platform/auth/account-directory.js';
import type { AccountKind } from '../../platform/auth/api-key.js';
import { announceAccountsChange } from '../../platform/auth/announce-accounts.js';
import { callerOf, type Guards } from '../../platform/auth/guards.js';
import { verifyPassword } from '../../platform/auth/password.js';
import {
  csrfTokenOf,
  sessionCookie,
  type SessionStore,
  sessionTokenOf,
} from '../../platform/auth/session-store.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import type { ClientAddress } from '../../platform/http/client-address.js';
import type { MintId } from '../../platform/ids.js';
import type { RateLimit } from '../../platform/rate-limit.js';
import { addKey } from './open-account.js';
import { findPerson, listKeys, revokeKey } from './queries.js';
import { KeyView, MintedKey, NewKey, SessionView, SignIn } from './schema.js';

export interface AccountsDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  guards: Guards;
  directory: AccountDirectory;
  sessions: SessionStore;
  rateLimit: RateLimit;
  clientAddress: ClientAddress;
  secureCookies: () => boolean;
}

/**
 * Signing in and out, and the API keys of the signed-in account. Owns advertisers, publishers,
 * api_keys, people, sessions.
 */
export function accountRoutes(app: FastifyInstance, deps: AccountsDeps): void {
  const { db, clock, mintId, guards, sessions } = deps;

  app.post<{ Body: SignIn }>(
    '/session',
    {
      schema: {
        tags: ['session'],
        summary: 'Sign in',
        body: SignIn,
        response: { 200: SessionView },
      },
    },
    async (request, reply) => {
      const email = request.body.email.trim().toLowerCase();
      await deps.rateLimit.take(
        `login:${deps.clientAddress(request.raw) ?? 'unknown'}`,
        50,
        15 * 60_000,
      );
      await deps.rateLimit.take(`login:${email}`, 10, 15 * 60_000);
      const person = await findPerson(db, email);
      if (!(await verifyPassword(request.body.password, person?.passwordHash)) || person === null)
        throw new AppError('invalid_credentials');
      await deps.rateLimit.forget(`login:${email}`);
      const { token, maxAgeSeconds } = await sessions.open(person.id);
      void reply.header('set-cookie', cookie(token, maxAgeSeconds));
      return view(token);
    },
  );

  app.get(
    '/session',
    {
      schema: { tags: ['session'], summary: 'Who is signed in', response: { 200: SessionView } },
      onRequest: guards.person,
    },
    (request) => view(tokenOf(request)),
  );

  app.delete(
    '/session',
    { schema: { tags: ['session'], summary: 'Sign out' }, onRequest: guards.person },
    async (request, reply) => {
      await sessions.revoke(tokenOf(request));
      return reply.header('set-cookie', cookie('', 0)).code(204).send();
    },
  );

  app.get(
    '/session/keys',
    {
      schema: {
        tags: ['session'],
        summary: 'API keys of the signed-in account',
        response: { 200: Type.Array(KeyView) },
      },
      onRequest: guards.person,
    },
    async (request) => {
      const { kind, id } = accountOf(request);
      const rows = await listKeys(db, kind, id);
      return rows.map((row) => ({
        ...row,
        created_at: formatTimestamp(row.created_at.getTime()),
        last_used_at:
          row.last_used_at === null ? null : formatTimestamp(row.last_used_at.getTime()),
      }));
    },
  );

  app.post<{ Body: NewKey }>(
    '/session/keys',
    {
      schema: {
        tags: ['session'],
        summary: 'Make another key',
        body: NewKey,
        response: { 201: MintedKey },
      },
      onRequest: guards.person,
    },
    async (request, reply) => {
      const { kind, id } = accountOf(request);
      const apiKey = await db.transaction((tx) =>
        addKey({ tx, mintId, now: clock() }, kind, id, request.body.name ?? 'default'),
      );
      await deps.directory.refresh();
      return reply.code(201).send({ api_key: apiKey });
    },
  );

  app.post<{ Params: { key_id: string } }>(
    '/session/keys/:key_id/regenerate',
    {
      schema: {
        tags: ['session'],
        summary: 'Replace a key; the old one stops at once',
        response: { 200: MintedKey },
      },
      onRequest: guards.person,
    },
    async (request) => {
      const { kind, id } = accountOf(request);
      const apiKey = await db.transaction(async (tx) => {
        const revoked = await revokeKey(tx, kind, id, request.params.key_id);
        if (revoked === null) throw new AppError('not_found');
        return addKey({ tx, mintId, now: clock() }, kind, id, revoked.name);
      });
      await deps.directory.refresh();
      return { api_key: apiKey };
    },
  );

  app.delete<{ Params: { key_id: string } }>(
    '/session/keys/:key_id',
    { schema: { tags: ['session'], summary: 'Revoke a key' }, onRequest: guards.person },
    async (request, reply) => {
      const { kind, id } = accountOf(request);
      const revoked = await db.transaction(async (tx) => {
        const row = await revokeKey(tx, kind, id, request.params.key_id);
        await announceAccountsChange(tx);
        return row;
      });
      if (revoked === null) throw new AppError('not_found');
      await deps.directory.refresh();
      return reply.code(204).send();
    },
  );

  function cookie(token: string, maxAgeSeconds: number): string {
    return `${sessionCookie}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${deps.secureCookies() ? '; Secure' : ''}`;
  }

  async function view(token: string): Promise<Record<string, unknown>> {
    const session = await sessions.find(token);
    if (session === null) throw new AppError('invalid_credentials');
    const account =
      session.accountId === null
        ? undefined
        : (deps.directory.advertiser(session.accountId) ??
          deps.directory.publisher(session.accountId));
    return {
      email: session.email,
      role: session.role,
      account_id: session.accountId,
      account_name: account?.name ?? null,
      csrf_token: csrfTokenOf(token),
    };
  }
}

function tokenOf(request: FastifyRequest): string {
  const token = sessionTokenOf(request.headers.cookie);
  if (token === null) throw new AppError('invalid_credentials');
  return token;
}

function accountOf(request: FastifyRequest): { kind: AccountKind; id: string } {
  const { advertiser, publisher } = callerOf(request);
  if (advertiser !== undefined) return { kind: 'advertiser', id: advertiser.id };
  if (publisher !== undefined) return { kind: 'publisher', id: publisher.id };
  throw new AppError('forbidden');
}
