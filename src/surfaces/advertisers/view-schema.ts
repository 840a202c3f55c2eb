import { Type } from '@sinclair/typebox';
import {
  type DeliveryReason,
  deliveryReasons,
  type DeliveryStatus,
  deliveryStatuses,
} from '../../domain/review/delivery.js';
import { orNull } from './fields/field-schemas.js';

// What goes out. Fields are present even when null, so that clients need not ask whether they
// exist.

const text = Type.String();
const nullableText = orNull(Type.String());
const nullableNumber = orNull(Type.Number());
const list = Type.Array(Type.String());

export const AdView = Type.Object({
  id: text,
  ad_group_id: text,
  campaign_id: text,
  name: text,
  headline: nullableText,
  copy: nullableText,
  cta: nullableText,
  description: nullableText,
  landing_page: nullableText,
  image_url: nullableText,
  source: text,
  status: text,
  review_status: text,
  created_at: text,
  updated_at: text,
});

export const AdGroupView = Type.Object({
  id: text,
  campaign_id: text,
  name: text,
  group_type: text,
  status: text,
  context: nullableText,
  negative_context: nullableText,
  ad_prompt: nullableText,
  brand_name: nullableText,
  landing_page: nullableText,
  daily_budget: nullableNumber,
  auto_optimize_budget: Type.Boolean(),
  min_daily_budget: nullableNumber,
  max_daily_budget: nullableNumber,
  max_cpc: nullableNumber,
  allowed_countries: list,
  allowed_devices: list,
  sort_order: Type.Integer(),
  created_at: text,
  updated_at: text,
  ads: Type.Array(AdView),
  ads_total: Type.Integer(),
});

const Delivery = Type.Object(
  {
    status: Type.Unsafe<DeliveryStatus>({ type: 'string', enum: deliveryStatuses }),
    reason: Type.Unsafe<DeliveryReason>({ type: 'string', enum: deliveryReasons }),
    message: Type.String({ description: 'The reason in words' }),
    since: nullableText,
  },
  { description: 'Whether it is shown right now, and why not' },
);

const campaignFields = {
  campaign_id: text,
  user_id: text,
  name: text,
  status: text,
  is_active: Type.Boolean(),
  is_archived: Type.Boolean(),
  daily_budget: Type.Number(),
  daily_budget_remaining: Type.Number(),
  landing_page: text,
  campaign_objective: text,
  billing_model: text,
  bid_strategy: text,
  click_goal: nullableNumber,
  max_cpc: nullableNumber,
  impression_goal: nullableNumber,
  max_cpm: nullableNumber,
  conversion_type: nullableText,
  cpa_trust: text,
  max_cpa: nullableNumber,
  demographics: Type.Unsafe<unknown>({}),
  brand_safety: Type.Unsafe<unknown>({
    description: 'As sent, categories by id; null: nothing is excluded',
  }),
  frequency_cap: Type.Unsafe<unknown>({ description: 'As sent; null: the network’s own' }),
  frequency_caps_in_force: Type.Object(
    { per_session: Type.Integer(), per_user_day: Type.Integer() },
    {
      description: 'How often one session, and one user in 24 hours, is shown the campaign at most',
    },
  ),
  created_at: text,
  updated_at: text,
  start_time: nullableText,
  end_time: nullableText,
  allowed_countries: list,
  allowed_devices: list,
  utm_params: Type.Unsafe<unknown>({
    description: 'Key/value pairs in the form they were sent, or null',
  }),
  custom_favicon_url: nullableText,
  deployment_status: text,
  review_status: text,
  shows_approved: Type.Boolean({
    description: 'The version approved before is shown while the newest is not approved',
  }),
  delivery: Delivery,
  submitted_for_review_at: nullableText,
  reviewed_at: nullableText,
  review_notes: nullableText,
  lead_form_config: Type.Unsafe<unknown>({}),
};
const lifetime = {
  impressions: Type.Integer(),
  clicks: Type.Integer(),
  spend: Type.Number(),
  conversions: Type.Integer(),
  conversion_value: Type.Number(),
};

export const CampaignView = Type.Object(campaignFields);
export const CreatedCampaign = Type.Object({
  ...campaignFields,
  ad_groups: Type.Array(AdGroupView),
  ad_unit_ids: list,
});
export const CampaignDetail = Type.Object({ ...campaignFields, ...lifetime, ad_unit_ids: list });
export const CampaignList = Type.Object({
  campaigns: Type.Array(Type.Object({ ...campaignFields, ...lifetime })),
  next_cursor: Type.Optional(orNull(Type.String())),
});

export const AdUnitView = Type.Object({
  id: text,
  name: text,
  headline: nullableText,
  description: nullableText,
  landing_page: nullableText,
  static_ad_text: nullableText,
  static_cta: nullableText,
  favicon_url: nullableText,
  image_url: nullableText,
  brand_name: nullableText,
  source: text,
  status: text,
  review_status: text,
  review_reason: nullableText,
  utm_params: Type.Array(Type.Object({ key: text, value: text })),
  created_at: text,
  updated_at: text,
  campaign_id: nullableText,
});

export const EditEffect = Type.Object({
  goes_to_review: Type.Boolean({ description: 'It waits for a person before people see it' }),
  goes_off_air: Type.Boolean({
    description: 'The campaign is shown now and would not be any more',
  }),
  keeps_approved: Type.Boolean({
    description: 'The approved version would stay on the air until the new one is approved',
  }),
  message: Type.String(),
});

export const ArchivedCampaign = Type.Object({ campaign_id: text, is_archived: Type.Boolean() });
export const ArchivedUnit = Type.Object({
  ad_unit_id: text,
  is_archived: Type.Boolean(),
  status: text,
});
export const UnitLinks = Type.Object({ campaign_id: text, ad_unit_ids: list });
