import { marked } from 'marked';

export interface DocPage {
  slug: string;
  title: string;
  markdown: string;
}

/** One HTML page that works offline: no script, one stylesheet of our own. */
export function renderPage(title: string, pages: readonly DocPage[], body: string): string {
  const links = pages
    .map((page) => `<li><a href="/docs/${page.slug}">${escapeHtml(page.title)}</a></li>`)
    .join('');
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${escapeHtml(title)} · Sidelight</title><link rel="stylesheet" href="/docs/style.css"></head>
<body><nav aria-label="Documentation"><a class="brand" href="/">Sidelight</a><ul>${links}<li><a href="/docs/api">API reference</a></li><li><a href="/openapi.json">openapi.json</a></li></ul></nav><main>${body}</main></body></html>`;
}

export function renderMarkdown(markdown: string): string {
  // Our own files, so their HTML is trusted; rendered once at start.
  return marked.parse(markdown, { async: false });
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export const stylesheet = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #dfe4ea; --ground: #ffffff; --panel: #f5f7f9; --accent: #0b6e5f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ef; --soft: #9aa6b4; --line: #2b343f; --ground: #12171d; --panel: #1a2129; --accent: #5fc9b4; } }
* { box-sizing: border-box; }
body { margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 1fr); font: 16px/1.6 system-ui, sans-serif; color: var(--ink); background: var(--ground); }
nav { padding: 1.5rem; border-right: 1px solid var(--line); min-height: 100vh; background: var(--panel); }
nav ul { list-style: none; padding: 0; margin: 1rem 0; } nav li { margin: .35rem 0; }
.brand { font-weight: 700; font-size: 1.1rem; color: var(--ink); text-decoration: none; }
a { color: var(--accent); } main { padding: 2rem clamp(1rem, 4vw, 3rem); max-width: 58rem; }
pre { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: 1rem; overflow-x: auto; font-size: 13.5px; line-height: 1.5; }
code { font-family: ui-monospace, monospace; font-size: .92em; }
table { border-collapse: collapse; width: 100%; margin: 1rem 0; font-size: .95rem; } th, td { text-align: left; padding: .4rem .6rem; border-bottom: 1px solid var(--line); vertical-align: top; }
.method { display: inline-block; min-width: 4rem; font: 600 .8rem ui-monospace, monospace; color: var(--accent); } details { border-bottom: 1px solid var(--line); padding: .5rem 0; } summary { cursor: pointer; }
.soft { color: var(--soft); }
@media (max-width: 46rem) { body { grid-template-columns: minmax(0, 1fr); } code, td, summary, h1, h2 { overflow-wrap: anywhere; } table { display: block; overflow-x: auto; } td { min-width: 5rem; } nav { min-height: 0; border-right: 0; border-bottom: 1px solid var(--line); } }
`;
