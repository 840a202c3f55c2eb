import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ChoiceToken, openChoices } from '../../domain/choice-token.js';
import { languageOf, wordsOf } from '../../domain/disclosure/disclosure.js';
import { isUuid, uuidTime } from '../../domain/uuid.js';
import type { Clock } from '../../platform/clock.js';
import { AppError, fieldError } from '../../platform/errors.js';
import { type Choices, makeChoice, undoChoice } from '../../platform/privacy/choices.js';
import type { RateLimit } from '../../platform/rate-limit.js';
import type { TrackingKeys } from '../../platform/secrets/tracking-keys.js';
import { findServed } from './queries.js';
import { choicesStyles, renderChoices, renderGone } from './render-choices.js';
import {
  type Action,
  actions,
  ChoicesQuery,
  ChoicesView,
  KeptCopy,
  TokenParams,
} from './schema.js';
import { type ShowDeps, showChoices, valueOf } from './show-choices.js';

export interface AdChoicesDeps extends ShowDeps {
  clock: Clock;
  trackingKeys: Pick<TrackingKeys, 'find'>;
  choices: Pick<Choices, 'refresh'>;
  rateLimit: Pick<RateLimit, 'take'>;
  /** Shows or erases whatever is stored about a person, as every other request for that does. */
  answerPerson: (kind: 'access' | 'erase', person: ChoiceToken) => Promise<PersonReceipt>;
}

interface PersonReceipt {
  row: { id: string; at: Date; found: Readonly<Record<string, number>> };
  data: Record<string, unknown> | null;
}

/** Of one link: reading or erasing everything of somebody is work. */
const requestsAnHour = 6;
const hourMs = 3_600_000;
/** A link that was passed on or found later shows no copy of what somebody did. */
const copyMs = 86_400_000;

const policy =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

type Asked = FastifyRequest<{ Params: TokenParams; Querystring: ChoicesQuery }>;

/**
 * What somebody who saw an ad can decide, with no account: the signed link in the ad is the only
 * credential, and reaches nobody but the user or session that ad was shown to. Looking changes
 * nothing; only a POST does.
 */
