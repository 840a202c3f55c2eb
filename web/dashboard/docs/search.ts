import { t } from '../core/language.js';
import { type DocEntry, matchDocs } from '../core/match-docs.js';
import { element } from './element.js';

/** Finds pages, headings and routes by the words in them; the list is fetched when it is needed. */
export function addSearch(): void {
  const box = document.querySelector('#search');
  if (box === null) return;
  const input = element('input', {
    type: 'search',
    role: 'combobox',
    placeholder: t('Search the docs'),
    'aria-label': t('Search the docs'),
    'aria-expanded': 'false',
    'aria-controls': 'found',
  });
  const list = element('ul', { id: 'found', role: 'listbox', 'aria-label': t('Results') });
  list.hidden = true;
  box.append(input, list);
  let entries: Promise<readonly DocEntry[]> | undefined;
  let at = 0;
  const links = (): HTMLAnchorElement[] => [...list.querySelectorAll('a')];
  const mark = (): void => {
    for (const [index, option] of [...list.children].entries()) {
      option.setAttribute('aria-selected', String(index === at));
      if (index === at) option.scrollIntoView({ block: 'nearest' });
    }
    if (links()[at] === undefined) input.removeAttribute('aria-activedescendant');
    else input.setAttribute('aria-activedescendant', `found-${at}`);
  };
  const show = async (): Promise<void> => {
    entries ??= fetch('/docs/search.json').then((answer) => answer.json());
    const found = matchDocs(await entries.catch(() => []), input.value).slice(0, 12);
    list.replaceChildren(
      ...found.map(([title, about, href], index) =>
        element(
          'li',
          { role: 'option', id: `found-${index}` },
          element('a', { href, tabindex: '-1' }, title, element('small', {}, about)),
        ),
      ),
    );
    at = 0;
    list.hidden = found.length === 0;
    input.setAttribute('aria-expanded', String(found.length > 0));
    mark();
  };
  input.addEventListener('input', () => void show());
  input.addEventListener('keydown', (event) => {
    const count = Math.max(1, links().length);
    if (event.key === 'ArrowDown') at = (at + 1) % count;
    else if (event.key === 'ArrowUp') at = (at + count - 1) % count;
    else if (event.key === 'Enter') links()[at]?.click();
    else if (event.key === 'Escape') list.hidden = true;
    else return;
    event.preventDefault();
    mark();
  });
  closeOutside(box, list);
}

function closeOutside(box: Element, list: HTMLUListElement): void {
  document.addEventListener('click', (event) => {
    if (event.target instanceof Node && !box.contains(event.target)) list.hidden = true;
    else if (event.target instanceof Element && event.target.closest('a') !== null)
      list.hidden = true;
  });
}
