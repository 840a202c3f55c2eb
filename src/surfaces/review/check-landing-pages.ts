import { openDemoPage } from '../../domain/demo-site.js';
import { hostOf } from '../../domain/review/creative.js';
import {
  type Outbound,
  OutboundError,
  type OutboundResponse,
} from '../../platform/outbound/guarded-fetch.js';
import { readPageApart } from '../../platform/outbound/read-page-apart.js';
import { decodeText, pageProblems } from '../../platform/outbound/read-page.js';
import type { PageCheck } from './queries.js';

/**
 * Does the page answer, and is it where it says it is? Never fails: not answering is the answer.
 */
export async function checkLandingPage(
  outbound: Outbound,
  url: string,
  now: number,
): Promise<Omit<PageCheck, 'campaignId'>> {
  const checkedAt = new Date(now);
  // Pages of the demo's brands are shown by this server itself.
  if (openDemoPage(url, '') !== url)
    return { url, httpStatus: null, problem: null, checkedAt, terms: null };
  try {
    const response = await outbound(url, {
      timeoutMs: 8000,
      maxBytes: 4 * 1024 * 1024,
      headers: { accept: 'text/html,*/*;q=0.5' },
    });
    const elsewhere = siteOf(hostOf(response.url)) !== siteOf(hostOf(url));
    const problem =
      response.status >= 400
        ? `The page answers ${response.status}`
        : elsewhere
          ? 'The page redirects to another site'
          : null;
    return {
      url,
      httpStatus: response.status,
      problem,
      checkedAt,
      terms: problem === null ? await termsOf(response) : null,
    };
  } catch (error) {
    return {
      url,
      httpStatus: null,
      problem:
        error instanceof OutboundError ? pageProblems[error.failure] : pageProblems.unreachable,
      checkedAt,
      terms: null,
    };
  }
}

const longestTerms = 400;

/** What the page says it is about, in its title and description. */
async function termsOf(response: OutboundResponse): Promise<string | null> {
  const type = response.headers['content-type'] ?? '';
  if (!/html/i.test(type)) return null;
  // A page that cannot be read says nothing.
  const facts = await readPageApart(decodeText(response.body, type), response.url).catch(
    () => null,
  );
  if (facts === null) return null;
  const { title, description } = facts;
  return (
    [title, description]
      .filter((part) => part !== null)
      .join('. ')
      .slice(0, longestTerms) || null
  );
}

/**
 * Good enough to tell sites apart: the last two labels, three under short second levels such as
 * co.uk.
 */
function siteOf(host: string): string {
  const labels = host.split('.');
  const isShort = (labels.at(-2) ?? '').length <= 3 && labels.length > 2;
  return labels.slice(isShort ? -3 : -2).join('.');
}
