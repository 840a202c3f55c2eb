import { exampleOf, type FindSchema, type Schema } from './example-of.js';
import { escapeHtml } from './render-page.js';

interface Operation {
  tags?: string[];
  summary?: string;
  parameters?: {
    name: string;
    in: string;
    required?: boolean;
    description?: string;
    schema?: Schema;
  }[];
  requestBody?: { content?: Record<string, { schema?: Schema }> };
  responses?: Record<string, { $ref?: string; content?: Record<string, { schema?: Schema }> }>;
  security?: Record<string, unknown>[];
}

export interface OpenApi {
  paths?: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
}

/** A route as people call it: the request with everything it must have, and a good answer. */
export interface RouteExample {
  tag: string;
  method: string;
  path: string;
  summary: string;
  /** Kinds of key it takes, by their name in the document. */
  keys: readonly string[];
  rows: readonly string[][];
  /** Path and query filled in. */
  url: string;
  body: unknown;
  status: string;
  /** Null where the answer has no JSON. */
  answer: { value: unknown } | null;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

export function routesOf(document: OpenApi): RouteExample[] {
  const find: FindSchema = (reference) =>
    document.components?.schemas?.[reference.replace('#/components/schemas/', '')];
  return Object.entries(document.paths ?? {}).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => routeExample(method, path, operation, find)),
  );
}

function routeExample(
  method: string,
  path: string,
  operation: Operation,
  find: FindSchema,
): RouteExample {
  const body = operation.requestBody?.content?.['application/json']?.schema;
  const resolved = body?.$ref === undefined ? body : find(body.$ref);
  const parameters = operation.parameters ?? [];
  const valueOf = (name: string): string => {
    const schema = parameters.find((one) => one.name === name)?.schema ?? { type: 'string' };
    return encodeURIComponent(String(exampleOf(schema, find, { name, side: 'request' })));
  };
  const asked = parameters.filter((one) => one.in === 'query' && one.required === true);
  const query = asked.map(({ name }) => `${name}=${valueOf(name)}`).join('&');
  const [status = '200', good] =
    Object.entries(operation.responses ?? {}).find(([code]) => code.startsWith('2')) ?? [];
  const answer = good?.content?.['application/json']?.schema;
  return {
    tag: operation.tags?.[0] ?? 'other',
    method: method.toUpperCase(),
    path,
    summary: operation.summary ?? '',
    keys: (operation.security ?? []).flatMap((entry) => Object.keys(entry)),
    rows: [
      ...parameters.map((one) =>
        row(one.name, one.in, one.required === true, one.schema ?? {}, one.description),
      ),
      ...Object.entries(resolved?.properties ?? {}).map(([name, schema]) =>
        row(name, 'body', resolved?.required?.includes(name) === true, schema, schema.description),
      ),
    ],
    url: path.replace(/\{(\w+)\}/g, (_, name: string) => valueOf(name)) + (query && `?${query}`),
    body: body === undefined ? undefined : exampleOf(body, find, { side: 'request' }),
    status,
    answer: answer === undefined ? null : { value: exampleOf(answer, find, { side: 'answer' }) },
  };
}

function byTag(routes: readonly RouteExample[]): [string, RouteExample[]][] {
  const groups = new Map<string, RouteExample[]>();
  for (const route of routes) groups.set(route.tag, [...(groups.get(route.tag) ?? []), route]);
  return [...groups].sort(([a], [b]) => a.localeCompare(b));
}

export const anchorOf = ({ method, path }: Pick<RouteExample, 'method' | 'path'>): string =>
  `${method}-${path}`.toLowerCase().replace(/[^a-z0-9]+/g, '-');

/** The OpenAPI document as a page: every route with its parameters and an example, by tag. */
export function renderReference(routes: readonly RouteExample[]): string {
  const sections = byTag(routes).map(
    ([tag, own]) =>
      `<h2 id="${escapeHtml(tag.replaceAll(' ', '-'))}">${escapeHtml(tag)}</h2>${own.map(renderRoute).join('')}`,
  );
  return `<h1>API reference</h1><p class="lead">Every route, generated from the schemas the server validates with. Errors answer <code>{"detail": …}</code>. <a href="/openapi.json">openapi.json</a> · <a href="/docs/api.md">Markdown</a></p><div id="key-box"></div>${sections.join('')}`;
}

