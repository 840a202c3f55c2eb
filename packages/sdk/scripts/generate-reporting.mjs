// Writes the reporting clients from the service's own description, so that they cannot drift from
// it. Usage: node packages/sdk/scripts/generate-reporting.mjs [openapi.json]
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const target = join(here, '../src/generated/reporting.ts');
const described = join(here, '../../../docs/api/openapi.json');
const clients = [
  {
    name: 'AdvertiserReporting',
    prefix: '/advertiser-dashboard/',
    title: 'An advertiser’s reports and campaigns.',
  },
  { name: 'PublisherReporting', prefix: '/publisher-dashboard/', title: 'A publisher’s reports.' },
];
const verbs = { get: 'get', post: 'create', put: 'replace', patch: 'update', delete: 'delete' };

export function generate(api) {
  const types = [];
  const bodies = clients.map((client) => clientCode(api, client, types));
  return [
    '// Generated from docs/api/openapi.json by scripts/generate-reporting.mjs. Do not edit.',
    "import type { CallOptions, Outcome } from '../call-service.js';",
    "import { createCaller, type ReportingOptions } from '../create-caller.js';",
    '',
    "export type { CallOptions, Failure, FailureReason, Outcome } from '../call-service.js';",
    "export type { ReportingOptions } from '../create-caller.js';",
    '',
    ...types,
    ...bodies,
  ].join('\n');
}

function clientCode(api, client, types) {
  const operations = Object.entries(api.paths ?? {})
    .filter(([path]) => path.startsWith(client.prefix))
    .flatMap(([path, item]) =>
      Object.keys(verbs)
        .filter((verb) => item[verb] !== undefined)
        .map((verb) => operationOf(api, client, path, verb, item[verb], item.parameters ?? [])),
    )
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const seen = new Set();
  for (const operation of operations) {
    if (seen.has(operation.name))
      throw new Error(`${operation.path} and another path would both be ${operation.name}`);
    seen.add(operation.name);
    types.push(...operation.types);
  }
  const members = operations.map(
    (operation) =>
      `${doc(operation.summary, '  ')}  ${operation.name}(${operation.args.join(', ')}): Promise<Outcome<${operation.result}>>;`,
  );
  const methods = operations.map(
    (operation) =>
      `    ${operation.name}: (${operation.names.join(', ')}) => call('${operation.verb.toUpperCase()}', '${operation.path}', { ${operation.parts.join(', ')} }, options),`,
  );
  return [
    `/** ${client.title} */`,
    `export interface ${client.name} {`,
    ...members,
    '}',
    '',
    `/** ${client.title} No method throws. */`,
    `export function create${client.name}(given: ReportingOptions): ${client.name} {`,
    methods.length === 0 ? '  void createCaller(given);' : '  const call = createCaller(given);',
    '  return {',
    ...methods,
    '  };',
    '}',
    '',
  ].join('\n');
}

function operationOf(api, client, path, verb, operation, shared) {
  const name = operationName(client, path, verb);
  const stem = `${client.name.replace('Reporting', '')}${name[0].toUpperCase()}${name.slice(1)}`;
  const parameters = [...shared, ...(operation.parameters ?? [])].map((one) => resolve(api, one));
  const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, found]) => found);
  const query = parameters.filter((one) => one.in === 'query');
  const bodySchema = jsonSchema(resolve(api, operation.requestBody));
  const success = Object.entries(operation.responses ?? {}).find(([status]) =>
    status.startsWith('2'),
  );
  const resultSchema = success === undefined ? undefined : jsonSchema(resolve(api, success[1]));
  const types = [];
  const declare = (suffix, schema) => {
    types.push(`export type ${stem}${suffix} = ${typeOf(api, schema, 0)};`, '');
    return `${stem}${suffix}`;
  };
  const args = inPath.map((one) => `${one}: string`);
  const names = [...inPath];
  const parts = inPath.length === 0 ? [] : [`path: { ${inPath.join(', ')} }`];
  if (bodySchema !== undefined) {
    args.push(`body: ${declare('Body', defaultsOptional(api, bodySchema))}`);
    names.push('body');
    parts.push('body');
  }
  if (query.length > 0) {
    const required = query
      .filter((one) => one.required === true && one.schema?.default === undefined)
      .map((one) => one.name);
    const properties = Object.fromEntries(
      query.map((one) => [
        one.name,
        { ...one.schema, description: one.description ?? one.schema?.description },
      ]),
    );
    args.push(
      `query${required.length > 0 ? '' : '?'}: ${declare('Query', { type: 'object', properties, required, additionalProperties: false })}`,
    );
    names.push('query');
    parts.push('query');
  }
  args.push('options?: CallOptions');
  names.push('options');
  const result = success?.[0] === '204' ? 'null' : declare('Result', resultSchema ?? {});
  return { name, verb, path, args, names, parts, result, types, summary: operation.summary };
}

