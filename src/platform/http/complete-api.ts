import { type Host, hostOfPath } from './host-of-path.js';

// What the API description says about every operation alike: its name, its key, how it can fail.

interface Operation {
  operationId?: string;
  servers?: object[];
  security?: object[];
  parameters?: unknown[];
  requestBody?: unknown;
  responses?: Record<string, unknown>;
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
      operation.responses = withFailures(path, operation);
    }
  const schemas = { ...(api.components?.schemas as object | undefined), Error: errorSchema };
  return { ...api, components: { ...api.components, schemas } };
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

/** A link that only leads elsewhere has no answer of its own. */
function answersItself({ responses = {} }: Operation): boolean {
  return Object.keys(responses).some((status) => status.startsWith('2'));
}

function withFailures(path: string, operation: Operation): Record<string, unknown> {
  const failures: [string, string, boolean][] = [
    ['400', 'The request could not be understood', true],
    ['401', 'No key, or one that is not recognised', operation.security?.length !== 0],
    ['403', 'The key may not do this', operation.security?.length !== 0],
    ['404', 'No such thing, or not in this account', path.includes('{')],
    ['422', 'A field is missing or invalid', operation.requestBody !== undefined],
    ['429', 'Too many requests; see Retry-After', path !== '/health' && path !== '/ready'],
    ['default', 'Any other failure', !answersItself(operation)],
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
