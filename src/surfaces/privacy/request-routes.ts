import { Type } from '@sinclair/typebox';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { isUuid } from '../../domain/uuid.js';
import { advertiserOf, callerOf, type Guards, publisherOf } from '../../platform/auth/guards.js';
import { AppError, fieldError } from '../../platform/errors.js';
import { makeChoice, undoChoice } from '../../platform/privacy/choices.js';
import type { RateLimit } from '../../platform/rate-limit.js';
import { storableName } from '../../domain/text/storable-name.js';
import {
  type Asker,
  answerRequest,
  listOf,
  type Receipt,
  type RequestDeps,
} from './answer-request.js';
import { listRequests, type PrivacyRequestRow } from './person-queries.js';
import { readIdentities } from './read-identities.js';
import { PrivacyReceipt, PrivacyReceipts, PrivacyRequest, UserChoice } from './schema.js';

const mostAnHour = 120;
const hourMs = 3_600_000;

type RequestRouteDeps = RequestDeps & { guards: Guards; rateLimit: Pick<RateLimit, 'take'> };

/**
 * Seeing and erasing what is kept of somebody, by any name they go by, while the server runs: a
 * publisher asks for its users, an advertiser for its customers, an operator for everybody. Owns
 * privacy_requests.
 */
export function privacyRequestRoutes(app: FastifyInstance, deps: RequestRouteDeps): void {
  for (const { path, tag, guard, askerOf } of doorsFor(deps.guards)) {
    app.post<{ Body: PrivacyRequest }>(
      path,
      {
        onRequest: guard,
        schema: {
          tags: [tag],
          summary: 'See or erase what is kept of somebody',
          security: [{ apiKey: [] }],
          body: PrivacyRequest,
          response: { 200: PrivacyReceipt },
        },
      },
      async (request) => {
        const asker = askerOf(request);
        check(request.body, asker);
        // Each looks through all that is kept; several people fit into one request.
        if (asker.id !== null) await deps.rateLimit.take(`privacy:${asker.id}`, mostAnHour, hourMs);
        return receiptOf(await answerRequest(deps, asker, request.body));
      },
    );
    app.get(
      path,
      {
        onRequest: guard,
        schema: {
          tags: [tag],
          summary: 'Receipts of such requests, newest first',
          security: [{ apiKey: [] }],
          response: { 200: PrivacyReceipts },
        },
      },
      async (request) => ({
        requests: (await listRequests(deps.db, askerOf(request).id, 200)).map(rowView),
      }),
    );
  }

  choiceRoute(app, deps);
}

/** Who may ask where, and in whose name. */
function doorsFor(guards: Guards): {
  path: string;
  tag: string;
  guard: Guards['operator'];
  askerOf: AskerOf;
}[] {
  return [
    {
      path: '/operator/privacy-requests',
      tag: 'operator',
      guard: guards.operator,
      askerOf: (request) => ({ kind: 'operator', id: null, actor: actorOf(request) }),
    },
    {
      path: '/publisher-dashboard/privacy-requests',
      tag: 'publisher reports',
      guard: guards.publisherDashboard,
      askerOf: (request) => ({
        kind: 'publisher',
        id: publisherOf(request).id,
        actor: actorOf(request),
      }),
    },
    {
      path: '/advertiser-dashboard/privacy-requests',
      tag: 'advertiser reports',
      guard: guards.advertiserDashboard,
      askerOf: (request) => ({
        kind: 'advertiser',
        id: advertiserOf(request).id,
        actor: actorOf(request),
      }),
    },
  ];
}

function choiceRoute(app: FastifyInstance, deps: RequestRouteDeps): void {
  app.post<{ Body: UserChoice }>(
    '/publisher-dashboard/privacy-choices',
    {
      onRequest: deps.guards.publisherDashboard,
      schema: {
        tags: ['publisher reports'],
        summary: 'A user wants, or no longer wants, ads without anything personal',
        security: [{ apiKey: [] }],
        body: UserChoice,
        response: { 200: Type.Object({ status: Type.Literal('ok') }) },
      },
    },
    async (request) => {
      const { id: publisherId } = publisherOf(request);
      const { user_id: user, session_id: session, personalisation } = request.body;
      const { pseudonyms } = deps;
      const subjects = [
        ...listOf(user).map((name) => ({
          scope: 'user' as const,
          subject: pseudonyms.user(publisherId, storableName(name, 200)),
        })),
        ...listOf(session).map((name) => ({
          scope: 'session' as const,
          subject: pseudonyms.session(publisherId, storableName(name, 200)),
        })),
      ];
      if (subjects.length === 0)
        throw fieldError(['body', 'user_id'], 'user_id or session_id is needed', 'missing');
      await deps.db.transaction(async (tx) => {
        for (const of of subjects) {
          const made = { publisherId, ...of, choice: 'no_personalisation', value: '' } as const;
          if (personalisation) await undoChoice(tx, made);
          else await makeChoice(tx, made, new Date(deps.clock()));
        }
      });
      for (const { subject } of subjects) await deps.choices.take({ publisherId, subject });
      return { status: 'ok' as const };
    },
  );
}

type AskerOf = (request: FastifyRequest) => Asker;

function actorOf(request: FastifyRequest): string {
  const { actor } = callerOf(request);
  return `${actor.kind} ${actor.id}`;
}

function check(body: PrivacyRequest, asker: Asker): void {
  for (const name of ['publisher_id', 'advertiser_id'] as const)
    if (body[name] != null && (asker.kind !== 'operator' || !isUuid(body[name])))
      throw new AppError('not_found');
  const isNamed =
    readIdentities(body).keys.length > 0 ||
    (asker.kind !== 'advertiser' &&
      listOf(body.user_id).length + listOf(body.session_id).length > 0);
  if (!isNamed) throw fieldError(['body'], 'Nobody is named', 'missing');
}

function rowView(row: PrivacyRequestRow) {
  return {
    receipt_id: row.id,
    kind: row.kind,
    at: formatTimestamp(row.at.getTime()),
    asked_by: row.askedBy,
    account_id: row.accountId,
    subject: row.subjectHash,
    found: { ...row.found },
  };
}

function receiptOf({ row, data }: Receipt) {
  return { ...rowView(row), ...(data === null ? {} : { data }) };
}
