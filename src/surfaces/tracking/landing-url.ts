export interface Landing {
  url: string;
  utmParams: Readonly<Record<string, string>>;
}

/**
 * The landing page with the campaign's parameters and the click id added, where there may be one.
 * The page's own query stays as it is written, to the letter, because some pages sign theirs; only
 * an older click id goes.
 */
export function landingUrl(landing: Landing, grclid: string | null): string {
  const url = new URL(landing.url);
  const added = Object.entries(landing.utmParams).filter(
    ([name]) => name !== 'grclid' && !url.searchParams.has(name),
  );
  const own = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && !/^grclid(=|$)/.test(part));
  const more = new URLSearchParams([...added, ...(grclid === null ? [] : [['grclid', grclid]])]);
  const whole = [...own, ...(more.size === 0 ? [] : [more.toString()])].join('&');
  url.search = whole === '' ? '' : `?${whole}`;
  return url.href;
}
