import type { Candidate } from '../../../domain/decision/candidate.js';
import { unservable } from '../../../domain/decision/eligibility.js';
import { limitOf, parseAgeRange } from '../../../domain/decision/candidate.js';
import type { ClickModel } from '../../../domain/decision/click-model.js';
import { planBid } from '../../../domain/decision/derive-bid.js';
import { feedbackQuality } from '../../../domain/decision/quality.js';
import { type Creative as ReviewedCreative, creativeOf } from '../../../domain/review/creative.js';
import type { AdRow, CampaignRow, GroupRow } from '../queries.js';

/** What people see of an ad, with every fallback already applied, as review saw it. */
export interface Creative extends ReviewedCreative {
  readonly favicon: string | null;
  readonly image: string | null;
}

/** One thing to match against: an ad group, or all ad units of a legacy campaign. */
export interface Offer {
  readonly key: string;
  readonly campaign: CampaignRow;
  readonly group: GroupRow | null;
  readonly candidates: readonly Candidate[];
  /**
   * In the order of the candidates: a map for each of a hundred thousand groups would take more
   * room than what it holds.
   */
  readonly creatives: readonly Creative[];
  readonly text: {
    context: string;
    brand: string;
    adText: string;
    landingTerms: string;
    negativeContext: string;
  };
}

/** The ad units of a legacy campaign are one offer. */
export function unitsKey(campaignId: string): string {
  return `units:${campaignId}`;
}

/** Everything of one campaign that can serve, from rows to what a decision reads. */
export function buildOffers(
  campaign: CampaignRow,
  groups: readonly GroupRow[],
  ads: readonly AdRow[],
  model: Pick<ClickModel, 'adIndex'>,
): Offer[] {
  const offers: Offer[] = [];
  const byGroup = new Map<string | null, AdRow[]>();
  for (const ad of ads) {
    const own = byGroup.get(ad.groupId);
    if (own === undefined) byGroup.set(ad.groupId, [ad]);
    else own.push(ad);
  }
  for (const group of groups) {
    const own = byGroup.get(group.id);
    // Each row brings its own copy of the same text.
    group.campaignId = campaign.id;
    if (own !== undefined) offers.push(buildOffer(group.id, campaign, group, own, model));
  }
  const units = byGroup.get(null) ?? [];
  if (units.length > 0)
    offers.push(buildOffer(unitsKey(campaign.id), campaign, null, units, model));
  return offers;
}

/** What people see of one of the offer's ads. */
export function creativeOfAd(offer: Offer, adId: string): Creative | undefined {
  return offer.creatives[offer.candidates.findIndex((candidate) => candidate.adId === adId)];
}

function buildOffer(
  key: string,
  campaign: CampaignRow,
  group: GroupRow | null,
  ads: readonly AdRow[],
  model: Pick<ClickModel, 'adIndex'>,
): Offer {
  const texts = ads.map((ad) =>
    [ad.headline, ad.copy, ad.description]
      .filter((part) => part !== null && part !== '')
      .join('. '),
  );
  return {
    key,
    campaign,
    group,
    candidates: ads.map((ad) => judged(candidateOf(campaign, group, ad, model))),
    creatives: ads.map((ad) => creativeFor(campaign, group, ad)),
    text: {
      context: group?.context ?? [campaign.name, ...texts.slice(0, 3)].join('. '),
      brand: group?.brandName ?? ads[0]?.brandName ?? '',
      adText: texts.slice(0, 5).join(' '),
      landingTerms: group?.landingTerms ?? '',
      negativeContext: group?.negativeContext ?? '',
    },
  };
}

function creativeFor(campaign: CampaignRow, group: GroupRow | null, ad: AdRow): Creative {
  const { url, brandName, title, adText, cta } = creativeOf(ad, group, campaign);
  return {
    url,
    brandName,
    title,
    adText,
    cta,
    favicon: filled(campaign.faviconUrl) ?? filled(ad.faviconUrl) ?? null,
    image: filled(ad.imageUrl) ?? null,
  };
}

/** With what is known of it before anybody asks. */
function judged(candidate: Candidate): Candidate {
  candidate.servable = unservable(candidate) === null;
  return candidate;
}

const upper = (text: string): string => text.toUpperCase();
const lower = (text: string): string => text.toLowerCase();
const same = (text: string): string => text;

function candidateOf(
  campaign: CampaignRow,
  group: GroupRow | null,
  ad: AdRow,
  model: Pick<ClickModel, 'adIndex'>,
): Candidate {
  return {
    adId: ad.id,
    adGroupId: group?.id ?? null,
    campaignId: campaign.id,
    advertiserId: campaign.advertiserId,
    adIndex: model.adIndex(ad.id),
    // Here already, so that all have one shape.
    servable: false,
    advertiserActive: campaign.advertiserStatus === 'active',
    billable: campaign.billingEnabled || campaign.hasCredit,
    prepaid: !campaign.billingEnabled,
    timeZone: campaign.timeZone,
    campaignStatus: campaign.status,
    campaignLive: campaign.isActive,
    campaignArchived: campaign.isArchived,
    reviewStatus: campaign.reviewStatus,
    deploymentStatus: campaign.deploymentStatus,
    groupStatus: group?.status ?? 'active',
    adStatus: ad.status,
    adReviewStatus: ad.reviewStatus,
    startsAt: campaign.startTime?.getTime() ?? 0,
    endsAt: campaign.endTime?.getTime() ?? Number.POSITIVE_INFINITY,
    campaignCountries: limitOf(campaign.allowedCountries, upper),
    groupCountries: limitOf(group?.allowedCountries, upper),
    campaignDevices: limitOf(campaign.allowedDevices, lower),
    groupDevices: limitOf(group?.allowedDevices, lower),
    demographics: demographicsOf(campaign),
    bid: planBid({
      billingModel: campaign.billingModel,
      objective: campaign.objective,
      bidStrategy: campaign.bidStrategy,
      dailyBudgetMicros: campaign.dailyBudgetMicros,
      maxCpmMicros: campaign.maxCpmMicros,
      maxCpcMicros: campaign.maxCpcMicros,
      groupMaxCpcMicros: group?.maxCpcMicros ?? null,
      maxCpaMicros: campaign.maxCpaMicros,
      impressionGoal: campaign.impressionGoal,
      clickGoal: campaign.clickGoal,
    }),
    feedbackQuality: feedbackQuality(ad.thumbsUp, ad.thumbsDown),
    excludedCategories: limitOf(campaign.brandSafety?.excluded_categories, same),
    excludedPublishers: limitOf(campaign.brandSafety?.excluded_publishers, lower),
    sessionCap: campaign.frequencyCap?.per_session ?? Infinity,
    userCap: campaign.frequencyCap?.per_user_day ?? Infinity,
    experiment: campaign.experiment,
  };
}

function demographicsOf({ demographics }: CampaignRow): Candidate['demographics'] {
  return demographics === null
    ? null
    : {
        genders: limitOf(demographics.genders, lower),
        ageRanges:
          demographics.age_ranges === undefined || demographics.age_ranges.length === 0
            ? null
            : demographics.age_ranges.flatMap((range) => parseAgeRange(range) ?? []),
        interests: limitOf(demographics.interests, lower),
      };
}

function filled(text: string | null | undefined): string | undefined {
  return text === null || text === undefined || text.trim() === '' ? undefined : text;
}
