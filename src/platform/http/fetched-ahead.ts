import type { IncomingMessage } from 'node:http';

const purposeHeaders = ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'];

/** Browsers and apps say when they fetch a page nobody has asked for yet. */
export function isFetchedAhead({ headers }: IncomingMessage): boolean {
  return purposeHeaders.some((name) => {
    const said = headers[name];
    if (said === undefined) return false;
    const value = String(said).toLowerCase();
    return value.includes('prefetch') || value.includes('prerender') || value.includes('preview');
  });
}

/**
 * Whether a browser loads this as an image, a hidden frame or by a script and does not take its
 * person there. Who clicks inside a frame goes there and says so; who is no browser says nothing.
 */
export function isEmbedded({ headers }: IncomingMessage): boolean {
  const loadedAs = headers['sec-fetch-dest'];
  return loadedAs !== undefined && loadedAs !== 'document' && headers['sec-fetch-user'] !== '?1';
}
