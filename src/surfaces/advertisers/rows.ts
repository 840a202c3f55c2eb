import type { BidSettings } from '../../domain/decision/derive-bid.js';
import type { LeadForm } from '../../domain/lead-form.js';
import type {
  CampaignStatus,
  DeploymentStatus,
  ReviewStatus,
} from '../../domain/review/review-state.js';

// Rows under their column names, so that an edit is a set of columns.

export type Utm = Record<string, string> | { key: string; value: string }[];

export interface Demographics {
  genders?: string[];
  age_ranges?: string[];
  interests?: string[];
}

/** Where a campaign does not want to stand. */
export interface BrandSafety {
  /** Ids of IAB content categories. */
  excluded_categories?: string[];
  excluded_publishers?: string[];
}

/** How often one person may see a campaign, where that is less than the network's own limit. */
export interface FrequencyCap {
  per_session?: number;
  per_user_day?: number;
}

export interface CampaignRow {
  id: string;
  advertiser_id: string;
  name: string;
  status: CampaignStatus;
  is_active: boolean;
  is_archived: boolean;
  landing_page: string;
  campaign_objective: BidSettings['objective'];
  billing_model: BidSettings['billingModel'];
  bid_strategy: BidSettings['bidStrategy'];
  daily_budget_micros: number;
  click_goal: number | null;
  impression_goal: number | null;
  conversion_type: string | null;
  /** Whose word a conversion is paid on: the advertiser's server, or its pixel too. */
  cpa_trust: 'server' | 'pixel';
  max_cpc_micros: number | null;
  max_cpm_micros: number | null;
  max_cpa_micros: number | null;
  demographics: Demographics | null;
  brand_safety: BrandSafety | null;
  frequency_cap: FrequencyCap | null;
  utm_params: Utm | null;
  allowed_countries: string[];
  allowed_devices: string[];
  custom_favicon_url: string | null;
  lead_form_config: LeadForm | null;
  network: 'own' | 'fallback';
  review_status: ReviewStatus;
  deployment_status: DeploymentStatus;
  /** The version approved before is shown while the newest is not approved. */
  shows_approved: boolean;
  review_notes: string | null;
  submitted_for_review_at: Date | null;
  reviewed_at: Date | null;
  start_time: Date | null;
  end_time: Date | null;
  created_at: Date;
  updated_at: Date;
}

export interface AdGroupRow {
  id: string;
  campaign_id: string;
  advertiser_id: string;
  name: string;
  group_type: 'generative' | 'manual';
  status: 'active' | 'paused' | 'archived';
  context: string | null;
  negative_context: string | null;
  ad_prompt: string | null;
  brand_name: string | null;
  landing_page: string | null;
  daily_budget_micros: number | null;
  auto_optimize_budget: boolean;
  min_daily_budget_micros: number | null;
  max_daily_budget_micros: number | null;
  max_cpc_micros: number | null;
  allowed_countries: string[];
  allowed_devices: string[];
  sort_order: number;
  created_at: Date;
  updated_at: Date;
}

export interface AdRow {
  id: string;
  ad_group_id: string;
  campaign_id: string;
  advertiser_id: string;
  name: string;
  headline: string | null;
  copy: string | null;
  cta: string | null;
  description: string | null;
  landing_page: string | null;
  image_url: string | null;
  source: 'manual' | 'generated';
  status: 'active' | 'paused' | 'archived';
  review_status: 'pending' | 'approved' | 'rejected';
  created_at: Date;
  updated_at: Date;
}

export interface AdUnitRow {
  id: string;
  advertiser_id: string;
  name: string;
  headline: string | null;
  description: string | null;
  landing_page: string | null;
  static_ad_text: string | null;
  static_cta: string | null;
  favicon_url: string | null;
  image_url: string | null;
  brand_name: string | null;
  source: 'manual' | 'scraped';
  status: 'draft' | 'active' | 'archived';
  review_status: ReviewStatus;
  review_reason: string | null;
  utm_params: { key: string; value: string }[];
  created_at: Date;
  updated_at: Date;
}
