import { billingModelNames } from '../../domain/billing/billing-models.js';
import { type Static, Type } from '@sinclair/typebox';
import { campaignStatuses, reviewStatuses } from '../../domain/review/review-state.js';
import { whileInReview } from './write.js';
import {
  choice,
  countryList,
  deviceList,
  dollars,
  goal,
  idList,
  nameText,
  optional,
  someDollars,
  timeText,
  urlText,
  utmInput,
} from './fields/field-schemas.js';

// What comes in. Deeper rules (addresses, countries, dates, forms) are in the read-* files, which
// name the field they refuse.

export const groupTypes = ['generative', 'manual'] as const;
export const groupStatuses = ['active', 'paused', 'archived'] as const;
export const objectives = ['impressions', 'clicks', 'conversions'] as const;

/** For edits of what people see; every write takes it, and only those mind it. */
const inReview = {
  while_in_review: optional(
    choice(whileInReview, {
      description:
        'What people see until a change of what they see is approved: the approved version (default), or nothing',
    }),
  ),
};

const adFields = {
  name: optional(nameText),
  headline: optional(Type.String({ maxLength: 80 })),
  copy: optional(Type.String({ maxLength: 500 })),
  cta: optional(Type.String({ maxLength: 80 })),
  description: optional(Type.String({ maxLength: 2000 })),
  landing_page: optional(urlText),
  image_url: optional(urlText),
  status: optional(choice(groupStatuses)),
};
export const AdInput = Type.Object({ ...adFields, ...inReview });
export type AdInput = Static<typeof AdInput>;

/** In a replaced list an ad with an id is kept and edited. */
const ListedAd = Type.Object({ id: optional(Type.String({ maxLength: 100 })), ...adFields });
export type ListedAd = Static<typeof ListedAd>;

const groupFields = {
  group_type: optional(choice(groupTypes)),
  status: optional(choice(groupStatuses)),
  context: optional(Type.String({ maxLength: 10_000 })),
  negative_context: optional(Type.String({ maxLength: 10_000 })),
  ad_prompt: optional(Type.String({ maxLength: 10_000 })),
  brand_name: optional(Type.String({ minLength: 1, maxLength: 100, pattern: '\\S' })),
  landing_page: optional(urlText),
  daily_budget: optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  auto_optimize_budget: optional(Type.Boolean()),
  min_daily_budget: optional(dollars),
  max_daily_budget: optional(dollars),
  max_cpc: optional(dollars),
  allowed_countries: optional(countryList),
  allowed_devices: optional(deviceList),
  ads: optional(Type.Array(ListedAd, { maxItems: 1000 })),
};
export const EmbeddedGroup = Type.Object({ name: nameText, ...groupFields });
export type EmbeddedGroup = Static<typeof EmbeddedGroup>;
export const NewAdGroup = Type.Object({
  campaign_id: Type.String({ maxLength: 100 }),
  name: nameText,
  ...groupFields,
  ...inReview,
});
export type NewAdGroup = Static<typeof NewAdGroup>;
export const AdGroupPatch = Type.Object({
  campaign_id: Type.Optional(Type.String({ maxLength: 100 })),
  name: Type.Optional(nameText),
  ...groupFields,
  ...inReview,
});
export type AdGroupPatch = Static<typeof AdGroupPatch>;

/** Rules between its members are checked by `readLeadForm`, which keeps only what is named here. */
const leadForm = Type.Object({
  title: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
  description: optional(Type.String({ maxLength: 2000 })),
  fields: Type.Array(
    Type.Object({
      name: Type.String({ pattern: '^[A-Za-z][A-Za-z0-9_.\\- ]{0,63}$' }),
      label: Type.String({ minLength: 1, maxLength: 200, pattern: '\\S' }),
      type: choice(['text', 'email', 'phone', 'select', 'checkbox']),
      required: optional(Type.Boolean()),
      options: optional(
        Type.Array(Type.String({ minLength: 1, maxLength: 200 }), { maxItems: 100 }),
      ),
    }),
    { minItems: 1, maxItems: 10 },
  ),
  submit_label: optional(Type.String({ maxLength: 80 })),
  privacy_policy_url: optional(urlText),
  success_message: optional(Type.String({ maxLength: 500 })),
});
export type LeadFormInput = Static<typeof leadForm>;
const demographics = Type.Object({
  genders: optional(Type.Array(Type.String({ maxLength: 30 }), { maxItems: 10 })),
  age_ranges: optional(Type.Array(Type.String({ maxLength: 20 }), { maxItems: 30 })),
  interests: optional(Type.Array(Type.String({ minLength: 1, maxLength: 100 }), { maxItems: 200 })),
});
export type DemographicsInput = Static<typeof demographics>;

const brandSafety = Type.Object({
  excluded_categories: optional(
    Type.Array(Type.String({ maxLength: 100 }), {
      maxItems: 100,
      description: 'IAB content categories of conversations, by id or name',
    }),
  ),
  excluded_publishers: optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 1000 })),
});
export type BrandSafetyInput = Static<typeof brandSafety>;
const times = Type.Integer({ minimum: 1, maximum: 1000 });
const frequencyCap = Type.Object({
  per_session: optional(times),
  per_user_day: optional(times),
});
export type FrequencyCapInput = Static<typeof frequencyCap>;

/** Whose word a conversion is paid on, where conversions are paid. */
const cpaTrust = choice(['server', 'pixel']);

