import { isTooDeep } from '../../domain/text/json-depth.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf, type Guards } from '../../platform/auth/guards.js';
import { createCallRoute } from './call-route.js';
import { createMcpServer } from './create-mcp-server.js';
import { namedParameters, readMessages, rpcFailure } from './json-rpc.js';
import type { SchemasOf } from './tools.js';
import { Type } from '@sinclair/typebox';
import { openAnswer } from '../../platform/http/plain-answers.js';

export interface McpDeps {
  guards: Guards;
  /** From `collectRouteSchemas`. */
  schemasOf: SchemasOf;
  /** Public address of this server; pages of other origins are refused. */
  platformUrl: () => string;
}

const maxBatch = 20;
/** From this protocol version on a message is never an array. */
const withoutBatches = '2025-06-18';

/**
 * Reports and search as MCP tools: stateless, one JSON answer per POST, no handshake needed. Owns
 * no table.
 */
export function mcpRoutes(app: FastifyInstance, deps: McpDeps): void {
  app.register(async (scope) => {
    // JSON-RPC has its own words for text that is not JSON, so the body comes as text.
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'string' }, (_request, body, done) =>
      done(null, body),
    );
    scope.post(
      '/mcp',
      {
        onRequest: deps.guards.mcp,
        schema: {
          tags: ['mcp'],
          summary: 'Model Context Protocol: JSON-RPC 2.0, tools by kind of key',
          security: [{ apiKey: [] }, { bearer: [] }],
          // Failures of a message are JSON-RPC too.
          response: {
            200: Type.Unsafe<unknown>({ type: ['object', 'array'], items: openAnswer }),
            202: Type.Null({ description: 'Heard; nothing to answer' }),
            400: openAnswer,
          },
        },
      },
      async (request, reply) => {
        if (!isOwnOrigin(request.headers.origin, deps.platformUrl()))
          return refuse(reply, 403, -32000, 'Origin not allowed');
        const message = parse(request.body);
        if (message === undefined) return refuse(reply, 400, -32700, 'Parse error');
        if (
          Array.isArray(message) &&
          String(request.headers['mcp-protocol-version'] ?? '') >= withoutBatches
        )
          return refuse(reply, 400, -32600, 'This protocol version has no batches');
        if (Array.isArray(message) && (message.length === 0 || message.length > maxBatch))
          return refuse(reply, 400, -32600, `A batch holds 1 to ${maxBatch} messages`);
        return answer(app, deps, request, reply, message);
      },
    );
  });
}

async function answer(
  app: FastifyInstance,
  deps: McpDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  message: unknown,
): Promise<FastifyReply> {
  const kind = callerOf(request).publisher === undefined ? 'advertiser' : 'publisher';
  const server = createMcpServer(
    { kind, call: createCallRoute(app, keyOf(request)) },
    deps.schemasOf,
  );
  const transport = new WebStandardStreamableHTTPServerTransport({ enableJsonResponse: true });
  const { messages, failures } = readMessages([message].flat());
  // A batch is answered by an array, also when one message of it has an answer.
  const isBatch = Array.isArray(message);
  const send = (status: number, answers: readonly unknown[]): FastifyReply =>
    reply
      .code(status)
      .type('application/json')
      .send(JSON.stringify(isBatch ? answers : answers[0]));
  if (messages.length === 0) return send(400, failures);
  try {
    await server.connect(transport);
    const response = await transport.handleRequest(webRequest(request), {
      parsedBody: isBatch ? messages : messages[0],
    });
    const text = await response.text();
    if (text === '' && failures.length === 0) return await reply.code(response.status).send();
    const answers = text === '' ? [] : [JSON.parse(text) as unknown].flat().map(namedParameters);
    return await send(text === '' ? 200 : response.status, [...answers, ...failures]);
  } finally {
    await server.close();
  }
}

/**
 * The transport insists on a client that accepts event streams too and names what it sends; we
 * only ever answer JSON, so plain clients are welcome.
 */
function webRequest(request: FastifyRequest): Request {
  const headers = new Headers({
    accept: 'application/json, text/event-stream',
    'content-type': isJson(request.headers['content-type']) ? 'application/json' : 'other',
  });
  const version = request.headers['mcp-protocol-version'];
  if (typeof version === 'string') headers.set('mcp-protocol-version', version);
  return new Request('http://localhost/mcp', { method: 'POST', headers });
}

function isJson(type: string | undefined): boolean {
  return type === undefined || /^(?:application\/json|text\/plain)\s*(?:;|$)/i.test(type);
}

/** The guard has accepted one of the two. */
function keyOf(request: FastifyRequest): string {
  const header = request.headers['x-api-key'];
  return typeof header === 'string' && header !== ''
    ? header
    : (/^bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1] ?? '');
}

/** Browsers name the page that calls. Other programs send no origin. */
function isOwnOrigin(origin: string | undefined, platformUrl: string): boolean {
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { hostname } = new URL(origin);
  return (
    ['localhost', '127.0.0.1', '[::1]'].includes(hostname) ||
    (URL.canParse(platformUrl) && new URL(platformUrl).hostname === hostname)
  );
}

function parse(body: unknown): unknown {
  try {
    return typeof body === 'string' && !isTooDeep(body) ? JSON.parse(body) : undefined;
  } catch {
    return undefined;
  }
}

function refuse(reply: FastifyReply, status: number, code: number, message: string): FastifyReply {
  return reply.code(status).type('application/json').send(rpcFailure(code, message));
}
