import type { FastifyInstance } from 'fastify';

/** The part of JSON Schema that our TypeBox schemas use. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly type?: unknown;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly default?: unknown;
}

export interface RouteSchemas {
  readonly querystring: JsonSchema | undefined;
  readonly body: JsonSchema | undefined;
  readonly answer: JsonSchema | undefined;
}

/**
 * What the REST routes validate with, by `METHOD url`: tools are described by the same schemas.
 * Call before any route is added.
 */
export function collectRouteSchemas(
  app: FastifyInstance,
): (method: string, url: string) => RouteSchemas | undefined {
  const known = new Map<string, RouteSchemas>();
  app.addHook('onRoute', (route) => {
    const { schema } = route;
    // Routes declare TypeBox objects; Fastify types them as unknown.
    const part = (value: unknown): JsonSchema | undefined =>
      typeof value === 'object' && value !== null ? (value as JsonSchema) : undefined;
    const answers = part(schema?.response);
    for (const method of [route.method].flat())
      known.set(`${method} ${route.url}`, {
        querystring: part(schema?.querystring),
        body: part(schema?.body),
        answer: part(answers?.['200']) ?? part(answers?.['201']),
      });
  });
  return (method, url) => known.get(`${method} ${url}`);
}
