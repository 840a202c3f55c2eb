import { toDollars } from '../../domain/money.js';
import { checkCreative, checkForm } from '../../domain/review/check-creative.js';
import { type Creative, creativeOf } from '../../domain/review/creative.js';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import type { Db } from '../../platform/db/db.js';
import {
  listQueue,
  loadPageChecks,
  loadPreviews,
  type PageCheck,
  type PreviewRow,
  type QueuedCampaign,
} from './queries.js';

/**
 * The queue as an operator sees it: previews with every fallback applied, and what the automatic
 * checks say about each.
 */
export async function showQueue(db: Db, after: { at: Date; id: string } | null, limit: number) {
  const campaigns = await listQueue(db, after, limit);
  const ids = campaigns.map((campaign) => campaign.id);
  const previews = ids.length === 0 ? [] : await loadPreviews(db, ids);
  const pages = ids.length === 0 ? [] : await loadPageChecks(db, ids);
  return campaigns.map((campaign) => ({
    waitingSince: campaign.waitingSince,
    view: showCampaign(
      campaign,
      previews.filter((row) => row.campaignId === campaign.id),
      pages.filter((page) => page.campaignId === campaign.id),
    ),
  }));
}

function showCampaign(
  campaign: QueuedCampaign,
  previews: readonly PreviewRow[],
  pages: readonly PageCheck[],
) {
  return {
    campaign_id: campaign.id,
    advertiser_id: campaign.advertiserId,
    advertiser_name: campaign.advertiserName,
    name: campaign.name,
    status: campaign.status,
    review_status: campaign.reviewStatus,
    shows_approved: campaign.showsApproved,
    submitted_for_review_at:
      campaign.submittedAt === null ? null : formatTimestamp(campaign.submittedAt.getTime()),
    landing_page: campaign.landingPage,
    daily_budget: toDollars(campaign.dailyBudgetMicros),
    allowed_countries: campaign.allowedCountries,
    lead_form_config: campaign.leadForm,
    previews: previews.map((row) => showPreview(campaign, row)),
    previews_total: previews[0]?.total ?? 0,
    findings: [
      ...(campaign.leadForm === null ? [] : checkForm(campaign.leadForm)),
      ...pages.flatMap((page) =>
        page.problem === null
          ? []
          : [
              {
                rule: 'landing_page',
                level: 'flag',
                field: 'landing_page',
                message: `${page.url}: ${page.problem}`,
              },
            ],
      ),
    ],
    pages: pages.map((page) => ({
      url: page.url,
      http_status: page.httpStatus,
      problem: page.problem,
      checked_at: formatTimestamp(page.checkedAt.getTime()),
    })),
  };
}

function showPreview(campaign: QueuedCampaign, row: PreviewRow) {
  const creative: Creative = creativeOf(
    row,
    { brandName: row.groupBrandName, landingPage: row.groupLandingPage, context: row.groupContext },
    campaign,
  );
  return {
    id: row.id,
    kind: row.kind,
    ad_group_id: row.groupId,
    name: row.name,
    ...creative,
    image: row.imageUrl,
    favicon: campaign.faviconUrl ?? row.faviconUrl,
    source: row.source,
    review_status: row.reviewStatus,
    findings: checkCreative(creative, campaign.landingPage),
  };
}
