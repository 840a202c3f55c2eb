// Does the brand belong to the page it leads to? A mismatch is common and often honest (a product
// sold by its maker), so it only flags.
import { hostOf } from './creative.js';
import type { Finding } from './finding.js';
import { foldText } from './fold-text.js';

const secondLevels = new Set(['co', 'com', 'org', 'net', 'ac', 'gov', 'edu']);

/** The labels that name a site: without `www`, the top level and what stands for it (co.uk). */
function namingLabels(host: string): string[] {
  const labels = host
    .toLowerCase()
    .split('.')
    .filter((label) => label !== 'www');
  const kept = labels.length > 1 ? labels.slice(0, -1) : labels;
  return kept.length > 1 && secondLevels.has(kept.at(-1) ?? '') ? kept.slice(0, -1) : kept;
}

export function brandMatchesHost(brand: string, host: string): boolean {
  const squash = (text: string): string => foldText(text).replace(/[^a-z0-9\p{L}]/gu, '');
  const labels = namingLabels(host);
  const whole = squash(labels.join(''));
  const squashed = squash(brand);
  if (squashed === '' || whole === '') return false;
  if (whole.includes(squashed) || squashed.includes(whole)) return true;
  const words = foldText(brand)
    .split(/[^a-z0-9\p{L}]+/u)
    .filter((word) => word.length >= 3);
  if (words.some((word) => whole.includes(word))) return true;
  const initials = foldText(brand)
    .split(/[^a-z0-9\p{L}]+/u)
    .map((word) => word[0] ?? '')
    .join('');
  return initials.length >= 2 && labels.some((label) => label === initials);
}

const hostEndings = 'com|net|org|io|co|app|dev|ai|shop|store';
const labels = String.raw`[a-z0-9][a-z0-9-]*(?:\.[a-z0-9-]+)*`;
/** A brand may be called like an address. */
const namedHost = new RegExp(
  String.raw`(?<![a-z0-9.-])[.-]*(${labels}\.(?:${hostEndings}))\b`,
  'i',
);

export function findBrandProblems(brand: string, url: string): Finding[] {
  const host = hostOf(url);
  const named = namedHost
    .exec(brand)?.[1]
    ?.toLowerCase()
    .replace(/^www\./, '');
  // Monday.com on monday.example is the same name under another ending; google.com there is not.
  if (named !== undefined && !brandMatchesHost(namingLabels(named).join(' '), host)) {
    return [
      {
        rule: 'foreign_domain',
        level: 'block',
        field: 'brand_name',
        message: 'The brand names another site than the landing page',
      },
    ];
  }
  if (brandMatchesHost(brand, host)) return [];
  return [
    {
      rule: 'brand_domain',
      level: 'flag',
      field: 'brand_name',
      message: 'The brand does not appear in the address of the landing page',
    },
  ];
}