export const NewCampaign = Type.Object({
  name: nameText,
  landing_page: urlText,
  daily_budget: someDollars,
  status: optional(choice(campaignStatuses)),
  campaign_objective: optional(choice(objectives)),
  billing_model: optional(choice(billingModelNames)),
  bid_strategy: optional(choice(['lowest_cost', 'bid_cap'])),
  is_active: optional(Type.Boolean()),
  start_time: optional(timeText),
  end_time: optional(timeText),
  click_goal: optional(goal),
  max_cpc: optional(dollars),
  impression_goal: optional(goal),
  max_cpm: optional(dollars),
  conversion_type: optional(Type.String({ minLength: 1, maxLength: 100 })),
  cpa_trust: optional(cpaTrust),
  max_cpa: optional(dollars),
  demographics: optional(demographics),
  brand_safety: optional(brandSafety),
  frequency_cap: optional(frequencyCap),
  utm_params: optional(utmInput),
  allowed_countries: optional(countryList),
  allowed_devices: optional(deviceList),
  custom_favicon_url: optional(urlText),
  lead_form_config: optional(leadForm),
  ad_groups: optional(Type.Array(EmbeddedGroup, { maxItems: 1000 })),
  ad_unit_ids: optional(idList),
});
export type NewCampaign = Static<typeof NewCampaign>;

export const CampaignPatch = Type.Object({
  name: Type.Optional(nameText),
  landing_page: Type.Optional(urlText),
  daily_budget: Type.Optional(someDollars),
  cpa_trust: optional(cpaTrust),
  campaign_objective: Type.Optional(choice(objectives)),
  max_cpc: optional(dollars),
  max_cpm: optional(dollars),
  max_cpa: optional(dollars),
  status: Type.Optional(choice(campaignStatuses)),
  start_time: optional(timeText),
  end_time: optional(timeText),
  allowed_countries: optional(countryList),
  allowed_devices: optional(deviceList),
  utm_params: optional(utmInput),
  custom_favicon_url: optional(urlText),
  lead_form_config: optional(leadForm),
  brand_safety: optional(brandSafety),
  frequency_cap: optional(frequencyCap),
  demographics: optional(demographics),
  bid_strategy: optional(choice(['lowest_cost', 'bid_cap'])),
  click_goal: optional(goal),
  impression_goal: optional(goal),
  conversion_type: optional(Type.String({ minLength: 1, maxLength: 100 })),
  ...inReview,
});
export type CampaignPatch = Static<typeof CampaignPatch>;

export const NewAdUnit = Type.Object({
  name: nameText,
  headline: optional(Type.String({ maxLength: 80 })),
  description: optional(Type.String({ maxLength: 2000 })),
  landing_page: optional(urlText),
  static_ad_text: optional(Type.String({ maxLength: 500 })),
  static_cta: optional(Type.String({ maxLength: 80 })),
  favicon_url: optional(urlText),
  image_url: optional(urlText),
  brand_name: optional(Type.String({ maxLength: 100 })),
  utm_params: optional(utmInput),
});
export type NewAdUnit = Static<typeof NewAdUnit>;

export const LinkedUnits = Type.Object({
  ad_unit_ids: Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 1000 }),
  ...inReview,
});
export const ReplacedUnits = Type.Object({ ad_unit_ids: idList, ...inReview });
export type LinkedUnits = Static<typeof LinkedUnits>;

const many = Type.Array(Type.String({ maxLength: 100 }), { minItems: 1, maxItems: 200 });

/** A change nobody takes would be done to none of the many, without a word. */
const only = { additionalProperties: false };

/** The same change for many campaigns; a percentage is of each one's own budget. */
export const CampaignsBulk = Type.Object({
  campaign_ids: many,
  changes: Type.Object(
    {
      status: Type.Optional(choice(['active', 'paused'])),
      daily_budget: Type.Optional(someDollars),
      daily_budget_percent: Type.Optional(
        Type.Number({ minimum: -90, maximum: 900, description: 'Up or down from what it is' }),
      ),
      max_cpc: optional(dollars),
      end_time: optional(timeText),
      archived: Type.Optional(Type.Boolean()),
    },
    only,
  ),
});
export type CampaignsBulk = Static<typeof CampaignsBulk>;

export const AdsBulk = Type.Object({
  ad_ids: many,
  changes: Type.Object({ status: choice(groupStatuses) }, only),
});
export type AdsBulk = Static<typeof AdsBulk>;

export const AdGroupsBulk = Type.Object({
  ad_group_ids: many,
  changes: Type.Object(
    {
      status: Type.Optional(choice(groupStatuses)),
      daily_budget: optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
      max_cpc: optional(dollars),
    },
    only,
  ),
});
export type AdGroupsBulk = Static<typeof AdGroupsBulk>;

/** An edit somebody thinks about: of exactly one thing, with the body its PATCH would get. */
export const EditCheck = Type.Object({
  campaign_id: optional(Type.String({ maxLength: 100 })),
  ad_group_id: optional(Type.String({ maxLength: 100 })),
  ad_id: optional(Type.String({ maxLength: 100 })),
  changes: Type.Record(Type.String(), Type.Unknown(), {
    description: 'What the PATCH of the campaign, ad group or ad would be sent',
  }),
});
export type EditCheck = Static<typeof EditCheck>;

export const CampaignListQuery = Type.Object({
  status: Type.Optional(choice(campaignStatuses)),
  review_status: Type.Optional(choice(reviewStatuses)),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name' })),
  archived: Type.Optional(choice(['only'], { description: 'Archived ones alone' })),
  include_archived: Type.Boolean({ default: true }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
});
export type CampaignListQuery = Static<typeof CampaignListQuery>;

export const AdGroupListQuery = Type.Object({
  campaign_id: Type.Optional(Type.String({ maxLength: 100 })),
  q: Type.Optional(Type.String({ maxLength: 200, description: 'Part of the name' })),
  include_archived: Type.Boolean({ default: false }),
  limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000 })),
  cursor: Type.Optional(Type.String({ maxLength: 200 })),
});
export type AdGroupListQuery = Static<typeof AdGroupListQuery>;
