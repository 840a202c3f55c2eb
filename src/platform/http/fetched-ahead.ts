import type { IncomingMessage } from 'node:http';

/** Browsers and apps say when they fetch a page nobody has asked for yet. */
export function isFetchedAhead({ headers }: IncomingMessage): boolean {
  return ['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].some((name) => {
    const value = String(headers[name] ?? '').toLowerCase();
    return value.includes('prefetch') || value.includes('prerender') || value.includes('preview');
  });
}
