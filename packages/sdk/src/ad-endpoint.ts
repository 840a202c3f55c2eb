import type { AdFeedback, LeadSubmission } from './ad.js';
import type { AdRequest, SidelightClient } from './create-client.js';
import { readNodeBody, type NodeRequest, type NodeResponse } from './node-http.js';
import type { AnyRequest } from './read-request.js';

/**
 * What the browser may ask of your backend: ads, or passing on feedback and leads. The key stays on
 * the server.
 */
export type BrowserPost =
  | {
      kind: 'ads';
      messages: AdRequest['messages'];
      sessionId: string;
      placements?: AdRequest['placements'];
    }
  | ({ kind: 'feedback' } & AdFeedback)
  | ({ kind: 'lead' } & LeadSubmission);

export interface AdEndpointOptions {
  /**
   * Adds what only your backend knows: the signed-in user, topics to leave out. Return null to
   * refuse.
   */
  authorize?: (
    post: BrowserPost,
    request: AnyRequest,
  ) => Promise<Partial<AdRequest> | null> | Partial<AdRequest> | null;
}

export interface AdEndpoint {
  /** For Next route handlers, Hono, Workers, Deno and Bun. */
  handle(request: Request): Promise<Response>;
  /** For node:http, Express and Fastify (`request.raw`, `reply.raw`). */
  middleware(request: NodeRequest, response: NodeResponse): Promise<void>;
}

interface Answer {
  status: number;
  body: unknown;
}

/**
 * One route of yours that the browser entry and the React package talk to.
 *
 * @example
 * // app/api/sidelight/route.ts
 * export const POST = createAdEndpoint(sidelight).handle;
 */
export function createAdEndpoint(
  client: SidelightClient,
  options: AdEndpointOptions = {},
): AdEndpoint {
  async function answer(given: unknown, request: AnyRequest): Promise<Answer> {
    const post = readPost(given);
    if (post === null) return { status: 422, body: { detail: 'invalid_request' } };
    const more = options.authorize === undefined ? {} : await options.authorize(post, request);
    if (more === null) return { status: 403, body: { detail: 'forbidden' } };
    if (post.kind === 'ads')
      return { status: 200, body: await client.getAds({ ...fields(post), ...more, request }) };
    const outcome =
      post.kind === 'feedback'
        ? await client.sendFeedback(fields(post))
        : await client.submitLead(fields(post));
    return outcome.ok
      ? { status: 200, body: outcome.data }
      : { status: outcome.status ?? 503, body: { detail: outcome.reason } };
  }

  return {
    async handle(request) {
      const { status, body } = await answer(await request.json().catch(() => null), request);
      return new Response(JSON.stringify(body), {
        status,
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
      });
    },
    async middleware(request, response) {
      const { status, body } = await answer(await readNodeBody(request), request);
      response.statusCode = status;
      response.setHeader('content-type', 'application/json');
      response.setHeader('cache-control', 'no-store');
      response.end(JSON.stringify(body));
    },
  };
}

function readPost(given: unknown): BrowserPost | null {
  if (typeof given !== 'object' || given === null || !('kind' in given)) return null;
  const post = given as BrowserPost; // each kind's needs are checked right below
  if (typeof post.sessionId !== 'string') return null;
  if (post.kind === 'ads') return Array.isArray(post.messages) ? post : null;
  return (post.kind === 'feedback' || post.kind === 'lead') && typeof post.impUrl === 'string'
    ? post
    : null;
}

function fields<T extends { kind: string }>(post: T): Omit<T, 'kind'> {
  const { kind: _kind, ...rest } = post;
  return rest;
}
