import type { FastifyReply, FastifyRequest } from 'fastify';

/** Somebody followed a link or typed an address; programs ask for JSON or for anything. */
export function wantsPage({ method, headers }: FastifyRequest): boolean {
  return (
    (method === 'GET' || method === 'HEAD') && String(headers.accept ?? '').includes('text/html')
  );
}

/** The same answer as `route_not_found`, for people. */
export function sendNotFoundPage(reply: FastifyReply): FastifyReply {
  return reply
    .code(404)
    .header('content-security-policy', "default-src 'none'; style-src 'self'")
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .header('vary', 'accept')
    .type('text/html; charset=utf-8')
    .serializer(String)
    .send(page);
}

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Page not found · Sidelight</title><link rel="stylesheet" href="/docs/style.css"></head>
<body><nav aria-label="Sidelight"><a class="brand" href="/">Sidelight</a><ul><li><a href="/app">Dashboard</a></li><li><a href="/app/playground">Playground</a></li><li><a href="/docs">Documentation</a></li></ul></nav><main><h1>There is no such page</h1><p>The address may be mistyped, or the page has moved.</p><p><a href="/">Go to the start page</a></p></main></body></html>
`;
