import { Marked } from 'marked';

export interface DocPage {
  slug: string;
  title: string;
  markdown: string;
  /** Whom it is for, as its title says ("Publishers: …"); null: a reference for everybody. */
  reader: string | null;
}

/** Those who read the guides, in the order they are listed; what is named otherwise comes last. */
const readers = ['Publishers', 'Advertisers', 'Agents', 'Merchants', 'Operators'];

/** The guides of each reader; the one that is named after them first. */
export function byReader<Page extends Pick<DocPage, 'slug' | 'reader'>>(
  pages: readonly Page[],
): [reader: string, guides: Page[]][] {
  const found = pages.flatMap(({ reader }) => (reader === null ? [] : [reader]));
  return [...new Set([...readers, ...found])].flatMap((reader): [string, Page[]][] => {
    const guides = pages.filter((page) => page.reader === reader);
    const isFirst = (page: Page): number => Number(page.slug === reader.toLowerCase());
    return guides.length === 0 ? [] : [[reader, guides.sort((a, b) => isFirst(b) - isFirst(a))]];
  });
}

/** What a guide is about, under the name of its readers. */
export function shortTitle({ title, reader }: Pick<DocPage, 'title' | 'reader'>): string {
  if (reader === null || !title.startsWith(`${reader}: `)) return title;
  const rest = title.slice(reader.length + 2);
  return `${rest[0]?.toUpperCase() ?? ''}${rest.slice(1)}`;
}

/** Names of the built files, which carry a hash of what is inside. */
export interface DocAssets {
  style: string;
  script: string;
}

/**
 * A page in the dress of the dashboards: their header, the list of pages with the current one
 * marked, a search. It reads without the script, which only adds search, copying and trying out.
 */
export function renderPage(
  { style, script }: DocAssets,
  pages: readonly Pick<DocPage, 'slug' | 'title' | 'reader'>[],
  current: { slug: string; title: string; body: string },
): string {
  const link = (slug: string, title: string): string =>
    `<li><a href="/docs${slug === '' ? '' : `/${slug}`}"${slug === current.slug ? ' aria-current="page"' : ''}>${escapeHtml(title)}</a></li>`;
  const list = (listed: readonly Pick<DocPage, 'slug' | 'title' | 'reader'>[]): string =>
    listed.map((page) => link(page.slug, shortTitle(page))).join('');
  const guides = byReader(pages)
    .map(([reader, own]) => `<p class="menu-title">${escapeHtml(reader)}</p><ul>${list(own)}</ul>`)
    .join('');
  const reference = list(pages.filter(({ reader }) => reader === null));
  const markdown =
    current.slug === ''
      ? ''
      : `<p class="doc-links quiet"><a href="/docs/${current.slug}.md">This page as Markdown</a></p>`;
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="color-scheme" content="light dark"><title>${escapeHtml(current.title)} · Sidelight</title><link rel="icon" href="/assets/icon.svg" type="image/svg+xml"><link rel="stylesheet" href="/assets/${style}"><script type="module" src="/assets/${script}"></script></head>
<body><div class="shell with-menu docs"><a class="skip" href="#main">Skip to content</a>
<header class="top"><button type="button" class="menu-button" aria-expanded="false" aria-controls="menu"><span aria-hidden="true">☰</span><span class="hidden">Menu</span></button><a class="brand" href="/"><img src="/assets/icon.svg" alt="" width="24" height="24"> Sidelight</a><nav aria-label="Main" class="top-links"><a href="/app/playground">Playground</a><a href="/docs" aria-current="true">Docs</a><button type="button" class="button small" id="theme" hidden></button><a class="button primary small" id="account" href="/app">Sign in</a></nav></header>
<nav id="menu" class="menu" aria-label="Documentation"><div class="doc-search" id="search"></div><ul>${link('', 'Start here')}</ul>${guides}<p class="menu-title">Reference</p><ul>${link('api', 'API reference')}${reference}<li><a href="/openapi.json">openapi.json</a></li><li><a href="/llms.txt">llms.txt</a></li></ul></nav>
<main id="main" tabindex="-1" class="doc">${current.body}${markdown}</main></div></body></html>`;
}

/** A heading's address on its page. */
export const slugOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\d]+/gu, '-')
    .replace(/^-|-$/g, '');

const markdown = new Marked({
  renderer: {
    heading({ tokens, depth, text }) {
      return `<h${depth} id="${slugOf(text)}">${this.parser.parseInline(tokens)}</h${depth}>\n`;
    },
    code({ text }) {
      return `<pre tabindex="0"><code>${escapeHtml(text)}</code></pre>\n`;
    },
  },
});

export function renderMarkdown(text: string): string {
  // Our own files, so their HTML is trusted; rendered once.
  return markdown
    .parse(text, { async: false })
    .replaceAll('<table>', '<div class="table-box" tabindex="0"><table>')
    .replaceAll('</table>', '</table></div>');
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
