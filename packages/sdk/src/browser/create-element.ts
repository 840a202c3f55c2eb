/**
 * An element with a class, text and attributes. Text is only ever text: nothing from an ad is
 * parsed as markup.
 */
export function createElement<K extends keyof HTMLElementTagNameMap>(
  doc: Document,
  tag: K,
  className = '',
  text = '',
  attributes: Record<string, string> = {},
): HTMLElementTagNameMap[K] {
  const element = doc.createElement(tag);
  if (className !== '') element.className = className;
  if (text !== '') element.textContent = text;
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
  return element;
}

/**
 * A picture of fixed size that disappears, but keeps its place, when it cannot load; null for
 * anything but http(s).
 */
export function createPicture(
  doc: Document,
  url: string | undefined,
  className: string,
  size: number,
): HTMLImageElement | null {
  if (url === undefined || !/^https?:\/\//i.test(url)) return null;
  const attributes = {
    alt: '',
    width: String(size),
    height: String(size),
    decoding: 'async',
    referrerpolicy: 'no-referrer',
  };
  const image = createElement(doc, 'img', className, '', attributes);
  image.addEventListener('error', () => image.classList.add('gone'));
  image.src = url;
  return image;
}
