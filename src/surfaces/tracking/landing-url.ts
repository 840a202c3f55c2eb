export interface Landing {
  url: string;
  utmParams: Readonly<Record<string, string>>;
}

/** The landing page with the campaign's parameters and the click id added; what the page's own query says stays, except an older click id. */
export function landingUrl(landing: Landing, grclid: string): string {
  const url = new URL(landing.url);
  for (const [name, value] of Object.entries(landing.utmParams)) if (!url.searchParams.has(name)) url.searchParams.append(name, value);
  url.searchParams.delete('grclid');
  url.searchParams.append('grclid', grclid);
  return url.href;
}

/** Stored as an object or as a list of pairs; both mean the same. */
export function utmRecord(stored: unknown): Record<string, string> {
  if (stored === null || typeof stored !== 'object') return {};
  const pairs = Array.isArray(stored) ? stored.map((pair: { key?: unknown; value?: unknown }) => [pair.key, pair.value]) : Object.entries(stored);
  return Object.fromEntries(pairs.filter(([name, value]) => typeof name === 'string' && name !== '' && value !== null && value !== undefined).map(([name, value]) => [name, String(value)]));
}
