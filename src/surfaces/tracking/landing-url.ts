export interface Landing {
  url: string;
  utmParams: Readonly<Record<string, string>>;
}

/**
 * The landing page with the campaign's parameters and the click id added. The page's own query
 * stays as it is written, to the
 * letter, because some pages sign theirs; only an older click id goes.
 */
export function landingUrl(landing: Landing, grclid: string): string {
  const url = new URL(landing.url);
  const added = Object.entries(landing.utmParams).filter(
    ([name]) => name !== 'grclid' && !url.searchParams.has(name),
  );
  const own = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !/^grclid(=|$)/.test(part));
  url.search = `?${[...own, new URLSearchParams([...added, ['grclid', grclid]]).toString()].join('&')}`;
  return url.href;
}
