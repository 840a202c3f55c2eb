import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { AppError } from '../../platform/errors.js';
import { sendNotFoundPage, wantsPage } from '../../platform/http/not-found-page.js';
import {
  byReader,
  type DocAssets,
  type DocPage,
  escapeHtml,
  renderMarkdown,
  renderPage,
  shortTitle,
  slugOf,
} from './render-page.js';
import {
  anchorOf,
  type OpenApi,
  referenceMarkdown,
  renderReference,
  type RouteExample,
  routesOf,
} from './render-reference.js';

const policy =
  "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** The repository's own documents and the API reference, readable offline. Owns no table. */
export function docsRoutes(
  app: FastifyInstance,
  deps: { docsDir: URL; openApi: () => unknown },
): void {
  const pages = readPages(deps.docsDir);
  const assets = findAssets(new URL('../../../web/dashboard/', import.meta.url));
  const hidden = { schema: { hide: true } };
  // Laid out once each: some are long, and anybody may ask for them as often as they like.
  const kept = new Map<string, string>();
  const once = (name: string, make: () => string): string => {
    const known = kept.get(name) ?? make();
    kept.set(name, known);
    return known;
  };
  let routes: RouteExample[] | null = null;
  // The server describes itself, so the document has the shape OpenAPI gives it.
  const reference = (): RouteExample[] => (routes ??= routesOf(deps.openApi() as OpenApi));
  const send = (reply: FastifyReply, slug: string, title: string, body: () => string) =>
    reply
      .header('content-security-policy', policy)
      .header('x-content-type-options', 'nosniff')
      .header('referrer-policy', 'same-origin')
      .header('cache-control', 'no-cache')
      .type('text/html; charset=utf-8')
      .send(once(slug, () => renderPage(assets, pages, { slug, title, body: body() })));

  app.get('/docs', hidden, (_request, reply) =>
    send(reply, '', 'Documentation', () => startPage(pages)),
  );
  app.get('/docs/api', hidden, (_request, reply) =>
    send(reply, 'api', 'API reference', () => renderReference(reference())),
  );
  app.get('/docs/api.md', hidden, (_request, reply) =>
    sendMarkdown(
      reply,
      once('api.md', () => referenceMarkdown(reference())),
    ),
  );
  app.get('/docs/search.json', hidden, (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('application/json; charset=utf-8')
      .send(once('search.json', () => JSON.stringify(searchIndex(pages, reference())))),
  );
  app.get<{ Params: { page: string } }>('/docs/:page', hidden, (request, reply) => {
    const asked = request.params.page;
    const wanted = asked.endsWith('.md') ? asked.slice(0, -3) : asked;
    const page = pages.find(({ slug }) => slug === wanted);
    if (page === undefined) {
      if (wantsPage(request)) return sendNotFoundPage(reply);
      throw new AppError('not_found');
    }
    if (asked.endsWith('.md')) return sendMarkdown(reply, page.markdown);
    return send(reply, page.slug, page.title, () => renderMarkdown(page.markdown));
  });
  app.get('/llms.txt', hidden, (_request, reply) =>
    reply
      .header('cache-control', 'no-cache')
      .type('text/plain; charset=utf-8')
      .send(listForAgents(pages)),
  );
}

function sendMarkdown(reply: FastifyReply, text: string): FastifyReply {
  return reply.header('cache-control', 'no-cache').type('text/markdown; charset=utf-8').send(text);
}

function startPage(pages: readonly DocPage[]): string {
  const card = (page: DocPage): string =>
    `<li><a href="/docs/${page.slug}"><b>${escapeHtml(shortTitle(page))}</b></a><p class="quiet">${firstSentence(page.markdown)}</p></li>`;
  const guides = byReader(pages)
    .map(
      ([reader, own]) =>
        `<h2 id="${slugOf(reader)}">${escapeHtml(reader)}</h2><ul class="doc-cards">${own.map(card).join('')}</ul>`,
    )
    .join('');
  return `<h1>Documentation</h1><p class="lead">Pick the guide for what you do. Every page is also there as Markdown for agents: see <a href="/llms.txt">llms.txt</a>.</p>${guides}<h2 id="reference">Reference</h2><ul class="doc-cards"><li><a href="/docs/api"><b>API reference</b></a><p class="quiet">Every route with examples to copy and to try with your own key.</p></li></ul>`;
}

/** The first sentence of running text that says enough, without marks. */
function firstSentence(markdown: string): string {
  const line =
    markdown
      .split('\n\n')
      .map((part) => part.replaceAll('\n', ' ').trim())
      .find((part) => /^[\p{L}`*]/u.test(part)) ?? '';
  const end = line.indexOf('. ', 40);
  const sentence = end === -1 ? line : line.slice(0, end + 1);
  const plain = sentence.replace(/[`*[\]]|\([^\s()]{1,200}\)/g, '');
  return plain.endsWith(':') ? `${plain.slice(0, -1)}.` : plain;
}

/** Title, what it belongs to, address. */
function searchIndex(
  pages: readonly DocPage[],
  routes: readonly RouteExample[],
): [string, string, string][] {
  return [
    ...pages.flatMap((page): [string, string, string][] => [
      [page.title, 'Page', `/docs/${page.slug}`],
      ...[...page.markdown.matchAll(/^#{2,3} (.+)$/gm)].map(
        ([, heading = '']): [string, string, string] => [
          heading.replace(/[`*]/g, ''),
          page.title,
          `/docs/${page.slug}#${slugOf(heading)}`,
        ],
      ),
    ]),
    ...routes.map((route): [string, string, string] => [
      `${route.method} ${route.path}`,
      route.summary === '' ? route.tag : route.summary,
      `/docs/api#${anchorOf(route)}`,
    ]),
  ];
}

/** What an agent may read here, in the form agents look for it. */
function listForAgents(pages: readonly DocPage[]): string {
  const line = (page: DocPage): string => `- [${shortTitle(page)}](/docs/${page.slug}.md)`;
  const guides = byReader(pages).flatMap(([reader, own]) => [
    `## ${reader}`,
    '',
    ...own.map(line),
    '',
  ]);
  return [
    '# Sidelight',
    '',
    '> An ad network for AI assistants: ads beside answers, developer tools and products by API, and reports over MCP (`POST /mcp`).',
    '',
    ...guides,
    '## Reference',
    '',
    ...pages.filter(({ reader }) => reader === null).map(line),
    '',
    '## API',
    '',
    '- [openapi.json](/openapi.json): every route with its parameters, answers and errors',
    '- [API reference with examples](/docs/api.md)',
    '- [The same for people](/docs/api)',
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
      const title = /^# (.+)$/m.exec(markdown)?.[1] ?? name;
      found.push({
        slug: name.slice(0, -3),
        title,
        markdown,
        reader: place === '' ? null : (/^([^:]+): /.exec(title)?.[1] ?? 'Guides'),
      });
    }
  }
  return found;
}

/** The build puts them beside the dashboards' own. */
function findAssets(folder: URL): DocAssets {
  const names = existsSync(folder) ? readdirSync(folder) : [];
  const named = (ending: string): string =>
    names.find((name) => name.startsWith('docs-') && name.endsWith(ending)) ?? '';
  return { style: named('.css'), script: named('.js') };
}