/**
 * Reads like speech: GET /campaigns/{campaign_id} is getCampaign, POST /ad-groups/{id}/ads is
 * createAdGroupAds.
 */
function operationName(client, path, verb) {
  const segments = path
    .slice(client.prefix.length)
    .split('/')
    .filter((segment) => segment !== '');
  const words = segments.flatMap((segment, index) => {
    if (segment.startsWith('{')) return [];
    const one =
      segments[index + 1]?.startsWith('{') || (verb === 'post' && index === segments.length - 1);
    return [
      (one ? singular(segment) : segment)
        .split(/[^A-Za-z0-9]+/)
        .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
        .join(''),
    ];
  });
  return verbs[verb] + words.join('');
}

function singular(word) {
  return word.endsWith('ies') ? `${word.slice(0, -3)}y` : word.replace(/s$/, '');
}

/** A caller need not send what the service fills in. */
export function defaultsOptional(api, given) {
  const schema = resolve(api, given);
  return {
    ...schema,
    required: schema.required?.filter(
      (name) => resolve(api, schema.properties?.[name]).default === undefined,
    ),
  };
}

export function resolve(api, value) {
  if (typeof value?.$ref !== 'string') return value ?? {};
  return resolve(
    api,
    value.$ref
      .replace(/^#\//, '')
      .split('/')
      .reduce((node, key) => node?.[key.replaceAll('~1', '/').replaceAll('~0', '~')], api),
  );
}

export function jsonSchema(holder) {
  const content = holder?.content;
  if (content === undefined) return undefined;
  return (content['application/json'] ?? Object.values(content)[0])?.schema;
}

export function typeOf(api, given, depth) {
  // A schema that refers to itself would never end; nothing the service describes is this deep.
  if (given === undefined || given === true || depth > 12) return 'unknown';
  const schema = resolve(api, given);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (Array.isArray(schema.enum))
    return schema.enum.map((value) => JSON.stringify(value)).join(' | ') || 'never';
  const union = schema.anyOf ?? schema.oneOf;
  if (Array.isArray(union))
    return unique(union.map((one) => typeOf(api, one, depth + 1))).join(' | ');
  if (Array.isArray(schema.allOf))
    return unique(schema.allOf.map((one) => typeOf(api, one, depth + 1))).join(' & ');
  if (Array.isArray(schema.type))
    return unique(schema.type.map((type) => typeOf(api, { ...schema, type }, depth + 1))).join(
      ' | ',
    );
  const base = plainType(api, schema, depth);
  return schema.nullable === true ? `${base} | null` : base;
}

function plainType(api, schema, depth) {
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'number':
    case 'integer':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array': {
      const item = typeOf(api, schema.items, depth + 1);
      return /[ |&]/.test(item) && !item.startsWith('{') ? `(${item})[]` : `${item}[]`;
    }
    default:
      return schema.properties !== undefined ||
        schema.additionalProperties !== undefined ||
        schema.type === 'object'
        ? objectType(api, schema, depth)
        : 'unknown';
  }
}

function objectType(api, schema, depth) {
  const entries = Object.entries(schema.properties ?? {});
  const extra = schema.additionalProperties;
  if (entries.length === 0)
    return extra !== undefined && typeof extra === 'object'
      ? `Record<string, ${typeOf(api, extra, depth + 1)}>`
      : 'Record<string, unknown>';
  const pad = '  '.repeat(depth + 1);
  const lines = entries.map(([name, property]) => {
    const optional = schema.required?.includes(name) === true ? '' : '?';
    const key = /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name);
    return `${doc(resolve(api, property)?.description, pad)}${pad}${key}${optional}: ${typeOf(api, property, depth + 1)};`;
  });
  // What may be sent beside the fields that are read.
  if (extra === true) lines.push(`${pad}[name: string]: unknown;`);
  return `{\n${lines.join('\n')}\n${'  '.repeat(depth)}}`;
}

function doc(text, pad) {
  return typeof text === 'string' && text !== ''
    ? `${pad}/** ${text.replaceAll('*/', '* /').replace(/\s+/g, ' ')} */\n`
    : '';
}

function unique(values) {
  return [...new Set(values)];
}

/** Brings the clients up to date with a description; says whether that changed them. */
export function writeReporting(api) {
  const text = generate(api);
  const same = existsSync(target) && readFileSync(target, 'utf8') === text;
  if (!same) writeFileSync(target, text);
  return !same;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const source = process.argv[2] ?? described;
  if (!existsSync(source))
    process.stdout.write(`${source} is not there; the reporting clients stay as they are\n`);
  else if (writeReporting(JSON.parse(readFileSync(source, 'utf8'))))
    process.stdout.write('reporting clients written\n');
}
