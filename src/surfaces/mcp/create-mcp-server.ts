import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListResourcesRequestSchema,
  ListResourceTemplatesRequestSchema,
  ListToolsRequestSchema,
  ReadResourceRequestSchema,
} from '@modelcontextprotocol/sdk/types.js';
import type { AccountKind } from '../../platform/auth/api-key.js';
import { serverVersion } from '../../platform/version.js';
import type { CallRoute } from './call-route.js';
import { getPrompt, listPrompts } from './prompts.js';
import { listResources, listResourceTemplates, readResource } from './resources.js';
import { callTool, listTools, type SchemasOf } from './tools.js';

const instructions: Record<AccountKind, string> = {
  advertiser:
    'Reports of one advertiser account; only tools that say so change anything. Find campaign ids with advertiser_list_campaigns. Money is in dollars. Days follow tz (UTC unless told); days without activity are left out. Read sidelight://glossary before explaining numbers.',
  publisher:
    'Reports of one publisher account; only tools that say so change anything. And search of the service index. Money is in dollars, revenue_microdollars in millionths. Days follow tz where the tool takes it, UTC otherwise; days without activity are left out. Read sidelight://glossary before explaining numbers.',
};

/** A server for one request: it knows the caller's kind and acts only through the caller's key. */
export function createMcpServer(
  caller: { kind: AccountKind; call: CallRoute },
  schemasOf: SchemasOf,
): Server {
  const { kind, call } = caller;
  const server = new Server(
    { name: 'sidelight', title: 'Sidelight', version: serverVersion },
    { capabilities: { tools: {}, prompts: {}, resources: {} }, instructions: instructions[kind] },
  );
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools: listTools(kind, schemasOf) }));
  server.setRequestHandler(CallToolRequestSchema, ({ params }) =>
    callTool(kind, schemasOf, call, params.name, params.arguments ?? {}),
  );
  server.setRequestHandler(ListPromptsRequestSchema, () => ({ prompts: listPrompts(kind) }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) =>
    getPrompt(kind, call, params.name, params.arguments ?? {}),
  );
  server.setRequestHandler(ListResourcesRequestSchema, () => ({
    resources: listResources(kind, schemasOf),
  }));
  server.setRequestHandler(ListResourceTemplatesRequestSchema, () => ({
    resourceTemplates: listResourceTemplates(kind, schemasOf),
  }));
  server.setRequestHandler(ReadResourceRequestSchema, ({ params }) =>
    readResource(kind, call, params.uri),
  );
  return server;
}
