import { isTooDeep } from '../../domain/text/json-depth.js';
import { WebStandardStreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf, type Guards } from '../../platform/auth/guards.js';
import { createCallRoute } from './call-route.js';
import { createMcpServer } from './create-mcp-server.js';
import type { SchemasOf } from './tools.js';

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
  try {
    await server.connect(transport);
    const response = await transport.handleRequest(webRequest(request), { parsedBody: message });
    const text = await response.text();
    void reply.code(response.status);
    if (text === '') return await reply.send();
    // A batch is answered by an array, also when one message of it has an answer.
    const isLone = Array.isArray(message) && response.status === 200 && !text.startsWith('[');
    return await reply.type('application/json').send(isLone ? `[${text}]` : text);
  } finally {
    await server.close();
  }
}

/**
 * The transport insists on a client that accepts event streams too; we only ever answer JSON, so
 * plain clients are welcome.
 */
function webRequest(request: FastifyRequest): Request {
  const headers = new Headers({ accept: 'application/json, text/event-stream' });
  for (const name of ['content-type', 'mcp-protocol-version']) {
    const value = request.headers[name];
    if (typeof value === 'string') headers.set(name, value);
  }
  return new Request('http://localhost/mcp', { method: 'POST', headers });
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
  return reply
    .code(status)
    .type('application/json')
    .send({ jsonrpc: '2.0', error: { code, message }, id: null });
}
