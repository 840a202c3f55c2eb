// The recommended rules of Redocly's linter, as far as our description can break them: what it
// would report is listed here, so that no package is needed to keep the document clean.

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
}
interface Operation {
  operationId?: string;
  summary?: string;
  servers?: { url: string }[];
  security?: Record<string, unknown>[];
  parameters?: Parameter[];
  responses?: Record<string, { description?: string }>;
  tags?: string[];
}
export interface ApiDocument {
  info: { license?: { url?: string; identifier?: string } };
  servers?: { url: string }[];
  tags?: { name: string; description?: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { securitySchemes: Record<string, unknown>; schemas: Record<string, unknown> };
}

const urlSafe = /^[A-Za-z0-9\-._~:/?#[\]@!$&'()*+,;=]+$/;

/** Every breach, with its place; empty for a clean document. */
export function problemsOf(api: ApiDocument): string[] {
  const { license } = api.info;
  const names = Object.values(api.paths).flatMap((item) =>
    Object.values(item).map((operation) => operation.operationId),
  );
  return [
    ...(license?.url === undefined && license?.identifier === undefined ? ['info-license'] : []),
    ...serverProblems('document', api.servers),
    ...(new Set(names).size === names.length ? [] : ['operation-operationId-unique']),
    ...pathProblems(Object.keys(api.paths)),
    ...(api.tags ?? []).flatMap(({ name, description = '' }) =>
      description === '' ? [`tag-description ${name}`] : [],
    ),
    ...Object.entries(api.paths).flatMap(([path, item]) =>
      Object.entries(item).flatMap(([method, operation]) =>
        operationProblems(api, path, operation).map((rule) => `${rule} ${method} ${path}`),
      ),
    ),
    ...schemaProblems(api),
  ];
}

function serverProblems(where: string, servers: { url: string }[] | undefined): string[] {
  if (servers === undefined || servers.length === 0) return [`no-empty-servers ${where}`];
  return servers.flatMap(({ url }) => [
    ...(url !== '/' && url.endsWith('/') ? [`no-server-trailing-slash ${where}`] : []),
    ...(/\b(?:example\.com|localhost)\b/.test(url) ? [`no-server-example.com ${where}`] : []),
  ]);
}

function pathProblems(paths: readonly string[]): string[] {
  const shapes = paths.map((path) => path.replace(/\{[^}]*\}/g, '{}'));
  return paths.flatMap((path, at) => [
    ...(path !== '/' && path.endsWith('/') ? [`no-path-trailing-slash ${path}`] : []),
    ...(path.includes('?') ? [`path-not-include-query ${path}`] : []),
    ...(path.includes('{}') ? [`path-declaration-must-exist ${path}`] : []),
    ...(shapes.indexOf(shapes[at] ?? '') === at ? [] : [`no-identical-paths ${path}`]),
  ]);
}

function operationProblems(api: ApiDocument, path: string, operation: Operation): string[] {
  const { operationId = '', summary = '', parameters = [], responses = {}, security } = operation;
  const statuses = Object.keys(responses);
  const places = parameters.map((one) => `${one.in} ${one.name}`);
  const declared = parameters.filter((one) => one.in === 'path').map((one) => one.name);
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map(([, name = '']) => name);
  const breaches: [string, boolean][] = [
    ['operation-operationId', operationId === ''],
    ['operation-operationId-url-safe', operationId !== '' && !urlSafe.test(operationId)],
    ['operation-summary', summary === ''],
    ['operation-2xx-response', !statuses.some((status) => /^(?:2\d\d|default)$/.test(status))],
    ['operation-4xx-response', !statuses.some((status) => /^4\d\d$/.test(status))],
    ['operation-parameters-unique', new Set(places).size !== places.length],
    ['path-parameters-defined', declared.toSorted().join() !== inPath.toSorted().join()],
    [
      'path-parameters-defined',
      parameters.some((one) => one.in === 'path' && one.required !== true),
    ],
    [
      'security-defined',
      security === undefined ||
        security.some((need) =>
          Object.keys(need).some((name) => api.components.securitySchemes[name] === undefined),
        ),
    ],
    ['struct', statuses.some((status) => (responses[status]?.description ?? '') === '')],
  ];
  return [
    ...breaches.filter(([, isBroken]) => isBroken).map(([rule]) => rule),
    ...serverProblems('operation', operation.servers),
  ];
}

/**
 * References lead somewhere, parts are used, lists say of what, enums hold values of their type.
 */
function schemaProblems(api: ApiDocument): string[] {
  const problems: string[] = [];
  const used = new Set<string>();
  const visit = (node: unknown, at: string): void => {
    if (typeof node !== 'object' || node === null) return;
    if (Array.isArray(node)) return node.forEach((each, place) => visit(each, `${at}/${place}`));
    const schema = node as Record<string, unknown>; // an object that is no list
    const { $ref: reference, type, enum: values } = schema;
    if (typeof reference === 'string') {
      used.add(reference);
      const name = reference.replace('#/components/schemas/', '');
      if (api.components.schemas[name] === undefined) problems.push(`no-unresolved-refs ${at}`);
    }
    if (Array.isArray(values) && !values.every((value) => suits(type, value)))
      problems.push(`no-enum-type-mismatch ${at}`);
    if ('nullable' in schema && typeof schema['nullable'] === 'boolean')
      problems.push(`nullable-type-sibling ${at}`);
    for (const [key, value] of Object.entries(schema)) visit(value, `${at}/${key}`);
  };
  visit(api.paths, '#/paths');
  visit(api.components.schemas, '#/components/schemas');
  for (const name of Object.keys(api.components.schemas))
    if (!used.has(`#/components/schemas/${name}`)) problems.push(`no-unused-components ${name}`);
  return problems;
}

function suits(type: unknown, value: unknown): boolean {
  const kind = value === null ? 'null' : typeof value;
  const allowed = [type].flat();
  return (
    type === undefined ||
    allowed.includes(kind) ||
    (kind === 'number' && allowed.includes('integer'))
  );
}
