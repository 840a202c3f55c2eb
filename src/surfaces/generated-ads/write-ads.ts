import { cleanText } from '../../domain/ad-writing/clean-text.js';
import { composeAds } from '../../domain/ad-writing/compose-ads.js';
import type { PageFacts } from '../../domain/ad-writing/page-facts.js';
import { hostOf } from '../../domain/review/creative.js';
import type { Outbound } from '../../platform/outbound/guarded-fetch.js';
import { PageUnreadable, readPage } from '../../platform/outbound/read-page.js';
import { askForAds } from './ask-for-ads.js';
import { addressOf, type DraftDeps } from './draft-ad-units.js';
import type { WriteAds } from './schema.js';

/**
 * Ads to look at, change and choose from before anything is launched. They follow the brief; a page
 * that cannot be read leaves the brief alone to write from, and the answer says so.
 */
export async function writeAds(
  deps: Pick<DraftDeps, 'outbound' | 'llm' | 'log'>,
  body: WriteAds,
): Promise<{
  ads: { headline: string; copy: string; cta: string }[];
  page_read: boolean;
  page_problem: string | null;
  image_url: string | null;
}> {
  const url = addressOf(body.landing_page, 'landing_page');
  const host = hostOf(url);
  const { page, problem } = await tryPage(deps.outbound, url);
  const brief = {
    brand: cleanText(body.brand_name ?? '') || host,
    host,
    context: body.context,
    prompt: body.ad_prompt ?? '',
  };
  const { count = 4, known = [] } = body;
  const written = await askForAds(deps, { brief, page, count, known, winners: [], losers: [] });
  const composed = composeAds(brief, page, {
    count: count - written.length,
    known: [...known, ...written],
  });
  return {
    ads: [...written, ...composed].map(({ headline, copy, cta }) => ({ headline, copy, cta })),
    page_read: page !== null,
    page_problem: problem,
    image_url: page?.imageUrl ?? null,
  };
}

async function tryPage(
  outbound: Outbound,
  url: string,
): Promise<{ page: PageFacts | null; problem: string | null }> {
  try {
    return { page: await readPage(outbound, url), problem: null };
  } catch (error) {
    if (!(error instanceof PageUnreadable)) throw error;
    return { page: null, problem: error.message };
  }
}
