import { type Host, hostOfPath } from './host-of-path.js';

// What the API description says about every operation alike: its name, its key, how it can fail.

interface Schema {
  $ref?: string;
  type?: string;
  default?: unknown;
  properties?: Record<string, Schema>;
  required?: readonly string[];
  items?: Schema;
  anyOf?: Schema[];
}
interface Content {
  content?: Record<string, { schema?: Schema }>;
}
interface Operation {
  operationId?: string;
  summary?: string;
  description?: string;
  tags?: string[];
  servers?: object[];
  security?: object[];
  parameters?: { in?: string; required?: boolean; schema?: Schema }[];
  requestBody?: Content;
  responses?: Record<string, Content & { description?: string }>;
  /** The route also answers `Accept: text/csv`. */
  'x-csv'?: boolean;
}
type Paths = Record<string, Record<string, Operation>>;

const errorSchema = {
  type: 'object',
  required: ['detail'],
  description: 'Every failure: a code, or the list of fields that were refused',
  properties: {
    detail: {
      anyOf: [
        { type: 'string', description: 'The code; docs/api/errors.md lists them all' },
        {
          type: 'array',
          items: {
            type: 'object',
            required: ['type', 'loc', 'msg'],
            properties: {
              type: { type: 'string' },
              loc: { type: 'array', items: { type: ['string', 'integer'] } },
              msg: { type: 'string' },
            },
          },
        },
      ],
    },
  },
};

/** The addresses of the four hosts as the operator set them; empty: this server. */
export type ApiHosts = Record<Host, string>;

function serversOf(path: string, hosts: ApiHosts): { url: string }[] {
  // Redocly and others ask for an address without a slash at its end; "/" alone is this server.
  return [{ url: hosts[hostOfPath(path)].replace(/\/$/, '') || '/' }];
}

/** Adds to each operation what its route need not repeat. */
export function completeApi<
  Api extends { paths?: unknown; components?: { schemas?: unknown } | undefined },
>(api: Api, hosts: ApiHosts): Api {
  for (const [path, item] of Object.entries((api.paths ?? {}) as Paths))
    for (const [method, operation] of Object.entries(item)) {
      operation.operationId ??= operationName(method, path);
      operation.servers ??= serversOf(path, hosts);
      operation.security ??= path.startsWith('/session') ? [{ session: [] }] : [];
      if (method === 'post' && path === '/session') operation.security = [];
      operation.description ??= describe(operation);
      askNoDefaults(operation);
      operation.responses = withFailures(path, withAnswers(operation));
      delete operation['x-csv'];
    }
  const schemas = { ...(api.components?.schemas as object | undefined), Error: errorSchema };
  return { ...api, tags: usedTags(api.paths as Paths), components: { ...api.components, schemas } };
}

/** `PATCH /session/keys/{key_id}/x` is patchSessionKeysByKeyIdX: unique because paths are. */
function operationName(method: string, path: string): string {
  const words = path
    .replace(/\{(\w+)\}/g, 'by-$1')
    .split(/[^a-z0-9]+/i)
    .filter((word) => word !== '');
  return (
    method +
    words.map((word) => word.charAt(0).toUpperCase() + word.slice(1).toLowerCase()).join('')
  );
}

const callers: Readonly<Record<string, string>> = {
  apiKey: 'the header `X-API-Key`',
  bearer: 'a bearer token',
  queryKey: 'the parameter `api_key`',
  session: 'the session of somebody signed in',
};

/**
 * The summary as a sentence, and who may call. That a table can be had is said here alone: as a
 * second type of the answer it would make every field of a typed client doubtful.
 */
function describe({ summary = '', security = [], 'x-csv': isTable }: Operation): string {
  const ways = security.flatMap((one) => Object.keys(one)).map((name) => callers[name] ?? name);
  const needs = ways.length === 0 ? 'Open to anybody.' : `Needs ${ways.join(' or ')}.`;
  const table = isTable === true ? ' Also as a table: `Accept: text/csv`.' : '';
  return `${summary.replace(/[.!?]$/, '')}. ${needs}${table}`;
}

