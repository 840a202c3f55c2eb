import type { FastifyInstance } from 'fastify';

/** Remembers every route so that a wrong method can be told from an unknown address. */
export function trackRoutes(app: FastifyInstance): { methodsOf(path: string): string[] } {
  const known: { method: string; pattern: RegExp }[] = [];
  app.addHook('onRoute', (route) => {
    const source = route.url
      .split('/')
      .map((part) =>
        part.startsWith(':')
          ? '[^/]+'
          : part === '*'
            ? '.*'
            : part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
      )
      .join('/');
    for (const method of [route.method].flat())
      known.push({ method, pattern: new RegExp(`^${source}$`) });
  });
  return {
    methodsOf: (path) =>
      [
        ...new Set(known.filter((route) => route.pattern.test(path)).map((route) => route.method)),
      ].sort(),
  };
}
