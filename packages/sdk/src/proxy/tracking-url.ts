const SUFFIX = /\/(?:ack|track\/(?:imp|click|viewable))$/;

/** The part of a path the tracking host knows, or null when the path is not one of its. */
export function trackingSuffix(path: string): string | null {
  return SUFFIX.exec(path)?.[0] ?? null;
}

/**
 * The ad with both tracking URLs on your own domain; only the part before the tracking path
 * changes.
 *
 * @example
 * rewriteTrackingUrls(ad, 'https://chat.example/t').impUrl // https://chat.example/t/ack?p=…
 */
export function rewriteTrackingUrls<T extends { impUrl: string; clickUrl: string }>(
  ad: T,
  publicPrefix: string,
): T {
  return {
    ...ad,
    impUrl: moveUrl(ad.impUrl, publicPrefix),
    clickUrl: moveUrl(ad.clickUrl, publicPrefix),
  };
}

function moveUrl(url: string, publicPrefix: string): string {
  const cut = url.indexOf('?');
  const suffix = trackingSuffix(cut < 0 ? url : url.slice(0, cut));
  return suffix === null
    ? url
    : `${publicPrefix.replace(/\/{1,9}$/, '')}${suffix}${cut < 0 ? '' : url.slice(cut)}`;
}
