import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../../platform/errors.js';
import { sendNotFoundPage, wantsPage } from '../../platform/http/not-found-page.js';
import { type DocPage, renderMarkdown, renderPage, stylesheet } from './render-page.js';
import { type OpenApi, renderReference } from './render-reference.js';

const policy =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The repository's own documents and the API reference, readable offline. Owns no table. */
export function docsRoutes(
  app: FastifyInstance,
  deps: { docsDir: URL; openApi: () => unknown },
): void {
  const pages = readPages(deps.docsDir);
  const rendered = new Map<DocPage, string>();
  function htmlOf(page: DocPage): string {
    const known =
      rendered.get(page) ?? renderPage(page.title, pages, renderMarkdown(page.markdown));
    rendered.set(page, known);
    return known;
  }
  const send = (reply: FastifyReply, body: string): FastifyReply =>
    reply
      .header('content-security-policy', policy)
      .header('x-content-type-options', 'nosniff')
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(body);

  app.get('/docs', { schema: { hide: true } }, (_request, reply) => {
    const list = pages
      .map((page) => `<li><a href="/docs/${page.slug}">${page.title}</a></li>`)
      .join('');
    return send(
      reply,
      renderPage(
        'Documentation',
        pages,
        `<h1>Documentation</h1><p>Start with the guide for what you are.</p><ul>${list}<li><a href="/docs/api">API reference</a></li></ul>`,
      ),
    );
  });
  app.get('/docs/style.css', { schema: { hide: true } }, (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=3600')
      .type('text/css; charset=utf-8')
      .send(stylesheet),
  );
  // Laid out once: it is long, and anybody may ask for it as often as they like.
  let reference: string | null = null;
  app.get('/docs/api', { schema: { hide: true } }, (_request, reply) => {
    // The server describes itself, so the document has the shape OpenAPI gives it.
    const openApi = (): OpenApi => deps.openApi() as OpenApi;
    reference ??= renderPage('API reference', pages, renderReference(openApi()));
    return send(reply, reference);
  });
  app.get<{ Params: { page: string } }>(
    '/docs/:page',
    { schema: { hide: true } },
    (request, reply) => {
      const asked = request.params.page;
      const wanted = asked.endsWith('.md') ? asked.slice(0, -3) : asked;
      const page = pages.find(({ slug }) => slug === wanted);
      if (page === undefined) {
        if (wantsPage(request)) return sendNotFoundPage(reply);
        throw new AppError('not_found');
      }
      if (asked.endsWith('.md'))
        return reply
          .header('cache-control', 'no-cache')
          .type('text/markdown; charset=utf-8')
          .send(page.markdown);
      return send(reply, htmlOf(page));
    },
  );
  app.get('/llms.txt', { schema: { hide: true } }, (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('text/plain; charset=utf-8')
      .send(listForAgents(pages)),
  );
}

/** What an agent may read here, in the form agents look for it. */
function listForAgents(pages: readonly DocPage[]): string {
  const lines = pages.map((page) => `- [${page.title}](/docs/${page.slug}.md)`);
  return [
    '# Sidelight',
    '',
    '> An ad network for AI assistants: ads beside answers, developer tools and products by API, and reports over MCP (`POST /mcp`).',
    '',
    '## Docs',
    '',
    ...lines,
    '',
    '## API',
    '',
    '- [openapi.json](/openapi.json): every route with its parameters, answers and errors',
    '- [Reference for people](/docs/api)',
    '',
  ].join('\n');
}

function readPages(folder: URL): DocPage[] {
  const found: DocPage[] = [];
  for (const place of ['guides/', '']) {
    const at = new URL(place, folder);
    if (!existsSync(at)) continue;
    for (const name of readdirSync(at)
      .filter((entry) => entry.endsWith('.md'))
      .sort()) {
      const markdown = readFileSync(new URL(name, at), 'utf8');
      found.push({
        slug: name.slice(0, -3),
        title: /^# (.+)$/m.exec(markdown)?.[1] ?? name,
        markdown,
      });
    }
  }
  return found;
}
