import type { FastifyInstance } from 'fastify';

/**
 * Routes added inside get the body as the bytes that were sent: a signature is over those, not over
 * what they mean.
 */
export function rawBodies(
  app: FastifyInstance,
  add: (scope: FastifyInstance) => void,
  limitBytes: number,
): void {
  void app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser(
      '*',
      { parseAs: 'buffer', bodyLimit: limitBytes },
      (_request, body, done) => done(null, body),
    );
    add(scope);
  });
}
