import { escapeHtml } from './render-page.js';

interface Schema {
  type?: string | string[];
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  enum?: unknown[];
  const?: unknown;
  minimum?: number;
  maximum?: number;
  maxLength?: number;
  default?: unknown;
}

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
  security?: Record<string, unknown>[];
}

export interface OpenApi {
  paths?: Record<string, Record<string, Operation>>;
}

const methods = ['get', 'post', 'put', 'patch', 'delete'];

/** The OpenAPI document as a page: every route with its parameters, grouped by tag. */
export function renderReference(document: OpenApi): string {
  const groups = new Map<string, string[]>();
  for (const [path, operations] of Object.entries(document.paths ?? {})) {
    for (const [method, operation] of Object.entries(operations)) {
      if (!methods.includes(method)) continue;
      const tag = operation.tags?.[0] ?? 'other';
      groups.set(tag, [...(groups.get(tag) ?? []), renderOperation(method, path, operation)]);
    }
  }
  const sections = [...groups]
    .sort(([a], [b]) => a.localeCompare(b))
    .map(
      ([tag, operations]) =>
        `<h2 id="${escapeHtml(tag)}">${escapeHtml(tag)}</h2>${operations.join('')}`,
    );
  return `<h1>API reference</h1><p>Made from the schemas the server validates with. Errors answer <code>{"detail": …}</code>.</p>${sections.join('')}`;
}

function renderOperation(method: string, path: string, operation: Operation): string {
  const body = operation.requestBody?.content?.['application/json']?.schema;
  const parameters = (operation.parameters ?? []).map((parameter) =>
    row(
      parameter.name,
      parameter.in,
      parameter.required === true,
      parameter.schema ?? {},
      parameter.description,
    ),
  );
  const fields = Object.entries(body?.properties ?? {}).map(([name, schema]) =>
    row(name, 'body', body?.required?.includes(name) === true, schema, schema.description),
  );
  const rows = [...parameters, ...fields];
  const keys = (operation.security ?? []).flatMap((entry) => Object.keys(entry)).join(' or ');
  const table =
    rows.length === 0
      ? ''
      : `<table><thead><tr><th>name</th><th>in</th><th>type</th><th>notes</th></tr></thead><tbody>${rows.join('')}</tbody></table>`;
  return `<details><summary><span class="method">${method.toUpperCase()}</span> <code>${escapeHtml(path)}</code> <span class="soft">${escapeHtml(operation.summary ?? '')}</span></summary>${keys === '' ? '' : `<p class="soft">Key: ${escapeHtml(keys)}</p>`}${table}</details>`;
}

function row(
  name: string,
  place: string,
  required: boolean,
  schema: Schema,
  description: string | undefined,
): string {
  const notes = [required ? 'required' : '', bounds(schema), description ?? '']
    .filter((note) => note !== '')
    .join('; ');
  return `<tr><td><code>${escapeHtml(name)}</code></td><td>${escapeHtml(place)}</td><td>${escapeHtml(typeOf(schema))}</td><td>${escapeHtml(notes)}</td></tr>`;
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
