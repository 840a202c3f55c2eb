import type { Outbound } from '../../../platform/outbound/guarded-fetch.js';

/** Addresses of pages that may sell what was asked for, best first. */
export type WebSearch = (query: string, signal: AbortSignal) => Promise<string[]>;

export interface WebSearchSettings {
  provider: 'none' | 'searxng' | 'brave';
  url: string;
  apiKey: string;
}

const braveUrl = 'https://api.search.brave.com';

/**
 * The provider is named by the operator, so its address may be private; `providerFetch` allows that
 * one host.
 */
export function createWebSearch(
  settings: WebSearchSettings,
  providerFetch: Outbound,
): WebSearch | null {
  switch (settings.provider) {
    case 'none':
      return null;
    case 'searxng':
      if (settings.url === '') return null;
      return (query, signal) =>
        ask(
          providerFetch,
          `${settings.url.replace(/\/search$/, '')}/search?${new URLSearchParams({ q: `buy ${query}`, format: 'json', safesearch: '1' })}`,
          settings.apiKey === '' ? {} : { authorization: `Bearer ${settings.apiKey}` },
          signal,
          ['results'],
        );
    case 'brave':
      return (query, signal) =>
        ask(
          providerFetch,
          `${settings.url === '' ? braveUrl : settings.url}/res/v1/web/search?${new URLSearchParams({ q: `buy ${query}`, count: '10', safesearch: 'strict' })}`,
          { 'x-subscription-token': settings.apiKey },
          signal,
          ['web', 'results'],
        );
  }
}

async function ask(
  fetch: Outbound,
  url: string,
  headers: Record<string, string>,
  signal: AbortSignal,
  path: readonly string[],
): Promise<string[]> {
  const answer = await fetch(url, {
    headers: { accept: 'application/json', ...headers },
    timeoutMs: 2500,
    signal,
  });
  if (answer.status !== 200) throw new Error(`web search answered ${answer.status}`);
  let found: unknown = JSON.parse(answer.body.toString('utf8'));
  for (const name of path)
    found = typeof found === 'object' && found !== null ? Reflect.get(found, name) : undefined;
  const results: unknown[] = Array.isArray(found) ? found : [];
  const urls = results.map((result) =>
    typeof result === 'object' && result !== null && 'url' in result ? result.url : null,
  );
  return [
    ...new Set(
      urls.filter(
        (each): each is string =>
          typeof each === 'string' &&
          URL.canParse(each) &&
          /^https?:$/.test(new URL(each).protocol),
      ),
    ),
  ];
}
