import type { FastifyInstance, FastifyRequest } from 'fastify';
import { Type } from '@sinclair/typebox';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { isUuid } from '../../domain/uuid.js';
import { recordAudit } from '../../platform/audit.js';
import { callerOf } from '../../platform/auth/guards.js';
import type { Db } from '../../platform/db/db.js';
import { AppError, fieldError } from '../../platform/errors.js';
import { cleanEmail } from './people/clean-email.js';
import { showKey } from './key-routes.js';
import { endLinksOf } from './links/link-queries.js';
import { clean, isWebAddress, type LinkRouteDeps, readEmail } from './links/link-routes.js';
import { NewAccount, OpenedView, PersonChange } from './links/link-schema.js';
import { mailLink } from './links/make-link.js';
import { addKey } from './open-account.js';
import { type AccountWish, addWishedPerson, makePassword, openWished } from './open-for-person.js';
import { removeTotp } from './people/person-queries.js';
import { listKeys, revokeKeys } from './queries.js';
import { MintedKey } from './schema.js';
import {
  findAccountKind,
  findMember,
  listPeople,
  type Member,
  setDisabled,
  setTeamRole,
} from './team/team-queries.js';
import { keepAnOwner } from './team/team-routes.js';
import { nothing, openAnswer } from '../../platform/http/plain-answers.js';

type Deps = LinkRouteDeps & { rotateTrackingKey: () => Promise<number> };

/** What operators do about accounts and people while the server runs. */
export function accountOperatorRoutes(app: FastifyInstance, deps: Deps): void {
  const shared = operatorRoute(deps);

  accountOpeningRoutes(app, deps);
  operatorKeyRoutes(app, deps);

  app.get('/operator/mails', shared('Mail that no server took: what to hand on'), async () => ({
    sends: deps.mailer.sends,
    mails: (await deps.mailer.waiting(200)).map(({ createdAt, ...mail }) => ({
      ...mail,
      created_at: formatTimestamp(createdAt.getTime()),
    })),
  }));

  peopleRoutes(app, deps);
}

function accountOpeningRoutes(app: FastifyInstance, deps: Deps): void {
  const { mintId, clock, db } = deps;
  const shared = operatorRoute(deps);

  app.post<{ Body: NewAccount }>(
    '/operator/accounts',
    shared('Open an account and let its owner in', {
      body: NewAccount,
      response: { 201: OpenedView },
    }),
    async (request, reply) => {
      const wish = readWish(request.body);
      const { actor } = callerOf(request);
      const made = request.body.invite ? null : await makePassword();
      const opened = await db.transaction(async (tx) => {
        const opening = { tx, mintId, now: clock() };
        const account = await openWished(opening, wish, actor);
        const accountId = account?.id ?? null;
        if (made !== null) {
          await addWishedPerson(opening, wish, accountId, made.passwordHash);
          return { account, link: null };
        }
        const { kind: role, email, teamRole } = wish;
        const createdBy = `${actor.kind} ${actor.id}`;
        const wanted = { email, role, accountId, teamRole, createdBy };
        const { url } = await mailLink(
          deps,
          tx,
          { ...wanted, purpose: 'invitation' },
          {
            subject: 'Your Sidelight account',
            text: `An account was opened for you${wish.name === '' ? '' : `: "${wish.name}"`}. Choose a password:`,
          },
        );
        return { account, link: url };
      });
      await deps.directory.refresh();
      return reply.code(201).send({
        id: opened.account?.id ?? null,
        api_key: opened.account?.apiKey ?? null,
        email: wish.email,
        password: made?.password ?? null,
        link: deps.mailer.sends ? null : opened.link,
      });
    },
  );
}

function operatorKeyRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, mintId, clock } = deps;
  const shared = operatorRoute(deps);

  app.get<{ Params: { id: string } }>(
    '/operator/accounts/:id/keys',
    shared('Keys of an account'),
    async (request) => {
      const { id } = request.params;
      return { keys: (await listKeys(db, await kindOf(deps, id), id)).map(showKey) };
    },
  );

  app.post<{ Params: { id: string } }>(
    '/operator/accounts/:id/keys/regenerate',
    shared('One new key; every old one of the account stops', { response: { 200: MintedKey } }),
    async (request) => {
      const { id } = request.params;
      const kind = await kindOf(deps, id);
      const apiKey = await db.transaction(async (tx) => {
        await revokeKeys(tx, kind, id);
        await audit(deps, tx, request, { action: 'regenerate', entity: 'api_key', id });
        return addKey({ tx, mintId, now: clock() }, kind, id, 'default');
      });
      await deps.directory.refresh();
      return { api_key: apiKey };
    },
  );

  app.post(
    '/operator/tracking-keys',
    shared('Seal new tracking URLs with a new key'),
    async (request) => {
      const id = await deps.rotateTrackingKey();
      const what = { action: 'create', entity: 'tracking_key', id: String(id) };
      await audit(deps, db, request, what);
      return { id };
    },
  );
}

async function kindOf(deps: Deps, id: string): Promise<'advertiser' | 'publisher'> {
  const kind = isUuid(id) ? await findAccountKind(deps.db, id) : null;
  if (kind === null) throw new AppError('not_found');
  return kind;
}

function peopleRoutes(app: FastifyInstance, deps: Deps): void {
  personChangeRoutes(app, deps);
  personRescueRoutes(app, deps);
}

