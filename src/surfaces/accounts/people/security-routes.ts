import { randomBytes } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { Type } from '@sinclair/typebox';
import { base32, totpUri } from '../../../domain/totp.js';
import { formatTimestamp } from '../../../domain/time/format-timestamp.js';
import { isUuid } from '../../../domain/uuid.js';
import { recordAudit } from '../../../platform/audit.js';
import type { Guards } from '../../../platform/auth/guards.js';
import type { Session } from '../../../platform/auth/session-store.js';
import type { Db } from '../../../platform/db/db.js';
import { AppError, fieldError } from '../../../platform/errors.js';
import { sessionOf } from '../account-of.js';
import { drawQr } from './draw-qr.js';
import { endResets } from '../links/link-queries.js';
import {
  confirmTotp,
  countRecoveryCodes,
  loadPerson,
  offerTotp,
  type Person,
  removeTotp,
  setPassword,
} from './person-queries.js';
import {
  CodeProof,
  FactorOffer,
  FactorState,
  FullProof,
  PasswordChange,
  PasswordProof,
  RecoveryCodes,
  SessionList,
} from '../schema.js';
import { acceptCode, renewRecoveryCodes, sealTotp } from './second-factor.js';
import type { SignInDeps } from './sign-in.js';
import { withinLimits } from './sign-in-limits.js';
import { nothing } from '../../../platform/http/plain-answers.js';

type SecurityDeps = SignInDeps & {
  guards: Guards;
  endCookie: (reply: FastifyReply) => FastifyReply;
};

/** What people do about their own sign-in: password, sessions, second factor. */
export function securityRoutes(app: FastifyInstance, deps: SecurityDeps): void {
  const { db, clock, sessions } = deps;
  const own = ownRoute(deps.guards);

  app.post<{ Body: PasswordChange }>(
    '/session/password',
    own('Change the password; every other session ends', {
      body: PasswordChange,
      response: nothing,
    }),
    async (request, reply) => {
      const session = sessionOf(request);
      const { current_password: current, new_password: next } = request.body;
      const person = await provePassword(deps, session, current);
      if (next === current || next.toLowerCase() === person.email)
        throw fieldError(['body', 'new_password'], 'Must be another one');
      const hash = await deps.passwords.hash(next);
      await db.transaction(async (tx) => {
        await setPassword(tx, session.personId, hash, new Date(clock()));
        await endResets(tx, session.personId, new Date(clock()));
        await sessions.revokeAll(tx, session.personId, session.id);
        await audit(deps, tx, session, 'change_password');
      });
      return reply.code(204).send();
    },
  );

  ownSessionRoutes(app, deps);
  factorRoutes(app, deps);
}

function ownSessionRoutes(app: FastifyInstance, deps: SecurityDeps): void {
  const { sessions, db } = deps;
  const own = ownRoute(deps.guards);

  app.get(
    '/session/sessions',
    own('Where the person is signed in', { response: { 200: SessionList } }),
    async (request) => {
      const { personId, id } = sessionOf(request);
      return {
        sessions: (await sessions.list(personId)).map((row) => ({
          ...row,
          created_at: formatTimestamp(row.created_at.getTime()),
          last_seen_at:
            row.last_seen_at === null ? null : formatTimestamp(row.last_seen_at.getTime()),
          expires_at: formatTimestamp(row.expires_at.getTime()),
          is_current: row.id === id,
        })),
      };
    },
  );

  app.delete<{ Params: { session_id: string } }>(
    '/session/sessions/:session_id',
    own('Sign out one session', { response: nothing }),
    async (request, reply) => {
      const session = sessionOf(request);
      const { session_id: id } = request.params;
      await db.transaction(async (tx) => {
        if (!isUuid(id) || !(await sessions.revokeOne(tx, session.personId, id)))
          throw new AppError('not_found');
        await audit(deps, tx, session, 'end_session');
      });
      return reply.code(204).send();
    },
  );

  app.delete<{ Querystring: { keep_current: boolean } }>(
    '/session/sessions',
    own('Sign out everywhere', {
      querystring: Type.Object({
        keep_current: Type.Boolean({ default: false, description: 'All but this session' }),
      }),
      response: { 200: Type.Object({ ended: Type.Integer() }) },
    }),
    async (request, reply) => {
      const session = sessionOf(request);
      const { keep_current: keep } = request.query;
      const ended = await db.transaction(async (tx) => {
        await audit(deps, tx, session, 'sign_out_everywhere');
        return sessions.revokeAll(tx, session.personId, keep ? session.id : undefined);
      });
      if (!keep) deps.endCookie(reply);
      return { ended };
    },
  );
}

function factorRoutes(app: FastifyInstance, deps: SecurityDeps): void {
  factorSetupRoutes(app, deps);
  factorChangeRoutes(app, deps);
}