export function adChoicesRoutes(app: FastifyInstance, deps: AdChoicesDeps): void {
  app.get('/ad-choices/style.css', { schema: { hide: true } }, (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/css; charset=utf-8')
      .send(choicesStyles),
  );

  app.get<{ Params: TokenParams; Querystring: ChoicesQuery }>(
    '/ad-choices/:token',
    {
      ...choiceRoute,
      schema: { ...choiceRoute.schema, summary: 'Why this ad, and what can be decided' },
    },
    (request, reply) => answer(deps, request, reply, tokenOf(deps, request)),
  );
  app.post<{ Params: TokenParams; Querystring: ChoicesQuery }>(
    '/ad-choices/:token',
    {
      ...choiceRoute,
      schema: { ...choiceRoute.schema, summary: 'Decide, or take a decision back' },
    },
    async (request, reply) => {
      const token = tokenOf(deps, request);
      const { action, undo = false, l } = request.query;
      if (action === undefined)
        throw fieldError(
          ['query', 'action'],
          `Field required: ${[...actions, 'delete'].join(', ')}`,
          'missing',
        );
      const receipt =
        action === 'delete' ? await forget(deps, token) : await decide(deps, token, action, undo);
      if (!wantsHtml(request)) return answer(deps, request, reply, token, receipt);
      const done = receipt === null ? 'done=saved' : `done=deleted&receipt=${receipt.row.id}`;
      const language = languageOf(deps.disclosure, [l]);
      return reply.redirect(`/ad-choices/${request.params.token}?l=${language}&${done}`, 303);
    },
  );
  app.get<{ Params: TokenParams; Querystring: ChoicesQuery }>(
    '/ad-choices/:token/copy',
    {
      ...choiceRoute,
      schema: {
        ...choiceRoute.schema,
        summary: 'A copy of what is kept of the person the ad was shown to',
        response: { 200: KeptCopy },
      },
    },
    async (request, reply) => {
      const token = tokenOf(deps, request);
      if (!mayCopy(deps, token)) throw new AppError('not_found');
      const { row, data } = await ask(deps, token, 'access');
      return reply
        .header('content-disposition', 'attachment; filename="kept.json"')
        .send({ receipt_id: row.id, at: row.at.toISOString(), data: data ?? {} });
    },
  );
}

const choiceRoute = {
  config: { quiet: true, validationStatus: 400 as const },
  onRequest: openToPages,
  schema: {
    tags: ['ad choices'],
    params: TokenParams,
    querystring: ChoicesQuery,
    response: { 200: ChoicesView },
  },
};

const tokenOf = (deps: AdChoicesDeps, request: Asked): ChoiceToken => {
  const token = openChoices(request.params.token, deps.trackingKeys.find);
  if (token === null) throw new AppError('invalid_token');
  return token;
};

async function answer(
  deps: AdChoicesDeps,
  request: Asked,
  reply: FastifyReply,
  token: ChoiceToken,
  receipt: PersonReceipt | null = null,
): Promise<FastifyReply> {
  const shown = await showChoices(deps, token, request.query.l);
  if (!wantsHtml(request)) {
    if (shown === null) throw new AppError('not_found');
    const { id = '', found = {} } = receipt?.row ?? {};
    const more = receipt === null ? {} : { receipt: { receipt_id: id, found: { ...found } } };
    return reply.send({ ...shown.view, ...more });
  }
  const language = languageOf(deps.disclosure, [request.query.l]);
  const html =
    shown === null
      ? renderGone(language, wordsOf(deps.disclosure, language))
      : renderChoices(shown.view, shown.words, {
          done: request.query.done ?? null,
          receipt: isUuid(request.query.receipt ?? '') ? (request.query.receipt ?? null) : null,
          copy: mayCopy(deps, token) ? `/ad-choices/${request.params.token}/copy` : null,
        });
  return reply
    .code(shown === null ? 410 : 200)
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .type('text/html; charset=utf-8')
    .serializer(String)
    .send(html);
}

async function forget(deps: AdChoicesDeps, token: ChoiceToken): Promise<PersonReceipt> {
  if ((await findServed(deps.db, token.serveId, token.publisherId)) === null)
    throw new AppError('not_found');
  return ask(deps, token, 'erase');
}

async function decide(
  deps: AdChoicesDeps,
  token: ChoiceToken,
  action: Action,
  isUndone: boolean,
): Promise<null> {
  const { publisherId, subject, scope } = token;
  const served = await findServed(deps.db, token.serveId, publisherId);
  if (served === null) throw new AppError('not_found');
  const value = valueOf(action, served);
  if (action === 'hide_topic' && value === '') throw new AppError('not_found');
  const made = { publisherId, subject, scope, choice: action, value };
  await deps.db.transaction((tx) =>
    isUndone ? undoChoice(tx, made) : makeChoice(tx, made, new Date(deps.clock())),
  );
  // Other nodes hear of it; this one knows before it answers.
  await deps.choices.refresh(publisherId, subject);
  return null;
}

async function ask(
  deps: AdChoicesDeps,
  token: ChoiceToken,
  kind: 'access' | 'erase',
): Promise<PersonReceipt> {
  await deps.rateLimit.take(`choices ${token.serveId}`, requestsAnHour, hourMs);
  // A publisher can make as many users as it likes.
  await deps.rateLimit.take(`forget:${token.publisherId}`, 600, hourMs);
  return deps.answerPerson(kind, token);
}

function mayCopy(deps: AdChoicesDeps, { serveId }: ChoiceToken): boolean {
  return deps.clock() - uuidTime(serveId) < copyMs;
}

/**
 * The SDK asks from any page; a link to somebody's choices is in nobody's cache or log of links.
 */
async function openToPages(_request: FastifyRequest, reply: FastifyReply): Promise<void> {
  void reply
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header('x-robots-tag', 'noindex')
    .header('access-control-allow-origin', '*')
    .header('vary', 'accept');
}

function wantsHtml({ headers }: FastifyRequest): boolean {
  return String(headers.accept ?? '').includes('text/html');
}
