import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type ChoiceToken, openChoices } from '../../domain/choice-token.js';
import { languageOf, wordsOf } from '../../domain/disclosure/disclosure.js';
import type { Clock } from '../../platform/clock.js';
import { AppError } from '../../platform/errors.js';
import { type Choices, makeChoice, undoChoice } from '../../platform/privacy/choices.js';
import type { RateLimit } from '../../platform/rate-limit.js';
import type { TrackingKeys } from '../../platform/secrets/tracking-keys.js';
import { findServed } from './queries.js';
import { choicesStyles, renderChoices, renderGone } from './render-choices.js';
import { type Action, ChoicesQuery, ChoicesView, TokenParams } from './schema.js';
import { type ShowDeps, showChoices, valueOf } from './show-choices.js';

export interface AdChoicesDeps extends ShowDeps {
  clock: Clock;
  trackingKeys: Pick<TrackingKeys, 'find'>;
  choices: Pick<Choices, 'refresh'>;
  rateLimit: Pick<RateLimit, 'take'>;
  /** Forgets whatever is stored about a user of a publisher. */
  forget: (publisherId: string, userId: string) => Promise<unknown>;
}

const policy =
  "default-src 'none'; style-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

type Asked = FastifyRequest<{ Params: TokenParams; Querystring: ChoicesQuery }>;

/**
 * What somebody who saw an ad can decide, with no account: the signed link in the ad is the only
 * credential, and reaches nobody but the user or session that ad was shown to. Looking changes
 * nothing; only a POST does.
 */
export function adChoicesRoutes(app: FastifyInstance, deps: AdChoicesDeps): void {
  const tokenOf = (request: Asked): ChoiceToken => {
    const token = openChoices(request.params.token, deps.trackingKeys.find);
    if (token === null) throw new AppError('invalid_token');
    return token;
  };
  app.get('/ad-choices/style.css', { schema: { hide: true } }, (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/css; charset=utf-8')
      .send(choicesStyles),
  );
  const shared = {
    config: { quiet: true, validationStatus: 400 as const },
    onRequest: openToPages,
    schema: {
      tags: ['ad choices'],
      params: TokenParams,
      querystring: ChoicesQuery,
      response: { 200: ChoicesView },
    },
  };
  app.get<{ Params: TokenParams; Querystring: ChoicesQuery }>(
    '/ad-choices/:token',
    { ...shared, schema: { ...shared.schema, summary: 'Why this ad, and what can be decided' } },
    (request, reply) => answer(request, reply, tokenOf(request)),
  );
  app.post<{ Params: TokenParams; Querystring: ChoicesQuery }>(
    '/ad-choices/:token',
    { ...shared, schema: { ...shared.schema, summary: 'Decide, or take a decision back' } },
    async (request, reply) => {
      const token = tokenOf(request);
      const { action, undo = false, l } = request.query;
      if (action === undefined) throw new AppError('invalid_request');
      await (action === 'delete' ? forget(token) : decide(token, action, undo));
      if (!wantsHtml(request)) return answer(request, reply, token);
      const done = action === 'delete' ? 'deleted' : 'saved';
      const language = languageOf(deps.disclosure, [l]);
      return reply.redirect(`/ad-choices/${request.params.token}?l=${language}&done=${done}`, 303);
    },
  );

  async function decide(token: ChoiceToken, action: Action, isUndone: boolean): Promise<void> {
    const { publisherId, subject } = token;
    const served = await findServed(deps.db, token.serveId, publisherId);
    if (served === null) throw new AppError('not_found');
    const value = valueOf(action, served);
    if (action === 'hide_topic' && value === '') throw new AppError('not_found');
    const made = { publisherId, subject, choice: action, value };
    await deps.db.transaction((tx) =>
      isUndone ? undoChoice(tx, made) : makeChoice(tx, made, new Date(deps.clock())),
    );
    // Other nodes hear of it; this one knows before it answers.
    await deps.choices.refresh(publisherId, subject);
  }

  async function forget({ serveId, publisherId, scope }: ChoiceToken): Promise<void> {
    const served = await findServed(deps.db, serveId, publisherId);
    const userId = served?.userId ?? 'anonymous';
    if (scope !== 'user' || userId === 'anonymous') return;
    // Each looks through all that is kept, and a publisher can make as many users as it likes.
    await deps.rateLimit.take(`forget:${publisherId}`, 600, 3_600_000);
    await deps.forget(publisherId, userId);
  }

  async function answer(
    request: Asked,
    reply: FastifyReply,
    token: ChoiceToken,
  ): Promise<FastifyReply> {
    const shown = await showChoices(deps, token, request.query.l);
    if (!wantsHtml(request)) {
      if (shown === null) throw new AppError('not_found');
      return reply.send(shown.view);
    }
    const language = languageOf(deps.disclosure, [request.query.l]);
    const html =
      shown === null
        ? renderGone(language, wordsOf(deps.disclosure, language))
        : renderChoices(shown.view, shown.words, request.query.done ?? null);
    return reply
      .code(shown === null ? 410 : 200)
      .header('content-security-policy', policy)
      .header('x-content-type-options', 'nosniff')
      .type('text/html; charset=utf-8')
      .serializer(String)
      .send(html);
  }
}

/** The SDK asks from any page; a link to somebody's choices is in nobody's cache or log of links. */
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
