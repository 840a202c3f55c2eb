import { trimEndSigns } from '../../domain/text/trim-signs.js';
import { isIP } from 'node:net';

export interface PixelUrl {
  /** The address to fetch. */
  url: string;
  /**
   * The address as compared: http and https, a fragment and a trailing slash make no difference.
   */
  key: string;
}

/** Reads what was typed; null when it is no address of a page. */
export function readPixelUrl(typed: string): PixelUrl | null {
  const text = typed.trim();
  if (text === '' || text.length > 2000 || /\s/.test(text)) return null;
  const full = /^[a-z][a-z0-9+.-]*:\/\//i.test(text)
    ? text
    : `https://${text.replace(/^\/\//, '')}`;
  if (!URL.canParse(full)) return null;
  const url = new URL(full);
  if (
    (url.protocol !== 'https:' && url.protocol !== 'http:') ||
    url.username !== '' ||
    url.password !== ''
  )
    return null;
  if (!isHost(url.hostname)) return null;
  const port = url.port === '' ? '' : `:${url.port}`;
  return {
    url: url.href,
    key: `${url.hostname.replace(/\.$/, '')}${port}${trimEndSigns(url.pathname, /\//)}${url.search}`,
  };
}

function isHost(name: string): boolean {
  if (name === 'localhost' || isIP(name.replace(/^\[|\]$/g, '')) !== 0) return true;
  const labels = name.replace(/\.$/, '').split('.');
  return (
    labels.length > 1 &&
    labels.every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label)) &&
    !/^\d+$/.test(labels.at(-1) ?? '')
  );
}
