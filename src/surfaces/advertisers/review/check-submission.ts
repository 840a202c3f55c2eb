import { checkCreative, checkForm } from '../../../domain/review/check-creative.js';
import { creativeOf } from '../../../domain/review/creative.js';
import type { Finding } from '../../../domain/review/finding.js';
import type { PendingAd } from './review-queries.js';
import type { AdUnitRow, CampaignRow } from '../rows.js';

export interface SubjectFinding extends Finding {
  subject: 'campaign' | 'ad' | 'ad_unit';
  subjectId: string;
  subjectName: string;
}

/**
 * The automatic checks of everything handed in: no network, so that an answer can wait for them.
 */
export function checkSubmission(
  campaign: CampaignRow,
  ads: readonly PendingAd[],
  units: readonly AdUnitRow[],
): SubjectFinding[] {
  const form = campaign.lead_form_config;
  return [
    ...(form === null ? [] : checkForm(form)).map((finding): SubjectFinding => ({
      ...finding,
      subject: 'campaign',
      subjectId: campaign.id,
      subjectName: campaign.name,
    })),
    ...ads.flatMap((ad) =>
      checkAd(campaign, ad).map((finding): SubjectFinding => ({
        ...finding,
        subject: 'ad',
        subjectId: ad.id,
        subjectName: ad.name,
      })),
    ),
    ...units.flatMap((unit) =>
      checkUnit(campaign, unit).map((finding): SubjectFinding => ({
        ...finding,
        subject: 'ad_unit',
        subjectId: unit.id,
        subjectName: unit.name,
      })),
    ),
  ];
}

export function checkAd(
  campaign: Pick<CampaignRow, 'name' | 'landing_page'>,
  ad: PendingAd,
): Finding[] {
  const group = {
    brandName: ad.group_brand_name,
    landingPage: ad.group_landing_page,
    context: ad.group_context,
  };
  return checkCreative(
    creativeOf({ ...ad, landingPage: ad.landing_page }, group, {
      name: campaign.name,
      landingPage: campaign.landing_page,
    }),
    campaign.landing_page,
  );
}

function checkUnit(campaign: CampaignRow, unit: AdUnitRow): Finding[] {
  const parts = {
    headline: unit.headline,
    copy: unit.static_ad_text,
    cta: unit.static_cta,
    description: unit.description,
    landingPage: unit.landing_page,
    brandName: unit.brand_name,
  };
  return checkCreative(
    creativeOf(parts, null, { name: campaign.name, landingPage: campaign.landing_page }),
    campaign.landing_page,
  );
}

/** What the advertiser reads while a person decides. */
export function describeBlocks(findings: readonly SubjectFinding[]): string | null {
  const lines = findings
    .filter((finding) => finding.level === 'block')
    .map((finding) => `${finding.subjectName} (${finding.field}): ${finding.message}`);
  return lines.length === 0
    ? null
    : `Held for a person to look at. ${[...new Set(lines)].slice(0, 10).join('. ')}.`;
}
