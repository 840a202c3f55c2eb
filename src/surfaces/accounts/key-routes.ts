import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from '@sinclair/typebox';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { isUuid } from '../../domain/uuid.js';
import { recordAudit } from '../../platform/audit.js';
import type { AccountDirectory } from '../../platform/auth/account-directory.js';
import { announceAccountsChange } from '../../platform/auth/announce-accounts.js';
import type { AccountKind } from '../../platform/auth/api-key.js';
import { callerOf, type Guards } from '../../platform/auth/guards.js';
import { keyScopes } from '../../platform/auth/key-scope.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError, fieldError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import { accountOf } from './account-of.js';
import { addLimitedKey } from './open-account.js';
import { type KeyListing, listKeys, revokeKey } from './queries.js';
import { KeyView, MintedKey, NewKey } from './schema.js';
import { nothing } from '../../platform/http/plain-answers.js';

interface KeyRouteDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  guards: Guards;
  directory: Pick<AccountDirectory, 'refresh'>;
}

/** The API keys of the signed-in account. */
export function keyRoutes(app: FastifyInstance, deps: KeyRouteDeps): void {
  newKeyRoutes(app, deps);
  oldKeyRoutes(app, deps);
}

function newKeyRoutes(app: FastifyInstance, deps: KeyRouteDeps): void {
  const { db, clock, mintId } = deps;
  const shared = keyRoute(deps);

  app.get(
    '/session/keys',
    shared('API keys of the signed-in account', { response: { 200: Type.Array(KeyView) } }),
    async (request) => {
      const { kind, id } = accountOf(request);
      return (await listKeys(db, kind, id)).map(showKey);
    },
  );

  app.post<{ Body: NewKey }>(
    '/session/keys',
    shared('Make another key', { body: NewKey, response: { 201: MintedKey } }),
    async (request, reply) => {
      const { kind, id } = accountOf(request);
      const { name = 'default', scopes, expires_at: expiresAt } = request.body;
      const limits = {
        name: name.replaceAll('\u0000', '').toWellFormed(),
        scopes: readScopes(kind, scopes),
        expiresAt: readExpiry(expiresAt, clock()),
      };
      const minted = await db.transaction(async (tx) => {
        const key = await addLimitedKey({ tx, mintId, now: clock() }, kind, id, limits);
        await audit(deps, tx, request, 'create', key.id, null, limits);
        return key;
      });
      await deps.directory.refresh();
      return reply.code(201).send({ id: minted.id, api_key: minted.key });
    },
  );
}

function oldKeyRoutes(app: FastifyInstance, deps: KeyRouteDeps): void {
  const { mintId, clock, db } = deps;
  const shared = keyRoute(deps);

  app.post<{ Params: { key_id: string } }>(
    '/session/keys/:key_id/regenerate',
    shared('Replace a key; the old one stops at once', { response: { 200: MintedKey } }),
    async (request) => {
      const { kind, id } = accountOf(request);
      const { key_id: keyId } = request.params;
      const minted = await db.transaction(async (tx) => {
        const old = isUuid(keyId) ? await revokeKey(tx, kind, id, keyId) : null;
        if (old === null) throw new AppError('not_found');
        const key = await addLimitedKey({ tx, mintId, now: clock() }, kind, id, old);
        await audit(deps, tx, request, 'regenerate', key.id, { id: keyId }, old);
        return key;
      });
      await deps.directory.refresh();
      return { id: minted.id, api_key: minted.key };
    },
  );

  app.delete<{ Params: { key_id: string } }>(
    '/session/keys/:key_id',
    shared('Revoke a key', { response: nothing }),
    async (request, reply) => {
      const { kind, id } = accountOf(request);
      const { key_id: keyId } = request.params;
      await db.transaction(async (tx) => {
        const old = isUuid(keyId) ? await revokeKey(tx, kind, id, keyId) : null;
        if (old === null) throw new AppError('not_found');
        await audit(deps, tx, request, 'revoke', keyId, old, null);
        await announceAccountsChange(tx);
      });
      await deps.directory.refresh();
      return reply.code(204).send();
    },
  );
}

const keyRoute =
  (deps: KeyRouteDeps) =>
  (summary: string, schema: Record<string, unknown> = {}) => ({
    onRequest: deps.guards.person,
    config: { permission: 'keys' as const },
    schema: { tags: ['session'], summary, ...schema },
  });

function audit(
  deps: KeyRouteDeps,
  tx: Db,
  request: FastifyRequest,
  action: string,
  keyId: string,
  before: unknown,
  after: unknown,
): Promise<void> {
  return recordAudit(tx, deps.mintId, deps.clock(), {
    actor: callerOf(request).actor,
    accountId: accountOf(request).id,
    action,
    entity: 'api_key',
    entityId: keyId,
    before,
    after,
  });
}

export function showKey(row: KeyListing): Record<string, unknown> {
  const instant = (at: Date | null): string | null =>
    at === null ? null : formatTimestamp(at.getTime());
  return {
    ...row,
    created_at: instant(row.created_at),
    expires_at: instant(row.expires_at),
    last_used_at: instant(row.last_used_at),
  };
}

function readScopes(kind: AccountKind, scopes: readonly string[] | undefined): string[] | null {
  if (scopes === undefined) return null;
  const known: readonly string[] = keyScopes[kind];
  if (scopes.some((scope) => !known.includes(scope)))
    throw fieldError(['body', 'scopes'], `Must be of ${known.join(', ')}`);
  return [...new Set(scopes)];
}

function readExpiry(text: string | undefined, now: number): Date | null {
  if (text === undefined) return null;
  const at = new Date(text);
  if (Number.isNaN(at.getTime()) || at.getTime() <= now || at.getUTCFullYear() > 9999)
    throw fieldError(['body', 'expires_at'], 'Must be an instant to come', 'datetime');
  return at;
}
