import type { preParsingHookHandler } from 'fastify';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';

/** A body as far as it was read, and how that ended where it did not end well. */
export interface ReadBody {
  readonly chunks: readonly Buffer[];
  readonly error: Error | null;
}

/** Bodies a door before the framework read of requests that it then left to the framework. */
export type ReadBodies = WeakMap<IncomingMessage, ReadBody>;

/** Gives them to the framework as if it read them itself. */
export function bodiesReadBefore(bodies: ReadBodies): preParsingHookHandler {
  return (request, _reply, payload, done) => {
    const body = bodies.get(request.raw);
    done(null, body === undefined ? payload : again(body));
  };
}

function again({ chunks, error }: ReadBody): Readable {
  const left = [...chunks];
  return new Readable({
    read() {
      const next = left.shift();
      if (next !== undefined) this.push(next);
      else if (error === null) this.push(null);
      else this.destroy(error);
    },
  });
}
