import type { AdFeedback, LeadSubmission } from '../ad.js';
import type { AdRequest, SidelightClient } from './create-client.js';
import { readNodeBody, type NodeRequest, type NodeResponse } from '../http/node-http.js';
import type { AnyRequest } from '../http/read-request.js';

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
      /** What the user chose, from the consent banner of your page. */
      regs?: AdRequest['regs'];
    }
  | ({ kind: 'feedback' } & AdFeedback)
  | ({ kind: 'lead' } & LeadSubmission);

export interface AdEndpointOptions {
  /**
   * Adds what only your backend knows: the signed-in user, topics to leave out. Return null to
   * refuse. Without it nobody is named: what the browser says about its user is not passed on.
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
      return { status: 200, body: await client.getAds({ ...asked(post), ...more, request }) };
    const outcome =
      post.kind === 'feedback'
        ? await client.sendFeedback({ ...said(post), ...identity(more) })
        : await client.submitLead({ ...said(post), ...identity(more) });
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

/** What a browser may say about an ad request. Who is asking is for `authorize` to say. */
function asked(post: BrowserPost & { kind: 'ads' }): AdRequest {
  const { messages, sessionId, placements, regs } = post;
  return {
    messages,
    sessionId,
    ...(placements === undefined ? {} : { placements }),
    ...(typeof regs === 'object' && regs !== null ? { regs } : {}),
  };
}

/** The post without what names a person or a device: anyone can write another's. */
function said<T extends { kind: string; userId?: unknown; device?: unknown }>(
  post: T,
): Omit<T, 'kind' | 'userId' | 'device'> {
  const { kind: _kind, userId: _userId, device: _device, ...rest } = post;
  return rest;
}

function identity({ user }: Partial<AdRequest>): { userId?: string } {
  const id = user?.id;
  return typeof id === 'string' ? { userId: id } : {};
}