function factorSetupRoutes(app: FastifyInstance, deps: SecurityDeps): void {
  const { db, sealer, clock } = deps;
  const own = ownRoute(deps.guards);

  app.get(
    '/session/second-factor',
    own('Whether signing in asks for a code', { response: { 200: FactorState } }),
    async (request) => {
      const { personId, hasSecondFactor } = sessionOf(request);
      return {
        enabled: hasSecondFactor,
        recovery_codes_left: await countRecoveryCodes(db, personId),
      };
    },
  );

  app.post<{ Body: PasswordProof }>(
    '/session/second-factor',
    own('Begin to set up an authenticator app', {
      body: PasswordProof,
      response: { 200: FactorOffer },
    }),
    async (request) => {
      const person = await provePassword(deps, sessionOf(request), request.body.password);
      const secret = randomBytes(20);
      if (!(await offerTotp(db, person.id, sealTotp(sealer, person.id, secret))))
        throw new AppError('conflict');
      const uri = totpUri(secret, 'Sidelight', person.email);
      return { secret: base32(secret), uri, qr: drawQr(uri) };
    },
  );

  app.post<{ Body: CodeProof }>(
    '/session/second-factor/confirm',
    own('Finish with a first code; recovery codes are shown once', {
      body: CodeProof,
      response: { 200: RecoveryCodes },
    }),
    async (request) => {
      const session = sessionOf(request);
      const person = await loadPerson(db, session.personId);
      if (person === null || person.totpSealed === null || person.hasSecondFactor)
        throw new AppError('conflict');
      return proveCode(deps, person, request.body.code, async (tx) => {
        await confirmTotp(tx, person.id, new Date(clock()));
        await audit(deps, tx, session, 'add_second_factor');
        return { recovery_codes: await renewRecoveryCodes(tx, person.id) };
      });
    },
  );
}

function factorChangeRoutes(app: FastifyInstance, deps: SecurityDeps): void {
  const own = ownRoute(deps.guards);

  app.post<{ Body: FullProof }>(
    '/session/second-factor/recovery-codes',
    own('New recovery codes; the old ones stop', {
      body: FullProof,
      response: { 200: RecoveryCodes },
    }),
    async (request) => {
      const session = sessionOf(request);
      const person = await provePassword(deps, session, request.body.password);
      return proveCode(deps, person, request.body.code, async (tx) => {
        await audit(deps, tx, session, 'renew_recovery_codes');
        return { recovery_codes: await renewRecoveryCodes(tx, person.id) };
      });
    },
  );

  app.post<{ Body: FullProof }>(
    '/session/second-factor/remove',
    own('Sign in by password alone again', { body: FullProof, response: nothing }),
    async (request, reply) => {
      const session = sessionOf(request);
      const person = await provePassword(deps, session, request.body.password);
      await proveCode(deps, person, request.body.code, async (tx) => {
        await removeTotp(tx, person.id);
        await audit(deps, tx, session, 'remove_second_factor');
        return true;
      });
      return reply.code(204).send();
    },
  );
}

const ownRoute =
  (guards: Guards) =>
  (summary: string, schema: Record<string, unknown> = {}) => ({
    onRequest: guards.person,
    config: { permission: 'self' as const },
    schema: { tags: ['session'], summary, ...schema },
  });

const quarterHour = 15 * 60_000;

/** An open window must not be enough to take an account over. */
async function provePassword(
  deps: SecurityDeps,
  session: Session,
  password: string,
): Promise<Person> {
  const person = await loadPerson(deps.db, session.personId);
  const proven = await withinLimits(
    deps.rateLimit,
    [[`own-password:${session.personId}`, 10, quarterHour]],
    async () => ((await deps.passwords.verify(password, person?.passwordHash)) ? person : null),
  );
  if (proven === null) throw fieldError(['body', 'password'], 'The password is not right');
  return proven;
}

async function proveCode<T>(
  deps: SecurityDeps,
  person: Person,
  code: string,
  work: (tx: Db) => Promise<T>,
): Promise<T> {
  const done = await withinLimits(
    deps.rateLimit,
    [[`own-code:${person.id}`, 10, quarterHour]],
    () =>
      deps.db.transaction(async (tx) => {
        const now = deps.clock();
        const factor = await acceptCode({ tx, sealer: deps.sealer, now }, person, code);
        return factor === null ? null : work(tx);
      }),
  );
  if (done === null) throw fieldError(['body', 'code'], 'The code is not right, or was used');
  return done;
}

function audit(deps: SecurityDeps, tx: Db, session: Session, action: string): Promise<void> {
  return recordAudit(tx, deps.mintId, deps.clock(), {
    actor: { kind: 'person', id: session.personId },
    accountId: session.accountId,
    action,
    entity: 'person',
    entityId: session.personId,
    before: null,
    after: { email: session.email },
  });
}
