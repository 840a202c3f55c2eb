import type { DisclosureWords } from '../../domain/disclosure/disclosure.js';
import type { ChoicesView } from './schema.js';

const rightToLeft = new Set(['ar']);

/** The page behind an ad's link: plain forms, no script, no cookie, nothing from elsewhere. */
export function renderChoices(
  view: ChoicesView,
  words: DisclosureWords,
  {
    done,
    receipt,
    copy,
  }: {
    /** What was just done. */
    done: string | null;
    receipt: string | null;
    /** Where a copy of everything is; null when it is too late for one. */
    copy: string | null;
  },
): string {
  const { disclosure, language } = view;
  const form = (query: string, label: string, isMade = false): string =>
    `<form method="post" action="?l=${language}&amp;${query}"><button${isMade ? ' class="made"' : ''}>${escape(label)}</button></form>`;
  const choices = view.choices
    .map(({ action, label, made }) =>
      made
        ? `<li>${escape(label)} ✓ ${form(`action=${action}&amp;undo=true`, words.undo, true)}</li>`
        : `<li>${form(`action=${action}`, label)}</li>`,
    )
    .join('');
  const copyLink =
    copy === null ? '' : `<p><a href="${escape(copy)}" download>${escape(words.copy)}</a></p>`;
  const kept =
    view.kept.length === 0
      ? `<p>${escape(words.kept_nothing)}</p>`
      : `<dl>${view.kept.map(({ name, value }) => `<div><dt>${escape(name)}</dt><dd>${escape(value)}</dd></div>`).join('')}</dl>${copyLink}${form('action=delete', words.delete)}`;
  const note =
    done === null
      ? ''
      : `<p role="status">${escape(done === 'deleted' ? words.deleted : words.saved)}${receipt === null ? '' : ` ${escape(words.receipt)}: <code>${escape(receipt)}</code>`}</p>`;
  return page(
    language,
    words.about,
    `<p class="label">${escape(disclosure.label)}</p><h1>${escape(words.about)}</h1>${note}
<dl><div><dt>${escape(words.advertiser)}</dt><dd>${escape(disclosure.advertiser)}</dd></div><div><dt>${escape(words.paid_by)}</dt><dd>${escape(disclosure.paid_by)}</dd></div></dl>
<h2>${escape(words.why)}</h2><p>${escape(disclosure.why)}</p>
<h2>${escape(words.choices)}</h2><p>${escape(view.scope === 'user' ? words.for_user : words.for_session)}</p><ul>${choices}</ul>
<h2>${escape(words.kept)}</h2>${kept}`,
  );
}

export function renderGone(language: string, words: DisclosureWords): string {
  return page(language, words.about, `<h1>${escape(words.about)}</h1><p>${escape(words.gone)}</p>`);
}

function page(language: string, title: string, body: string): string {
  const dir = rightToLeft.has(language) ? ' dir="rtl"' : '';
  return `<!doctype html><html lang="${language}"${dir}><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex"><meta name="referrer" content="no-referrer"><title>${escape(title)}</title><link rel="stylesheet" href="/ad-choices/style.css"></head>
<body><main>${body}</main></body></html>`;
}

function escape(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}

export const choicesStyles = `
:root { color-scheme: light dark; --ink: #1c2430; --soft: #5b6675; --line: #dfe4ea; --ground: #fff; --accent: #0b6e5f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e4e9ef; --soft: #9aa6b4; --line: #2b343f; --ground: #12171d; --accent: #5fc9b4; } }
* { box-sizing: border-box; }
body { margin: 0; font: 16px/1.55 system-ui, sans-serif; color: var(--ink); background: var(--ground); }
main { max-width: 34rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; overflow-wrap: anywhere; }
h1 { font-size: 1.5rem; margin: .5rem 0 1rem; } h2 { font-size: 1.05rem; margin: 2rem 0 .5rem; }
.label { display: inline-block; margin: 0; padding: 0 .5rem; border: 1px solid currentColor; border-radius: 4px; font-size: .8rem; color: var(--soft); }
dl { margin: 0; } dl div { display: flex; gap: 1rem; padding: .45rem 0; border-bottom: 1px solid var(--line); }
dt { flex: 0 0 45%; color: var(--soft); } dd { margin: 0; }
ul { list-style: none; margin: 0; padding: 0; } li { display: flex; align-items: center; flex-wrap: wrap; gap: .75rem; margin: .5rem 0; }
form { margin: .5rem 0; } li form { margin: 0; }
a { color: var(--accent); } code { font-size: .85em; }
button { padding: .55rem .9rem; border: 1px solid var(--line); border-radius: 8px; background: transparent; color: inherit; font: inherit; cursor: pointer; }
button:hover, button:focus-visible { border-color: var(--accent); } button:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
[role=status] { padding: .6rem .9rem; border-left: 3px solid var(--accent); background: color-mix(in srgb, var(--accent) 12%, transparent); }
`;
