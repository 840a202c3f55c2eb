import { isRecord } from '../../domain/is-record.js';
import { type CallToolResult, ErrorCode, type Tool } from '@modelcontextprotocol/sdk/types.js';
import type { AccountKind } from '../../platform/auth/api-key.js';
import { oneOf } from '../../platform/http/validation-problems.js';
import type { CallRoute, RouteAnswer } from './call-route.js';
import { argumentTexts } from './argument-texts.js';
import { portableProperties } from './portable-schema.js';
import type { JsonSchema, RouteSchemas } from './route-schemas.js';
import { reportTools, type ToolEntry } from './tool-table.js';
import { rpcError } from './json-rpc.js';

export type SchemasOf = (method: string, url: string) => RouteSchemas | undefined;
type Arguments = Record<string, unknown>;

const searchTool = 'svc_index_search';
const categoriesTool = 'svc_index_list_categories';

/** The tools a key of this kind may use: those whose route this server has. */
export function listTools(kind: AccountKind, schemasOf: SchemasOf): Tool[] {
  const tools = reportTools
    .filter((tool) => tool.kind === kind)
    .flatMap((tool) => {
      const schemas = schemasOf(tool.acts ?? 'GET', tool.path);
      if (schemas === undefined) return [];
      return [tool.acts === undefined ? reportTool(tool, schemas) : actingTool(tool, schemas)];
    });
  return kind === 'publisher' ? [...tools, ...indexTools(schemasOf)] : tools;
}

export async function callTool(
  kind: AccountKind,
  schemasOf: SchemasOf,
  call: CallRoute,
  name: string,
  given: Arguments,
): Promise<CallToolResult> {
  const listed = listTools(kind, schemasOf).find((tool) => tool.name === name);
  if (listed === undefined)
    throw rpcError(ErrorCode.InvalidParams, `Unknown tool: ${name.slice(0, 100)}`);
  const args = readArguments(listed, given);
  const strange = outsideEnum(listed, args);
  if (strange !== null) return toolResult(strange);
  if (name === categoriesTool) return toolResult(await call('GET', '/categories'));
  if (name === searchTool) {
    const { vertical, ...body } = args;
    return toolResult(
      await call('POST', vertical === 'consumer' ? '/shop/search' : '/search', body),
    );
  }
  const tool = reportTools.find((entry) => entry.name === name);
  if (tool === undefined) throw rpcError(ErrorCode.InvalidParams, 'Unknown tool');
  if (tool.acts !== undefined) return act(tool, tool.acts, call, args);
  const url = urlOf(tool.path, args);
  return typeof url === 'string' ? toolResult(await call('GET', url)) : toolResult(url);
}

async function act(
  { path }: ToolEntry,
  method: 'POST' | 'PATCH',
  call: CallRoute,
  args: Arguments,
): Promise<CallToolResult> {
  const inPath = new Set(pathNames(path));
  const parts = Object.entries(args);
  const url = urlOf(path, Object.fromEntries(parts.filter(([name]) => inPath.has(name))));
  if (typeof url !== 'string') return toolResult(url);
  const body = Object.fromEntries(parts.filter(([name]) => !inPath.has(name)));
  return toolResult(await call(method, url, method === 'POST' ? body : undefined));
}

