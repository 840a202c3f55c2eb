import { cleanText, cutAtWord } from '../../domain/ad-writing/clean-text.js';
import { composeAds } from '../../domain/ad-writing/compose-ads.js';
import type { PageFacts } from '../../domain/ad-writing/page-facts.js';
import { hostOf } from '../../domain/review/creative.js';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import { recordAudit } from '../../platform/audit.js';
import type { Caller } from '../../platform/auth/guards.js';
import type { Clock } from '../../platform/clock.js';
import type { Db } from '../../platform/db/db.js';
import { AppError } from '../../platform/errors.js';
import type { MintId } from '../../platform/ids.js';
import type { Llm } from '../../platform/llm/llm.js';
import type { Log } from '../../platform/log.js';
import type { Outbound } from '../../platform/outbound/guarded-fetch.js';
import { PageUnreadable, readPage } from '../../platform/outbound/read-page.js';
import { askForAds } from './ask-for-ads.js';
import { type DraftUnit, insertDraftUnits } from './queries.js';

export interface DraftDeps {
  db: Db;
  clock: Clock;
  mintId: MintId;
  outbound: Outbound;
  llm: Llm | null;
  log: Log;
}

type Draft = Omit<DraftUnit, 'id'>;

/** Distinct drafts from what the page says about itself. */
export async function draftAdUnits(
  deps: DraftDeps,
  siteUrl: string,
  count: number,
): Promise<Draft[]> {
  const url = addressOf(siteUrl);
  const page = await readForAdvertiser(deps.outbound, url);
  const host = hostOf(url);
  const brand = brandOf(page, host);
  const brief = { brand, host, context: '', prompt: '' };
  const written = await askForAds(deps, { brief, page, count, known: [], winners: [], losers: [] });
  const ads = [
    ...written,
    ...composeAds(brief, page, { count: count - written.length, known: written }),
  ];
  return ads.map((ad) => ({
    name: ad.headline,
    headline: ad.headline,
    description: cutAtWord(cleanText(page.description ?? page.title ?? ad.copy), 500),
    landing_page: url,
    static_ad_text: ad.copy,
    static_cta: ad.cta,
    favicon_url: page.faviconUrl,
    image_url: page.imageUrl,
    brand_name: brand,
  }));
}

export async function storeDrafts(
  deps: Pick<DraftDeps, 'mintId'>,
  write: { tx: Db; now: number; advertiserId: string; actor: Caller['actor'] },
  campaignId: string,
  drafts: readonly Draft[],
) {
  const units = drafts.map((draft): DraftUnit => ({ id: deps.mintId(write.now), ...draft }));
  await insertDraftUnits(write.tx, write.advertiserId, units, new Date(write.now));
  for (const unit of units) {
    await recordAudit(write.tx, deps.mintId, write.now, {
      actor: write.actor,
      accountId: write.advertiserId,
      action: 'generate',
      entity: 'ad_unit',
      entityId: unit.id,
      before: null,
      after: { ...unit, for_campaign: campaignId },
    });
  }
  const at = formatTimestamp(write.now);
  return units.map((unit) => ({
    ...unit,
    source: 'scraped',
    status: 'draft',
    review_status: 'not_submitted',
    review_reason: null,
    utm_params: [],
    created_at: at,
    updated_at: at,
    campaign_id: null,
  }));
}

async function readForAdvertiser(outbound: Outbound, url: string): Promise<PageFacts> {
  try {
    return await readPage(outbound, url);
  } catch (error) {
    if (!(error instanceof PageUnreadable)) throw error;
    throw new AppError('page_unreadable', {
      detail: [{ type: 'page_unreadable', loc: ['body', 'site_url'], msg: error.message }],
      cause: error,
    });
  }
}

/** People leave the scheme out. */
export function addressOf(siteUrl: string, field = 'site_url'): string {
  const trimmed = siteUrl.trim();
  const address = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(trimmed) ? trimmed : `https://${trimmed}`;
  const isWeb = URL.canParse(address) && /^https?:$/.test(new URL(address).protocol);
  if (!isWeb)
    throw new AppError('page_unreadable', {
      detail: [
        {
          type: 'page_unreadable',
          loc: ['body', field],
          msg: 'Not the address of a web page',
        },
      ],
    });
  return new URL(address).href;
}

function brandOf(page: PageFacts, host: string): string {
  const named = cleanText(page.siteName ?? '');
  return named === '' ? host : cutAtWord(named, 60);
}
