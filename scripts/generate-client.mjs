// Writes a typed client of every operation an OpenAPI document describes: what goes in, and what
// comes back for each status. Usage: node scripts/generate-client.mjs docs/api/openapi.json out.ts
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import {
  defaultsOptional,
  jsonSchema,
  resolve,
  typeOf,
} from '../packages/sdk/scripts/generate-reporting.mjs';

const methods = ['get', 'post', 'put', 'patch', 'delete'];

const RUNTIME = `
export type Name = keyof Operations;
export type Output<N extends Name> = Operations[N]['output'];

export interface ClientOptions {
  baseUrl: string;
  headers?: Record<string, string>;
  fetch?: typeof fetch;
}
interface Parts {
  path?: Record<string, string>;
  query?: Record<string, unknown>;
  body?: unknown;
}

/** One function for every operation; never throws for a status the document names. */
export function createClient(options: ClientOptions) {
  return async <N extends Name>(name: N, input: Operations[N]['input']): Promise<Output<N>> => {
    const { path = {}, query = {}, body } = input as Parts;
    const { method, url } = routes[name];
    const filled = url.replace(/\\{(\\w+)\\}/g, (_whole, part: string) => encodeURIComponent(path[part] ?? ''));
    const search = new URLSearchParams();
    for (const [key, value] of Object.entries(query))
      if (value !== undefined && value !== null) search.set(key, String(value));
    const answer = await (options.fetch ?? fetch)(options.baseUrl + filled + (search.size === 0 ? '' : '?' + search.toString()), {
      method,
      redirect: 'manual',
      headers: { ...options.headers, ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const isJson = (answer.headers.get('content-type') ?? '').includes('json') && text !== '';
    return { status: answer.status, headers: answer.headers, body: isJson ? JSON.parse(text) : text } as Output<N>;
  };
}
`;

export function generateClient(api) {
  const operations = Object.entries(api.paths).flatMap(([url, item]) =>
    methods
      .filter((method) => item[method] !== undefined)
      .map((method) => ({ url, method, operation: item[method] })),
  );
  return [
    '// Generated from an OpenAPI document. Do not edit.',
    'export interface Operations {',
    ...operations.map(({ operation }) => operationType(api, operation)),
    '}',
    '',
    'const routes: Readonly<Record<Name, { method: string; url: string }>> = {',
    ...operations.map(
      ({ url, method, operation }) =>
        `  ${operation.operationId}: { method: '${method.toUpperCase()}', url: '${url}' },`,
    ),
    '};',
    RUNTIME,
  ].join('\n');
}

function operationType(api, operation) {
  const parameters = (operation.parameters ?? []).map((one) => resolve(api, one));
  const body = jsonSchema(resolve(api, operation.requestBody));
  const parts = [
    ...['path', 'query'].flatMap((place) => parametersType(api, parameters, place)),
    ...(body === undefined ? [] : [`body: ${typeOf(api, defaultsOptional(api, body), 2)}`]),
  ];
  const outputs = Object.entries(operation.responses).map(([status, given]) => {
    const schema = jsonSchema(resolve(api, given));
    const type =
      schema !== undefined ? typeOf(api, schema, 2) : /^(204|3)/.test(status) ? "''" : 'unknown';
    return `{ status: ${/^\d+$/.test(status) ? status : '500 | 503'}; headers: Headers; body: ${type} }`;
  });
  return `  ${operation.operationId}: {
    input: { ${parts.join('; ')} };
    output: ${outputs.join(' | ')};
  };`;
}

function parametersType(api, parameters, place) {
  const own = parameters.filter((one) => one.in === place);
  if (own.length === 0) return [];
  const isNeeded = (one) => one.required === true && one.schema?.default === undefined;
  const fields = own.map(
    (one) =>
      `${JSON.stringify(one.name)}${isNeeded(one) ? '' : '?'}: ${typeOf(api, one.schema, 2)}`,
  );
  return [`${place}${own.some(isNeeded) ? '' : '?'}: { ${fields.join('; ')} }`];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [, , source = 'docs/api/openapi.json', target = 'client.ts'] = process.argv;
  writeFileSync(target, generateClient(JSON.parse(readFileSync(source, 'utf8'))));
  process.stdout.write(`${target} written\n`);
}