function reportTool(tool: ToolEntry, { querystring, answer }: RouteSchemas): Tool {
  const inPath = pathNames(tool.path);
  const properties = {
    ...pathProperties(tool),
    ...querystring?.properties,
  };
  const required = [
    ...inPath,
    ...(querystring?.required ?? []).filter(
      (name) => querystring?.properties?.[name]?.default === undefined,
    ),
  ];
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: {
      type: 'object',
      properties: described(properties),
      ...(required.length === 0 ? {} : { required }),
    },
    ...outputOf(answer),
    annotations: {
      title: tool.title,
      readOnlyHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

function actingTool(tool: ToolEntry, { body, answer }: RouteSchemas): Tool {
  return {
    name: tool.name,
    title: tool.title,
    description: tool.description,
    inputSchema: {
      type: 'object',
      properties: described({ ...pathProperties(tool), ...body?.properties }),
      required: [...pathNames(tool.path), ...(body?.required ?? [])],
    },
    ...outputOf(answer),
    annotations: {
      title: tool.title,
      readOnlyHint: false,
      destructiveHint: true,
      idempotentHint: true,
      openWorldHint: false,
    },
  };
}

/** In words every client understands, and none without a sentence. */
function described(properties: Readonly<Record<string, object>>): Record<string, object> {
  return Object.fromEntries(
    Object.entries(portableProperties(properties)).map(([name, schema]) => {
      const text = 'description' in schema ? undefined : argumentTexts[name];
      return [name, text === undefined ? schema : { ...schema, description: text }];
    }),
  );
}

function outputOf(answer: JsonSchema | undefined): Pick<Tool, 'outputSchema'> {
  return answer?.type === 'object'
    ? {
        outputSchema: {
          type: 'object',
          properties: portableProperties(answer.properties ?? {}),
          required: [...(answer.required ?? [])],
        },
      }
    : {};
}

/**
 * One search over both verticals: the arguments of both routes, minus the key, which the connection
 * carries.
 */
function indexTools(schemasOf: SchemasOf): Tool[] {
  const [software, goods, categories] = [
    schemasOf('POST', '/search'),
    schemasOf('POST', '/shop/search'),
    schemasOf('GET', '/categories'),
  ];
  const tools: Tool[] = [];
  if (software !== undefined || goods !== undefined) {
    const vertical = {
      type: 'string',
      enum: ['software', 'consumer'],
      default: 'software',
      description: 'software: services, APIs, anything signed up for. consumer: physical goods.',
    };
    const {
      platform_api_key: _key,
      context: _context,
      ...properties
    } = { ...goods?.body?.properties, ...software?.body?.properties };
    tools.push({
      name: searchTool,
      title: 'Search',
      description:
        'Finds the developer service, or with vertical=consumer the products, that fit a need. Show users only the tracked click_url.',
      inputSchema: {
        type: 'object',
        properties: described({
          vertical,
          ...properties,
          context: { type: 'object', additionalProperties: true },
        }),
      },
      // The rest depends on the vertical.
      outputSchema: {
        type: 'object',
        properties: { search_id: { type: 'string' }, reasoning: { type: 'string' } },
        required: ['search_id', 'reasoning'],
        additionalProperties: true,
      },
      annotations: { title: 'Search', readOnlyHint: true, openWorldHint: true },
    });
  }
  if (categories !== undefined) {
    tools.push({
      name: categoriesTool,
      title: 'Categories',
      description: 'The categories of the service index, with how many services each has.',
      inputSchema: { type: 'object', properties: {} },
      ...outputOf(categories.answer),
      annotations: { title: 'Categories', readOnlyHint: true, idempotentHint: true },
    });
  }
  return tools;
}

function pathProperties({ path }: ToolEntry): Record<string, JsonSchema> {
  return Object.fromEntries(
    pathNames(path).map((name) => [name, { type: 'string', description: 'From the list' }]),
  );
}

function pathNames(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map((found) => found[1] ?? '');
}

const notFound = { detail: 'not_found' };

/** The address with its arguments, or the error a missing or nested one earns. */
function urlOf(path: string, args: Arguments): string | RouteAnswer {
  const rest = new URLSearchParams();
  const inPath = pathNames(path);
  for (const [name, value] of Object.entries(args)) {
    if (typeof value === 'object')
      return refused([{ type: 'type', loc: ['arguments', name], msg: 'must be a plain value' }]);
    if (!inPath.includes(name)) rest.set(name, String(value));
  }
  const missing = inPath.find((name) => typeof args[name] !== 'string' || args[name] === '');
  if (missing !== undefined)
    return refused([{ type: 'missing', loc: ['arguments', missing], msg: 'Field required' }]);
  // Whoever reads an address takes these for a way to somewhere else.
  const walks = inPath.some((name) => ['.', '..'].includes(String(args[name])));
  if (walks) return { status: 404, body: notFound, text: JSON.stringify(notFound) };
  const filled = inPath.reduce(
    (url, name) => url.replace(`:${name}`, encodeURIComponent(String(args[name]).toWellFormed())),
    path,
  );
  return rest.size === 0 ? filled : `${filled}?${rest.toString()}`;
}

/** Null is leaving out, and numbers and truths may be text, as in addresses. */
function readArguments({ inputSchema }: Tool, given: Arguments): Arguments {
  // Properties are JSON Schema objects; the SDK's type says only `object`.
  const known = (inputSchema.properties ?? {}) as Record<string, JsonSchema | undefined>;
  const read = (name: string, value: unknown): unknown => {
    const type = Object.hasOwn(known, name) ? known[name]?.type : undefined;
    if (typeof value !== 'string' || typeof type !== 'string') return value;
    if (['integer', 'number'].includes(type) && /^-?\d{1,15}(?:\.\d{1,9})?$/.test(value))
      return Number(value);
    return type === 'boolean' && ['true', 'false'].includes(value) ? value === 'true' : value;
  };
  return Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value !== null && value !== undefined)
      .map(([name, value]) => [name, read(name, value)]),
  );
}

/** The error an argument earns that is none of the values its own description lists. */
function outsideEnum({ inputSchema }: Tool, args: Arguments): RouteAnswer | null {
  // Properties are JSON Schema objects; the SDK's type says only `object`.
  const known = (inputSchema.properties ?? {}) as Record<string, JsonSchema | undefined>;
  for (const [name, value] of Object.entries(args)) {
    const allowed = Object.hasOwn(known, name) ? allowedBy(known[name]) : null;
    if (allowed !== null && !allowed.includes(value))
      return refused([{ type: 'enum', loc: ['arguments', name], msg: oneOf(allowed) }]);
  }
  return null;
}

function allowedBy(schema: JsonSchema | undefined): readonly unknown[] | null {
  if (Array.isArray(schema?.['enum'])) return schema['enum'];
  const choices = schema?.['anyOf'];
  return Array.isArray(choices) &&
    choices.every((choice) => isRecord(choice) && choice['const'] !== undefined)
    ? choices.map((choice: Record<string, unknown>) => choice['const'])
    : null;
}

function refused(detail: object[]): RouteAnswer {
  return { status: 422, body: { detail }, text: JSON.stringify({ detail }) };
}

/** Whoever calls a tool knows arguments, and neither path nor query nor body. */
function namedArguments(body: unknown): { detail?: unknown[] } {
  const detail = isRecord(body) ? body['detail'] : null;
  if (!Array.isArray(detail)) return {};
  return {
    detail: detail.map((problem: unknown) =>
      isRecord(problem) && Array.isArray(problem['loc'])
        ? { ...problem, loc: ['arguments', ...(problem['loc'] as unknown[]).slice(1)] }
        : problem,
    ),
  };
}

function toolResult(answer: RouteAnswer): CallToolResult {
  if (answer.status >= 400)
    return {
      isError: true,
      content: [
        {
          type: 'text',
          text: JSON.stringify({
            status: answer.status,
            ...(isRecord(answer.body) ? answer.body : {}),
            ...namedArguments(answer.body),
          }),
        },
      ],
    };
  const content: CallToolResult['content'] = [{ type: 'text', text: answer.text }];
  return isRecord(answer.body) ? { content, structuredContent: answer.body } : { content };
}