/** What is filled in when it is left out may be left out, though the server checks it is there. */
function askNoDefaults(operation: Operation): void {
  for (const parameter of operation.parameters ?? [])
    if (parameter.schema?.default !== undefined) parameter.required = false;
  const { requestBody } = operation;
  if (requestBody?.content === undefined) return;
  operation.requestBody = {
    ...requestBody,
    content: Object.fromEntries(
      Object.entries(requestBody.content).map(([type, { schema, ...rest }]) => [
        type,
        { ...rest, ...(schema === undefined ? {} : { schema: withoutDefaults(schema) }) },
      ]),
    ),
  };
}

function withoutDefaults(schema: Schema): Schema {
  const { properties, required, items, anyOf } = schema;
  return {
    ...schema,
    ...(properties === undefined ? {} : { properties: mapped(properties) }),
    ...(required === undefined
      ? {}
      : { required: required.filter((name) => properties?.[name]?.default === undefined) }),
    ...(items === undefined ? {} : { items: withoutDefaults(items) }),
    ...(anyOf === undefined ? {} : { anyOf: anyOf.map(withoutDefaults) }),
  };
}

function mapped(properties: Record<string, Schema>): Record<string, Schema> {
  return Object.fromEntries(
    Object.entries(properties).map(([name, schema]) => [name, withoutDefaults(schema)]),
  );
}

/** Good answers in words. */
function withAnswers(operation: Operation): Operation {
  const responses = Object.entries(operation.responses ?? {}).map(([status, answer]) => {
    const { description = '' } = answer;
    const words = description === 'Default Response' ? (good[status] ?? 'Done') : description;
    return [status, { ...answer, description: words }];
  });
  return { ...operation, responses: Object.fromEntries(responses) };
}

const good: Readonly<Record<string, string>> = {
  200: 'The answer',
  201: 'Made',
  202: 'Taken',
  204: 'Done',
};

/** What the groups of the document hold; every tag in use, in the order of its first operation. */
function usedTags(paths: Paths): { name: string; description: string }[] {
  const names = Object.values(paths).flatMap((item) =>
    Object.values(item).flatMap(({ tags = [] }) => tags),
  );
  return [...new Set(names)].map((name) => ({ name, description: tagTexts[name] ?? name }));
}

const tagTexts: Readonly<Record<string, string>> = {
  ads: 'Ask for ads and send what people entered into them',
  'ad choices': 'What people choose about ads',
  advertiser: 'Campaigns, ad groups, ads and ad units',
  'advertiser alerts': 'Alerts of an advertiser, sent to its own endpoints',
  'advertiser reports': 'What an advertiser’s campaigns did',
  billing: 'Spend, credit and invoices',
  conversions: 'Conversions told by advertisers',
  experiments: 'What ads bring beyond what happens anyway',
  feedback: 'What people think of ads',
  index: 'Search of developer tools and products',
  integrations: 'Connected shops',
  mcp: 'Reports and search as tools',
  operator: 'Running the network',
  pixel: 'The script on advertisers’ pages',
  privacy: 'Requests of people about what is kept of them',
  'publisher alerts': 'Alerts of a publisher, sent to its own endpoints',
  'publisher reports': 'What a publisher’s ads did and earned',
  service: 'Whether the service is up',
  session: 'People signed in to the dashboard',
  'supply path': 'Who sells what, for buyers to check',
  tracking: 'Impressions, views and clicks',
  'traffic quality': 'Traffic that was kept out or taken back',
};

function takesInput({ requestBody, parameters = [] }: Operation): boolean {
  return requestBody !== undefined || parameters.some((one) => one.in === 'query');
}

function withFailures(path: string, operation: Operation): NonNullable<Operation['responses']> {
  const failures: [string, string, boolean][] = [
    ['400', 'The request could not be understood', true],
    ['401', 'No key, or one that is not recognised', operation.security?.length !== 0],
    ['403', 'The key may not do this', operation.security?.length !== 0],
    ['404', 'No such thing, or not in this account', path.includes('{')],
    ['422', 'A field is missing or invalid', takesInput(operation)],
    ['429', 'Too many requests; see Retry-After', path !== '/health' && path !== '/ready'],
    ['default', 'Any other failure', true],
  ];
  return {
    ...Object.fromEntries(
      failures
        .filter(([, , applies]) => applies)
        .map(([status, description]) => [
          status,
          {
            description,
            content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
          },
        ]),
    ),
    ...operation.responses,
  };
}