function personChangeRoutes(app: FastifyInstance, deps: Deps): void {
  const { db, clock } = deps;
  const shared = operatorRoute(deps);

  app.get<{ Querystring: { search: string; limit: number } }>(
    '/operator/people',
    shared('Everybody who can sign in, newest first', {
      querystring: Type.Object({
        search: Type.String({ default: '', maxLength: 200 }),
        limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
      }),
    }),
    async (request) => {
      const { search, limit } = request.query;
      return {
        people: (await listPeople(db, { search: cleanEmail(search), limit })).map(showMember),
      };
    },
  );

  app.patch<{ Params: { id: string }; Body: PersonChange }>(
    '/operator/people/:id',
    shared('Let somebody in or not, and change their role', { body: PersonChange }),
    async (request) => {
      const { id } = request.params;
      const { disabled, team_role: teamRole } = request.body;
      const after = await db.transaction(async (tx) => {
        const before = await member(tx, id);
        const leaves = disabled === true || (teamRole !== undefined && teamRole !== 'owner');
        if (leaves) await keepAnOwner(tx, before.accountId, id);
        if (disabled !== undefined) await setDisabled(tx, id, disabled ? new Date(clock()) : null);
        if (disabled === true) await deps.sessions.revokeAll(tx, id);
        if (leaves) await endLinksOf(tx, before, new Date(clock()));
        if (teamRole !== undefined) await setTeamRole(tx, id, teamRole);
        const now = await member(tx, id);
        await audit(deps, tx, request, {
          action: 'update',
          entity: 'person',
          id,
          accountId: before.accountId,
          before: showMember(before),
          after: showMember(now),
        });
        return now;
      });
      return showMember(after);
    },
  );
}

function personRescueRoutes(app: FastifyInstance, deps: Deps): void {
  const { db } = deps;
  const shared = operatorRoute(deps);

  app.post<{ Params: { id: string } }>(
    '/operator/people/:id/reset',
    shared('Send somebody a link for a new password'),
    async (request) => {
      const { id } = request.params;
      return db.transaction(async (tx) => {
        const { email, accountId, isDisabled } = await member(tx, id);
        if (isDisabled) throw new AppError('conflict');
        const { actor } = callerOf(request);
        const createdBy = `${actor.kind} ${actor.id}`;
        const wanted = { purpose: 'reset', email, personId: id, createdBy } as const;
        const { url } = await mailLink(deps, tx, wanted, {
          subject: 'A new password for Sidelight',
          text: 'Choose a new password for your Sidelight account:',
        });
        await audit(deps, tx, request, { action: 'send_reset', entity: 'person', id, accountId });
        return { email, link: deps.mailer.sends ? null : url };
      });
    },
  );

  app.post<{ Params: { id: string } }>(
    '/operator/people/:id/second-factor/remove',
    shared('Let somebody who lost everything in by password alone', { response: nothing }),
    async (request, reply) => {
      const { id } = request.params;
      await db.transaction(async (tx) => {
        const { accountId } = await member(tx, id);
        if (!(await removeTotp(tx, id))) throw new AppError('conflict');
        await deps.sessions.revokeAll(tx, id);
        const action = 'remove_second_factor';
        await audit(deps, tx, request, { action, entity: 'person', id, accountId });
      });
      return reply.code(204).send();
    },
  );
}

async function member(tx: Db, id: string): Promise<Member> {
  const found = isUuid(id) ? await findMember(tx, id) : null;
  if (found === null || found.email.startsWith('removed:')) throw new AppError('not_found');
  return found;
}

const operatorRoute =
  (deps: Deps) =>
  (summary: string, schema: Record<string, unknown> = {}) => ({
    onRequest: deps.guards.operator,
    config: { permission: 'team' as const },
    schema: {
      tags: ['operator'],
      summary,
      security: [{ session: [] }],
      response: { 200: openAnswer },
      ...schema,
    },
  });

function audit(
  deps: Deps,
  tx: Db,
  request: FastifyRequest,
  what: {
    action: string;
    entity: string;
    id: string;
    accountId?: string | null;
    before?: unknown;
    after?: unknown;
  },
): Promise<void> {
  return recordAudit(tx, deps.mintId, deps.clock(), {
    actor: callerOf(request).actor,
    accountId: what.accountId ?? (what.entity === 'api_key' ? what.id : null),
    action: what.action,
    entity: what.entity,
    entityId: what.id,
    before: what.before ?? null,
    after: what.after ?? null,
  });
}

function showMember(one: Member): Record<string, unknown> {
  return {
    id: one.id,
    email: one.email,
    role: one.role,
    team_role: one.teamRole,
    account_id: one.accountId,
    account_name: one.account,
    second_factor: one.hasSecondFactor,
    is_disabled: one.isDisabled,
    last_seen_at: one.lastSeenAt === null ? null : formatTimestamp(one.lastSeenAt.getTime()),
  };
}

function readWish(body: NewAccount): AccountWish {
  const name = clean(body.name ?? '');
  if (body.kind !== 'operator' && name === '')
    throw fieldError(['body', 'name'], 'A name is needed', 'missing');
  const url = clean(body.url ?? '');
  if (url !== '' && !isWebAddress(url))
    throw fieldError(['body', 'url'], 'Must be an http:// or https:// address');
  return {
    kind: body.kind,
    email: readEmail(body.email),
    name,
    url,
    timeZone: body.time_zone ?? 'UTC',
    billingEnabled: body.billing_enabled ?? false,
    approved: body.approved ?? false,
    teamRole: body.team_role ?? 'owner',
  };
}
