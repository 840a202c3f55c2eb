import { createHash } from 'node:crypto';
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
    .header('content-security-policy', policy)
    .header('x-content-type-options', 'nosniff')
    .header('cache-control', 'no-store')
    .header('vary', 'accept')
    .type('text/html; charset=utf-8')
    .serializer(String)
    .send(page);
}

/** In the page itself: names of files with styles change with every build. */
const style = [
  ':root{color-scheme:light dark;--text:#14211f;--back:#f6f8f7;--link:#0f6e66;--line:#d5dcda}',
  '@media(prefers-color-scheme:dark){:root{--text:#e6efed;--back:#0d1413;--link:#5cc9bd;--line:#2a3634}}',
  'body{margin:0;font:1rem/1.5 system-ui,sans-serif;color:var(--text);background:var(--back)}',
  'nav{display:flex;flex-wrap:wrap;gap:8px 24px;align-items:center;padding:12px 20px;border-bottom:1px solid var(--line)}',
  'nav ul{display:flex;flex-wrap:wrap;gap:8px 20px;margin:0;padding:0;list-style:none}',
  'a{color:var(--link)}.brand{font-weight:700;color:inherit;text-decoration:none}',
  'main{max-width:40rem;margin:0 auto;padding:48px 20px}',
].join('');
const styleHash = createHash('sha256').update(style).digest('base64');
const policy = `default-src 'none'; img-src 'self'; style-src 'sha256-${styleHash}'`;

const page = `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>Page not found · Sidelight</title><link rel="icon" href="/assets/icon.svg" type="image/svg+xml"><style>${style}</style></head>
<body><nav aria-label="Sidelight"><a class="brand" href="/">Sidelight</a><ul><li><a href="/app">Dashboard</a></li><li><a href="/app/playground">Playground</a></li><li><a href="/docs">Documentation</a></li></ul></nav><main><h1>There is no such page</h1><p>The address may be mistyped, or the page has moved.</p><p><a href="/">Go to the start page</a></p></main></body></html>
`;
