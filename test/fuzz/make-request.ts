// Requests nobody would write by hand, made from the OpenAPI document: mostly of the right shape,
// with one or more things wrong in them.

export interface Operation {
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly { name: string; in: string; schema: Schema }[];
  readonly body: Schema | null;
}

export interface Schema {
  readonly type?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly anyOf?: readonly Schema[];
  readonly items?: Schema;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly minimum?: number;
  readonly maximum?: number;
}

export interface FuzzRequest {
  readonly method: string;
  readonly url: string;
  readonly payload: string | null;
}

/** Numbers from 0 to 1, the same for the same seed. */
export type Random = () => number;

export function createRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

const hostileTexts = [
  '',
  ' ',
  '\u0000',
  '\ud800',
  "'; drop table events; --",
  '../../etc/passwd',
  '%00',
  '%2e%2e%2f',
  '<script>alert(1)</script>',
  '10000-01-01',
  '-1',
  '1e999',
  'NaN',
  '9223372036854775808',
  'null',
  '{{7*7}}',
  'a'.repeat(3000),
  `1${'-'.repeat(50)}a`,
  `${'and '.repeat(40)}x`,
  '\u202e\u200b\ufeff',
  'https://user:pass@[::1]/',
  'javascript:alert(1)',
  '2026-02-30',
  'Europe/Nowhere',
];
const hostileValues: readonly unknown[] = [
  null,
  true,
  0,
  -1,
  1e308,
  -0.5,
  Number.MAX_SAFE_INTEGER + 2,
  [],
  {},
  [[[[[]]]]],
  { __proto__: 1, constructor: { prototype: 1 } },
  '',
];

export function operationsOf(document: unknown): Operation[] {
  // The server wrote it in the shape OpenAPI gives it.
  const { paths } = document as {
    paths: Record<
      string,
      Record<
        string,
        {
          parameters?: Operation['parameters'];
          requestBody?: { content?: Record<string, { schema?: Schema }> };
        }
      >
    >;
  };
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      parameters: operation.parameters ?? [],
      body: Object.values(operation.requestBody?.content ?? {})[0]?.schema ?? null,
    })),
  );
}

/** `ids` are of things that exist, so that some requests get past the first look-up. */
export function makeRequest(
  operation: Operation,
  random: Random,
  ids: readonly string[],
): FuzzRequest {
  const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(random() * list.length)];
  const text = (): string => (random() < 0.4 ? (pick(ids) ?? '') : (pick(hostileTexts) ?? ''));
  const encoded = (value: unknown): string =>
    encodeURIComponent(String(value).toWellFormed()).slice(0, 1500);

  const path = operation.path.replace(/\{\w{1,60}\}/g, () =>
    random() < 0.7 ? (pick(ids) ?? 'x') : encoded(text()) || 'x',
  );
  const query = operation.parameters
    .filter((parameter) => parameter.in === 'query' && random() < 0.6)
    .map(({ name, schema }) => `${name}=${encoded(random() < 0.6 ? made(schema, 0) : text())}`);

  return {
    method: operation.method,
    url: query.length === 0 ? path : `${path}?${query.join('&')}`,
    payload:
      operation.method === 'GET' || operation.method === 'HEAD' ? null : bodyText(operation.body),
  };

  function bodyText(schema: Schema | null): string | null {
    if (random() < 0.03)
      return pick(['', '{', '[', '"', '['.repeat(2000), '\u0000', 'null', '[]']) ?? '';
    return schema === null ? (random() < 0.8 ? null : '{}') : JSON.stringify(made(schema, 0));
  }

  function made(schema: Schema, depth: number): unknown {
    if (random() < 0.06) return random() < 0.5 ? pick(hostileValues) : text();
    if (schema.const !== undefined) return schema.const;
    if (schema.enum !== undefined) return pick(schema.enum);
    if (schema.anyOf !== undefined) return made(pick(schema.anyOf) ?? {}, depth);
    switch (schema.type) {
      case 'object':
        return madeObject(schema, depth);
      case 'array':
        return depth > 5
          ? []
          : Array.from({ length: Math.floor(random() * 4) }, () =>
              made(schema.items ?? {}, depth + 1),
            );
      case 'integer':
        return Math.floor(madeNumber(schema));
      case 'number':
        return madeNumber(schema);
      case 'boolean':
        return random() < 0.5;
      case 'null':
        return null;
      default:
        return random() < 0.4 ? `w${Math.floor(random() * 1000)}` : text();
    }
  }

  function madeObject({ properties = {}, required = [] }: Schema, depth: number): unknown {
    if (depth > 6) return {};
    return Object.fromEntries(
      Object.entries(properties)
        .filter(([name]) => random() < (required.includes(name) ? 0.96 : 0.4))
        .map(([name, schema]) => [name, made(schema, depth + 1)]),
    );
  }

  function madeNumber({ minimum = -5, maximum = 1000 }: Schema): number {
    const edge = random();
    if (edge < 0.1) return minimum;
    if (edge < 0.2) return maximum;
    if (edge < 0.25) return maximum + 1;
    return minimum + random() * (Math.min(maximum, minimum + 1e6) - minimum);
  }
}
