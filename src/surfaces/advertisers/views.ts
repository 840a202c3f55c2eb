import { toDollars } from '../../domain/money.js';
import { deliveryOf } from '../../domain/review/delivery.js';
import { formatTimestamp } from '../../domain/time/format-timestamp.js';
import type { CampaignStats } from './campaigns/campaign-queries.js';
import type { AdGroupRow, AdRow, AdUnitRow, CampaignRow } from './rows.js';

// From rows to what callers read: dollars for microdollars, text for instants.

/** What binds whatever a campaign asks for. */
export interface NetworkCaps {
  session: number;
  user: number;
}

export function campaignView(row: CampaignRow & CampaignStats, caps: NetworkCaps, now: number) {
  const delivery = deliveryAt(row, now);
  return {
    campaign_id: row.id,
    user_id: row.advertiser_id,
    name: row.name,
    status: row.status,
    is_active: row.is_active,
    is_archived: row.is_archived,
    daily_budget: toDollars(row.daily_budget_micros),
    daily_budget_remaining: toDollars(
      Math.max(0, row.daily_budget_micros - row.spent_today_micros),
    ),
    landing_page: row.landing_page,
    campaign_objective: row.campaign_objective,
    billing_model: row.billing_model,
    bid_strategy: row.bid_strategy,
    click_goal: row.click_goal,
    max_cpc: dollarsOrNull(row.max_cpc_micros),
    impression_goal: row.impression_goal,
    max_cpm: dollarsOrNull(row.max_cpm_micros),
    conversion_type: row.conversion_type,
    cpa_trust: row.cpa_trust,
    max_cpa: dollarsOrNull(row.max_cpa_micros),
    demographics: row.demographics,
    brand_safety: row.brand_safety,
    frequency_cap: row.frequency_cap,
    frequency_caps_in_force: capsInForce(row.frequency_cap, caps),
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    start_time: timeOrNull(row.start_time),
    end_time: timeOrNull(row.end_time),
    allowed_countries: row.allowed_countries,
    allowed_devices: row.allowed_devices,
    utm_params: row.utm_params,
    custom_favicon_url: row.custom_favicon_url,
    deployment_status: row.deployment_status,
    review_status: row.review_status,
    shows_approved: row.shows_approved,
    delivery: {
      ...delivery,
      since: delivery.since === null ? null : formatTimestamp(delivery.since),
    },
    submitted_for_review_at: timeOrNull(row.submitted_for_review_at),
    reviewed_at: timeOrNull(row.reviewed_at),
    review_notes: row.review_notes,
    lead_form_config: row.lead_form_config,
  };
}

function deliveryAt(row: CampaignRow & CampaignStats, now: number): ReturnType<typeof deliveryOf> {
  return deliveryOf(
    {
      status: row.status,
      isActive: row.is_active,
      isArchived: row.is_archived,
      reviewStatus: row.review_status,
      showsApproved: row.shows_approved,
      submittedAt: row.submitted_for_review_at?.getTime() ?? null,
      reviewedAt: row.reviewed_at?.getTime() ?? null,
      reviewNotes: row.review_notes,
      startsAt: row.start_time?.getTime() ?? null,
      endsAt: row.end_time?.getTime() ?? null,
      dailyBudgetMicros: row.daily_budget_micros,
      spentTodayMicros: row.spent_today_micros,
      isPausedForBilling: row.paused_for_billing,
      canPay: row.can_pay,
      isBlocked: row.is_blocked,
      hasAds: row.has_ads,
    },
    now,
  );
}

/** The tighter of what the campaign asks for and what holds for everybody. */
function capsInForce(asked: CampaignRow['frequency_cap'], caps: NetworkCaps) {
  return {
    per_session: Math.min(asked?.per_session ?? caps.session, caps.session),
    per_user_day: Math.min(asked?.per_user_day ?? caps.user, caps.user),
  };
}

export function campaignWithStats(
  row: CampaignRow & CampaignStats,
  caps: NetworkCaps,
  now: number,
) {
  return {
    ...campaignView(row, caps, now),
    impressions: row.impressions,
    clicks: row.clicks,
    spend: toDollars(row.spend_micros),
    conversions: row.conversions,
    conversion_value: toDollars(row.value_micros),
  };
}

export function adGroupView(row: AdGroupRow, ads: readonly AdRow[], adsTotal: number) {
  return {
    id: row.id,
    campaign_id: row.campaign_id,
    name: row.name,
    group_type: row.group_type,
    status: row.status,
    context: row.context,
    negative_context: row.negative_context,
    ad_prompt: row.ad_prompt,
    brand_name: row.brand_name,
    landing_page: row.landing_page,
    daily_budget: dollarsOrNull(row.daily_budget_micros),
    auto_optimize_budget: row.auto_optimize_budget,
    min_daily_budget: dollarsOrNull(row.min_daily_budget_micros),
    max_daily_budget: dollarsOrNull(row.max_daily_budget_micros),
    max_cpc: dollarsOrNull(row.max_cpc_micros),
    allowed_countries: row.allowed_countries,
    allowed_devices: row.allowed_devices,
    sort_order: row.sort_order,
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
    ads: ads.map(adView),
    ads_total: adsTotal,
  };
}

export type AdGroupShown = ReturnType<typeof adGroupView>;

export function adView(row: AdRow) {
  return {
    id: row.id,
    ad_group_id: row.ad_group_id,
    campaign_id: row.campaign_id,
    name: row.name,
    headline: row.headline,
    copy: row.copy,
    cta: row.cta,
    description: row.description,
    landing_page: row.landing_page,
    image_url: row.image_url,
    source: row.source,
    status: row.status,
    review_status: row.review_status,
    created_at: time(row.created_at),
    updated_at: time(row.updated_at),
  };
}

export function adUnitView(row: AdUnitRow) {
  const { advertiser_id: _owner, created_at: created, updated_at: updated, ...fields } = row;
  return { ...fields, created_at: time(created), updated_at: time(updated), campaign_id: null };
}

function dollarsOrNull(micros: number | null): number | null {
  return micros === null ? null : toDollars(micros);
}

function time(at: Date): string {
  return formatTimestamp(at.getTime());
}

function timeOrNull(at: Date | null): string | null {
  return at === null ? null : time(at);
}