function renderRoute(route: RouteExample): string {
  const { method, path, keys, rows } = route;
  const table =
    rows.length === 0
      ? ''
      : `<div class="table-box"><table><thead><tr><th>name</th><th>in</th><th>type</th><th>notes</th></tr></thead><tbody>${rows.map(renderRow).join('')}</tbody></table></div>`;
  const trial = escapeHtml(JSON.stringify({ method, url: route.url, body: route.body, keys }));
  return `<details id="${anchorOf(route)}" class="route"><summary><span class="method">${method}</span> <code>${escapeHtml(path)}</code> <span class="quiet">${escapeHtml(route.summary)}</span></summary>${keys.length === 0 ? '<p class="quiet">No key needed.</p>' : `<p class="quiet">Key: ${escapeHtml(keys.join(' or '))}</p>`}${table}<h3>Request</h3><pre tabindex="0"><code>${escapeHtml(curlOf(route))}</code></pre><h3>Answer ${escapeHtml(route.status)}</h3>${route.answer === null ? '<p class="quiet">No JSON.</p>' : `<pre tabindex="0"><code>${escapeHtml(JSON.stringify(route.answer.value, null, 2))}</code></pre>`}<div class="try" data-route="${trial}"></div></details>`;
}

function renderRow([name = '', place = '', type = '', notes = '']: readonly string[]): string {
  return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(place)}</td><td>${escapeHtml(type)}</td><td>${escapeHtml(notes)}</td></tr>`;
}

const keyHeaders: Record<string, string> = {
  bearer: 'Authorization: Bearer $SIDELIGHT_API_KEY',
  apiKey: 'X-API-Key: $SIDELIGHT_API_KEY',
};

function curlOf({ method, url, body, keys }: RouteExample): string {
  const key = keys.map((name) => keyHeaders[name]).find((header) => header !== undefined);
  const parts = [
    `curl -s ${method === 'GET' ? '' : `-X ${method} `}"$SIDELIGHT_URL${url}"`,
    ...(key === undefined ? [] : [`-H "${key}"`]),
    ...(body === undefined
      ? []
      : [
          '-H "Content-Type: application/json"',
          `-d '${JSON.stringify(body, null, 2).replaceAll("'", "'\\''")}'`,
        ]),
  ];
  return parts.join(' \\\n  ');
}

/** The same for agents. */
export function referenceMarkdown(routes: readonly RouteExample[]): string {
  const lines = byTag(routes).flatMap(([tag, own]) => [
    `## ${tag}`,
    '',
    ...own.flatMap((route) => [
      `### ${route.method} ${route.path}`,
      '',
      ...(route.summary === '' ? [] : [route.summary, '']),
      ...route.rows.map(
        ([name, place, type, notes]) => `- \`${name}\` (${place}, ${type}) ${notes}`,
      ),
      '',
      '```sh',
      curlOf(route),
      '```',
      '',
      ...(route.answer === null
        ? []
        : [
            `Answer ${route.status}:`,
            '',
            '```json',
            JSON.stringify(route.answer.value),
            '```',
            '',
          ]),
    ]),
  ]);
  return ['# API reference', '', ...lines].join('\n');
}

function row(
  name: string,
  place: string,
  required: boolean,
  schema: Schema,
  description: string | undefined,
): string[] {
  const notes = [required ? 'required' : '', bounds(schema), description ?? '']
    .filter((note) => note !== '')
    .join('; ');
  return [name, place, typeOf(schema), notes];
}

function typeOf(schema: Schema): string {
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(typeOf))].join(' | ');
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined)
    return schema.enum.map((value) => JSON.stringify(value)).join(' | ');
  if (schema.type === 'array') return `${typeOf(schema.items ?? {})}[]`;
  return [schema.type ?? 'any'].flat().join(' | ');
}

function bounds(schema: Schema): string {
  const parts = [];
  if (schema.minimum !== undefined || schema.maximum !== undefined)
    parts.push(`${schema.minimum ?? '…'} to ${schema.maximum ?? '…'}`);
  if (schema.maxLength !== undefined) parts.push(`at most ${schema.maxLength} characters`);
  if (schema.default !== undefined) parts.push(`default ${JSON.stringify(schema.default)}`);
  return parts.join(', ');
}
