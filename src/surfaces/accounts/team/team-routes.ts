import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formatTimestamp } from '../../../domain/time/format-timestamp.js';
import { isUuid } from '../../../domain/uuid.js';
import { recordAudit } from '../../../platform/audit.js';
import type { Db } from '../../../platform/db/db.js';
import { AppError } from '../../../platform/errors.js';
import { accountOf, sessionOf } from '../account-of.js';
import { accountName, endLink, endLinksOf, listInvitations } from '../links/link-queries.js';
import { limitMailTo, type LinkRouteDeps, readEmail } from '../links/link-routes.js';
import { Invitation, Invited, RoleChange, Team } from '../links/link-schema.js';
import { mailLink } from '../links/make-link.js';
import { findMember, listTeam, lockOwners, removePerson, setTeamRole } from './team-queries.js';
import { nothing } from '../../../platform/http/plain-answers.js';

const hourMs = 3_600_000;

/** Who else works in this account, with which rights. */
export function teamRoutes(app: FastifyInstance, deps: LinkRouteDeps): void {
  invitationRoutes(app, deps);
  memberRoutes(app, deps);
}

function invitationRoutes(app: FastifyInstance, deps: LinkRouteDeps): void {
  const { db, clock } = deps;
  const shared = teamRoute(deps);

  teamListRoute(app, deps);

  app.post<{ Body: Invitation }>(
    '/session/team/invitations',
    shared('Invite somebody into the account', { body: Invitation, response: { 201: Invited } }),
    async (request, reply) => {
      if (deps.signUp === 'off') throw new AppError('sign_up_closed');
      const { kind: role, id: accountId } = accountOf(request);
      const email = readEmail(request.body.email);
      const { team_role: teamRole } = request.body;
      await deps.rateLimit.take(`invite:${accountId}`, 30, hourMs);
      if ((await listTeam(db, accountId)).some((one) => one.email === email))
        throw new AppError('already_exists');
      await limitMailTo(deps.rateLimit, email);
      const { id, url } = await db.transaction(async (tx) => {
        const createdBy = sessionOf(request).email;
        const wanted = { email, role, accountId, teamRole, createdBy };
        const made = await mailLink(
          deps,
          tx,
          { ...wanted, purpose: 'invitation' },
          {
            subject: 'You are invited to Sidelight',
            text: `${createdBy} invites you to work on "${(await accountName(tx, accountId)) ?? ''}" as ${teamRole}. Choose a password:`,
          },
        );
        await audit(deps, tx, request, 'invite', made.id, null, { email, team_role: teamRole });
        return made;
      });
      return reply.code(201).send({ id, email, link: deps.mailer.sends ? null : url });
    },
  );

  app.delete<{ Params: { id: string } }>(
    '/session/team/invitations/:id',
    shared('Take an invitation back', { response: nothing }),
    async (request, reply) => {
      const { id } = request.params;
      await db.transaction(async (tx) => {
        const ended = isUuid(id)
          ? await endLink(tx, accountOf(request).id, id, new Date(clock()))
          : null;
        if (ended === null) throw new AppError('not_found');
        await audit(deps, tx, request, 'take_back_invitation', id, { email: ended.email }, null);
      });
      return reply.code(204).send();
    },
  );
}

function teamListRoute(app: FastifyInstance, deps: LinkRouteDeps): void {
  const { db, clock } = deps;
  const shared = teamRoute(deps);

  app.get(
    '/session/team',
    shared('People of the account', { response: { 200: Team } }),
    async (request) => {
      const { id } = accountOf(request);
      const { personId, teamRole } = sessionOf(request);
      const [people, invitations] = [
        await listTeam(db, id),
        await listInvitations(db, id, new Date(clock())),
      ];
      return {
        people: people.map((one) => ({
          id: one.id,
          email: one.email,
          team_role: one.teamRole,
          second_factor: one.hasSecondFactor,
          last_seen_at: one.lastSeenAt === null ? null : formatTimestamp(one.lastSeenAt.getTime()),
          is_you: one.id === personId,
        })),
        invitations: invitations.map((one) => ({
          id: one.id,
          email: one.email,
          team_role: one.teamRole,
          expires_at: formatTimestamp(one.expiresAt.getTime()),
        })),
        may_invite: teamRole === 'owner' && deps.signUp !== 'off',
      };
    },
  );
}

function memberRoutes(app: FastifyInstance, deps: LinkRouteDeps): void {
  const { clock, db } = deps;
  const shared = teamRoute(deps);

  app.patch<{ Params: { id: string }; Body: RoleChange }>(
    '/session/team/:id',
    shared('Change what somebody may do', {
      body: RoleChange,
      response: { 200: Type.Object({ id: Type.String(), team_role: Type.String() }) },
    }),
    async (request) => {
      const { id } = request.params;
      const { team_role: teamRole } = request.body;
      await db.transaction(async (tx) => {
        const member = await ownMember(tx, request, id);
        await keepAnOwner(tx, member.accountId, teamRole === 'owner' ? null : id);
        await setTeamRole(tx, id, teamRole);
        if (teamRole !== 'owner') await endLinksOf(tx, member, new Date(clock()));
        const before = { email: member.email, team_role: member.teamRole };
        await audit(deps, tx, request, 'change_role', id, before, { team_role: teamRole });
      });
      return { id, team_role: teamRole };
    },
  );

  app.delete<{ Params: { id: string } }>(
    '/session/team/:id',
    shared('Take somebody out of the account', { response: nothing }),
    async (request, reply) => {
      const { id } = request.params;
      await db.transaction(async (tx) => {
        const member = await ownMember(tx, request, id);
        await keepAnOwner(tx, member.accountId, id);
        await removePerson(tx, id, new Date(clock()));
        await deps.sessions.revokeAll(tx, id);
        await endLinksOf(tx, member, new Date(clock()));
        const before = { email: member.email, team_role: member.teamRole };
        await audit(deps, tx, request, 'remove', id, before, null);
      });
      return reply.code(204).send();
    },
  );
}

const teamRoute =
  (deps: LinkRouteDeps) =>
  (summary: string, schema: Record<string, unknown> = {}) => ({
    onRequest: deps.guards.person,
    config: { permission: 'team' as const },
    schema: { tags: ['session'], summary, ...schema },
  });

function audit(
  deps: LinkRouteDeps,
  tx: Db,
  request: FastifyRequest,
  action: string,
  entityId: string,
  before: unknown,
  after: unknown,
): Promise<void> {
  return recordAudit(tx, deps.mintId, deps.clock(), {
    actor: { kind: 'person', id: sessionOf(request).personId },
    accountId: accountOf(request).id,
    action,
    entity: 'team',
    entityId,
    before,
    after,
  });
}

async function ownMember(tx: Db, request: FastifyRequest, id: string) {
  const member = isUuid(id) ? await findMember(tx, id) : null;
  if (member === null || member.isDisabled || member.accountId !== accountOf(request).id)
    throw new AppError('not_found');
  return member;
}

/** An account that nobody owns could never be managed again. */
export async function keepAnOwner(
  tx: Db,
  accountId: string | null,
  leaving: string | null,
): Promise<void> {
  const owners = await lockOwners(tx, accountId);
  if (leaving !== null && owners.every((id) => id === leaving)) throw new AppError('conflict');
}
