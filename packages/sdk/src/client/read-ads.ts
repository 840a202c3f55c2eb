import type { Ad } from '../ad.js';

const REQUIRED = ['adText', 'title', 'cta', 'brandName', 'url', 'impUrl', 'clickUrl'] as const;
const LINKS = ['url', 'impUrl', 'clickUrl'] as const;

/**
 * The usable ads of an answer, or null when it is not a list of ads at all. A link that is not
 * http(s) never reaches a page.
 */
export function readAds(answer: unknown): Ad[] | null {
  if (!Array.isArray(answer)) return null;
  const ads = answer.filter(isAd);
  return ads.length === 0 && answer.length > 0 ? null : ads;
}

function isAd(value: unknown): value is Ad {
  if (typeof value !== 'object' || value === null) return false;
  const fields: Record<string, unknown> = { ...value };
  return (
    REQUIRED.every((name) => typeof fields[name] === 'string') &&
    LINKS.every((name) => isWebLink(String(fields[name])))
  );
}

/** True for absolute http and https addresses. */
export function isWebLink(text: string): boolean {
  return /^https?:\/\/[^\s/]/i.test(text);
}
