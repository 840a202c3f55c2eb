import type { FastifyInstance } from 'fastify';

export interface RouteAnswer {
  readonly status: number;
  readonly body: unknown;
  readonly text: string;
}

/** Answers a tool may give; a model cannot read more, and the client should ask for less. */
const maxAnswerBytes = 8 * 1024 * 1024;

/**
 * Calls a REST route of this process with the caller's own key, so that a tool can neither see more
 * nor behave differently.
 * Never leaves the process.
 */
export type CallRoute = (
  method: 'GET' | 'POST' | 'PATCH',
  url: string,
  body?: Record<string, unknown>,
) => Promise<RouteAnswer>;

export function createCallRoute(app: FastifyInstance, apiKey: string): CallRoute {
  return async (method, url, body) => {
    const response = await app.inject({
      method,
      url,
      headers: { 'x-api-key': apiKey, accept: 'application/json' },
      ...(body === undefined ? {} : { payload: body }),
      payloadAsStream: true,
    });
    const stream = response.stream();
    const chunks: Buffer[] = [];
    let size = 0;
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      if (size > maxAnswerBytes) {
        stream.destroy();
        return tooLarge();
      }
      chunks.push(bytes);
    }
    const text = Buffer.concat(chunks).toString('utf8');
    return { status: response.statusCode, body: text === '' ? null : JSON.parse(text), text };
  };
}

function tooLarge(): RouteAnswer {
  const body = { detail: 'answer_too_large: ask for fewer days, one campaign or one page' };
  return { status: 413, body, text: JSON.stringify(body) };
}
