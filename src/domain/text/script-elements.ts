// Scripts of a page somebody else wrote, found in one pass: an expression from `<script` to
// `</script` reads the rest of the page again for every one that is never closed.

export interface ScriptElement {
  readonly attributes: string;
  readonly content: string;
}

/** Every script that is closed; `attributes` is what stands in its tag. */
export function scriptElements(html: string): ScriptElement[] {
  const found: ScriptElement[] = [];
  cutElements(html, ['script'], (attributes, content) => found.push({ attributes, content }));
  return found;
}

/** The text with a space where scripts and styles were. */
export function withoutScripts(html: string): string {
  return cutElements(html, ['script', 'style'], () => undefined);
}

function cutElements(
  html: string,
  names: readonly string[],
  onElement: (attributes: string, content: string) => void,
): string {
  const opening = new RegExp(`<(?:${names.join('|')})(?![\\w-])`, 'gi');
  const closing = new RegExp(`</(?:${names.join('|')})\\s*>`, 'gi');
  let rest = '';
  let from = 0;
  for (;;) {
    opening.lastIndex = from;
    const open = opening.exec(html);
    if (open === null) break;
    const tagEnd = html.indexOf('>', opening.lastIndex);
    if (tagEnd === -1) break;
    closing.lastIndex = tagEnd + 1;
    const close = closing.exec(html);
    if (close === null) break;
    onElement(html.slice(opening.lastIndex, tagEnd), html.slice(tagEnd + 1, close.index));
    rest += `${html.slice(from, open.index)} `;
    from = closing.lastIndex;
  }
  return rest + html.slice(from);
}
