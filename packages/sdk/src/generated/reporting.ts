// Generated from docs/api/openapi.json by scripts/generate-reporting.mjs. Do not edit.
import type { CallOptions, Outcome } from '../call-service.js';
import { createCaller, type ReportingOptions } from '../create-caller.js';

export type { CallOptions, Failure, FailureReason, Outcome } from '../call-service.js';
export type { ReportingOptions } from '../create-caller.js';

export type AdvertiserCreateAdGroupBody = {
  campaign_id: string;
  name: string;
  group_type?: "generative" | "manual" | null;
  status?: "active" | "paused" | "archived" | null;
  context?: string | null;
  negative_context?: string | null;
  ad_prompt?: string | null;
  brand_name?: string | null;
  /** http:// or https:// address */
  landing_page?: string | null;
  daily_budget?: number | null;
  auto_optimize_budget?: boolean | null;
  min_daily_budget?: number | null;
  max_daily_budget?: number | null;
  max_cpc?: number | null;
  /** ISO 3166-1 alpha-2 */
  allowed_countries?: string[] | null;
  /** desktop, mobile, tablet */
  allowed_devices?: string[] | null;
  ads?: {
        id?: string | null;
        name?: string | null;
        headline?: string | null;
        copy?: string | null;
        cta?: string | null;
        description?: string | null;
        /** http:// or https:// address */
        landing_page?: string | null;
        /** http:// or https:// address */
        image_url?: string | null;
        status?: "active" | "paused" | "archived" | null;
      }[] | null;
  /** What people see until a change of what they see is approved: the approved version (default), or nothing */
  while_in_review?: "keep_showing" | "stop_showing" | null;
};

export type AdvertiserCreateAdGroupResult = {
  id: string;
  campaign_id: string;
  name: string;
  group_type: string;
  status: string;
  context: string | null;
  negative_context: string | null;
  ad_prompt: string | null;
  brand_name: string | null;
  landing_page: string | null;
  daily_budget: number | null;
  auto_optimize_budget: boolean;
  min_daily_budget: number | null;
  max_daily_budget: number | null;
  max_cpc: number | null;
  allowed_countries: string[];
  allowed_devices: string[];
  sort_order: number;
  created_at: string;
  updated_at: string;
  ads: {
      id: string;
      ad_group_id: string;
      campaign_id: string;
      name: string;
      headline: string | null;
      copy: string | null;
      cta: string | null;
      description: string | null;
      landing_page: string | null;
      image_url: string | null;
      source: string;
      status: string;
      review_status: string;
      created_at: string;
      updated_at: string;
    }[];
  ads_total: number;
};

export type AdvertiserCreateAdGroupAdBody = {
  name?: string | null;
  headline?: string | null;
  copy?: string | null;
  cta?: string | null;
  description?: string | null;
  /** http:// or https:// address */
  landing_page?: string | null;
  /** http:// or https:// address */
  image_url?: string | null;
  status?: "active" | "paused" | "archived" | null;
  /** What people see until a change of what they see is approved: the approved version (default), or nothing */
  while_in_review?: "keep_showing" | "stop_showing" | null;
};

export type AdvertiserCreateAdGroupAdResult = {
  id: string;
  ad_group_id: string;
  campaign_id: string;
  name: string;
  headline: string | null;
  copy: string | null;
  cta: string | null;
  description: string | null;
  landing_page: string | null;
  image_url: string | null;
  source: string;
  status: string;
  review_status: string;
  created_at: string;
  updated_at: string;
};

export type AdvertiserCreateAdGroupsBulkBody = {
  ad_group_ids: string[];
  changes: {
    status?: "active" | "paused" | "archived";
    daily_budget?: number | null;
    max_cpc?: number | null;
  };
};

export type AdvertiserCreateAdGroupsBulkResult = {
  changed: number;
  results: {
      id: string;
      ok: boolean;
      /** Why this one stayed as it was */
      error?: string;
    }[];
};

export type AdvertiserCreateAdUnitBody = {
  name: string;
  headline?: string | null;
  description?: string | null;
  /** http:// or https:// address */
  landing_page?: string | null;
  static_ad_text?: string | null;
  static_cta?: string | null;
  /** http:// or https:// address */
  favicon_url?: string | null;
  /** http:// or https:// address */
  image_url?: string | null;
  brand_name?: string | null;
  /** Object, or array of {key, value}, of [key, value] or of {key: value} */
  utm_params?: Record<string, unknown> | (Record<string, unknown> | unknown[])[] | null;
};

export type AdvertiserCreateAdUnitResult = {
  id: string;
  name: string;
  headline: string | null;
  description: string | null;
  landing_page: string | null;
  static_ad_text: string | null;
  static_cta: string | null;
  favicon_url: string | null;
  image_url: string | null;
  brand_name: string | null;
  source: string;
  status: string;
  review_status: string;
  review_reason: string | null;
  utm_params: {
      key: string;
      value: string;
    }[];
  created_at: string;
  updated_at: string;
  campaign_id: string | null;
};

export type AdvertiserCreateAdsBulkBody = {
  ad_ids: string[];
  changes: {
    status: "active" | "paused" | "archived";
  };
};

export type AdvertiserCreateAdsBulkResult = {
  changed: number;
  results: {
      id: string;
      ok: boolean;
      /** Why this one stayed as it was */
      error?: string;
    }[];
};

export type AdvertiserCreateAdsWriteBody = {
  landing_page: string;
  /** Who the ads are for */
  context: string;
  /** Optional */
  ad_prompt?: string | null;
  /** Optional */
  brand_name?: string | null;
  count?: number;
  /** Seen already; none of them is written again */
  known?: {
      headline: string;
      copy: string;
    }[];
};

export type AdvertiserCreateAdsWriteResult = {
  ads: {
      headline: string;
      copy: string;
      cta: string;
    }[];
  /** Whether the page could be read; if not, from the brief */
  page_read: boolean;
  page_problem: string | null;
  image_url: string | null;
};

export type AdvertiserCreateCampaignBody = {
  name: string;
  /** http:// or https:// address */
  landing_page: string;
  daily_budget: number;
  status?: "draft" | "active" | "paused" | null;
  campaign_objective?: "impressions" | "clicks" | "conversions" | null;
  billing_model?: "cpm" | "cpc" | "cpa" | "cpv" | null;
  bid_strategy?: "lowest_cost" | "bid_cap" | null;
  is_active?: boolean | null;
  /** ISO 8601; without an offset it is UTC */
  start_time?: string | null;
  /** ISO 8601; without an offset it is UTC */
  end_time?: string | null;
  click_goal?: number | null;
  max_cpc?: number | null;
  impression_goal?: number | null;
  max_cpm?: number | null;
  conversion_type?: string | null;
  cpa_trust?: "server" | "pixel" | null;
  max_cpa?: number | null;
  demographics?: {
      genders?: string[] | null;
      age_ranges?: string[] | null;
      interests?: string[] | null;
    } | null;
  brand_safety?: {
      /** IAB content categories of conversations, by id or name */
      excluded_categories?: string[] | null;
      excluded_publishers?: string[] | null;
    } | null;
  frequency_cap?: {
      per_session?: number | null;
      per_user_day?: number | null;
    } | null;
  /** Object, or array of {key, value}, of [key, value] or of {key: value} */
  utm_params?: Record<string, unknown> | (Record<string, unknown> | unknown[])[] | null;
  /** ISO 3166-1 alpha-2 */
  allowed_countries?: string[] | null;
  /** desktop, mobile, tablet */
  allowed_devices?: string[] | null;
  /** http:// or https:// address */
  custom_favicon_url?: string | null;
  lead_form_config?: {
      title: string;
      description?: string | null;
      fields: {
          name: string;
          label: string;
          type: "text" | "email" | "phone" | "select" | "checkbox";
          required?: boolean | null;
          options?: string[] | null;
        }[];
      submit_label?: string | null;
      /** http:// or https:// address */
      privacy_policy_url?: string | null;
      success_message?: string | null;
    } | null;
  ad_groups?: {
        name: string;
        group_type?: "generative" | "manual" | null;
        status?: "active" | "paused" | "archived" | null;
        context?: string | null;
        negative_context?: string | null;
        ad_prompt?: string | null;
        brand_name?: string | null;
        /** http:// or https:// address */
        landing_page?: string | null;
        daily_budget?: number | null;
        auto_optimize_budget?: boolean | null;
        min_daily_budget?: number | null;
        max_daily_budget?: number | null;
        max_cpc?: number | null;
        /** ISO 3166-1 alpha-2 */
        allowed_countries?: string[] | null;
        /** desktop, mobile, tablet */
        allowed_devices?: string[] | null;
        ads?: {
              id?: string | null;
              name?: string | null;
              headline?: string | null;
              copy?: string | null;
              cta?: string | null;
              description?: string | null;
              /** http:// or https:// address */
              landing_page?: string | null;
              /** http:// or https:// address */
              image_url?: string | null;
              status?: "active" | "paused" | "archived" | null;
            }[] | null;
      }[] | null;
  ad_unit_ids?: string[] | null;
};

export type AdvertiserCreateCampaignResult = {
  campaign_id: string;
  user_id: string;
  name: string;
  status: string;
  is_active: boolean;
  is_archived: boolean;
  daily_budget: number;
  daily_budget_remaining: number;
  landing_page: string;
  campaign_objective: string;
  billing_model: string;
  bid_strategy: string;
  click_goal: number | null;
  max_cpc: number | null;
  impression_goal: number | null;
  max_cpm: number | null;
  conversion_type: string | null;
  cpa_trust: string;
  max_cpa: number | null;
  demographics: unknown;
  /** As sent, categories by id; null: nothing is excluded */
  brand_safety: unknown;
  /** As sent; null: the network’s own */
  frequency_cap: unknown;
  /** How often one session, and one user in 24 hours, is shown the campaign at most */
  frequency_caps_in_force: {
    per_session: number;
    per_user_day: number;
  };
  created_at: string;
  updated_at: string;
  start_time: string | null;
  end_time: string | null;
  allowed_countries: string[];
  allowed_devices: string[];
  /** Key/value pairs in the form they were sent, or null */
  utm_params: unknown;
  custom_favicon_url: string | null;
  deployment_status: string;
  review_status: string;
  /** The version approved before is shown while the newest is not approved */
  shows_approved: boolean;
  /** Whether it is shown right now, and why not */
  delivery: {
    status: "showing" | "not_showing" | "scheduled" | "ended" | "paused" | "draft" | "archived";
    reason: "live" | "edit_in_review" | "edit_rejected" | "in_review" | "rejected" | "no_ads" | "daily_budget_spent" | "no_credit" | "account_blocked" | "switched_off" | "paused" | "paused_for_billing" | "not_started" | "ended" | "not_submitted" | "archived";
    /** The reason in words */
    message: string;
    since: string | null;
  };
  submitted_for_review_at: string | null;
  reviewed_at: string | null;
  review_notes: string | null;
  lead_form_config: unknown;
  ad_groups: {
      id: string;
      campaign_id: string;
      name: string;
      group_type: string;
      status: string;
      context: string | null;
      negative_context: string | null;
      ad_prompt: string | null;
      brand_name: string | null;
      landing_page: string | null;
      daily_budget: number | null;
      auto_optimize_budget: boolean;
      min_daily_budget: number | null;
      max_daily_budget: number | null;
      max_cpc: number | null;
      allowed_countries: string[];
      allowed_devices: string[];
      sort_order: number;
      created_at: string;
      updated_at: string;
      ads: {
          id: string;
          ad_group_id: string;
          campaign_id: string;
          name: string;
          headline: string | null;
          copy: string | null;
          cta: string | null;
          description: string | null;
          landing_page: string | null;
          image_url: string | null;
          source: string;
          status: string;
          review_status: string;
          created_at: string;
          updated_at: string;
        }[];
      ads_total: number;
    }[];
  ad_unit_ids: string[];
};

export type AdvertiserCreateCampaignAdUnitBody = {
  ad_unit_ids: string[];
  /** What people see until a change of what they see is approved: the approved version (default), or nothing */
  while_in_review?: "keep_showing" | "stop_showing" | null;
};

export type AdvertiserCreateCampaignAdUnitResult = {
  campaign_id: string;
  ad_unit_ids: string[];
};

export type AdvertiserCreateCampaignAdUnitsGenerateBody = {
  /** The landing page to read */
  site_url: string;
  count?: number | null;
};

export type AdvertiserCreateCampaignAdUnitsGenerateResult = {
  campaign_id: string;
  ad_units: {
      id: string;
      name: string;
      headline: string | null;
      description: string | null;
      landing_page: string | null;
      static_ad_text: string | null;
      static_cta: string | null;
      favicon_url: string | null;
      image_url: string | null;
      brand_name: string | null;
      source: string;
      status: string;
      review_status: string;
      review_reason: string | null;
      utm_params: {
          key: string;
          value: string;
        }[];
      created_at: string;
      updated_at: string;
      campaign_id: string | null;
    }[];
};

export type AdvertiserCreateCampaignsBulkBody = {
  campaign_ids: string[];
  changes: {
    status?: "active" | "paused";
    daily_budget?: number;
    /** Up or down from what it is */
    daily_budget_percent?: number;
    max_cpc?: number | null;
    /** ISO 8601; without an offset it is UTC */
    end_time?: string | null;
    archived?: boolean;
  };
};

export type AdvertiserCreateCampaignsBulkResult = {
  changed: number;
  results: {
      id: string;
      ok: boolean;
      /** Why this one stayed as it was */
      error?: string;
    }[];
};

export type AdvertiserCreateCheckEditBody = {
  campaign_id?: string | null;
  ad_group_id?: string | null;
  ad_id?: string | null;
  /** What the PATCH of the campaign, ad group or ad would be sent */
  changes: Record<string, unknown>;
};

export type AdvertiserCreateCheckEditResult = {
  /** It waits for a person before people see it */
  goes_to_review: boolean;
  /** The campaign is shown now and would not be any more */
  goes_off_air: boolean;
  /** The approved version would stay on the air until the new one is approved */
  keeps_approved: boolean;
  message: string;
};

export type AdvertiserCreateCreditBody = {
  amount_dollars: number;
};

export type AdvertiserCreateCreditResult = {
  payment_url: string;
};

export type AdvertiserCreateExperimentBody = {
  campaign_id: string;
  name: string;
  kind: "ab" | "holdout";
  /** Of `holdout`: shown nothing; 10 */
  holdout_percent?: number;
  /** Of `ab`; the first is what others are held against */
  variants?: {
      name: string;
      weight?: number;
      /** Shown to this arm alone; none: all groups of the campaign */
      ad_group_ids?: string[];
    }[];
};

export type AdvertiserCreateExperimentResult = {
  experiment_id: string;
  campaign_id: string;
  name: string;
  kind: string;
  started_at: string;
  stopped_at: string | null;
  variants: {
      variant: string;
      weight: number;
      ad_group_ids: string[];
    }[];
};

export type AdvertiserCreateForecastBody = {
  /** A campaign of yours; what the body does not name is as it is set there */
  campaign_id?: string | null;
  context?: string | null;
  negative_context?: string | null;
  daily_budget?: number | null;
  billing_model?: "cpm" | "cpc" | "cpa" | "cpv" | null;
  campaign_objective?: "clicks" | "conversions" | "impressions" | null;
  max_cpm?: number | null;
  max_cpc?: number | null;
  max_cpa?: number | null;
  allowed_countries?: string[] | null;
  allowed_devices?: string[] | null;
  /** ISO 8601 */
  start_time?: string | null;
  /** ISO 8601 */
  end_time?: string | null;
};

export type AdvertiserCreateForecastResult = {
  basis: {
    /** Days of requests it is made from, 14 at most */
    days: number;
    /** Requests with a need in these days */
    requests: number;
    /** Of them, how many were kept to forecast from */
    kept: number;
  };
  forecast: {
    enough_data: boolean;
    /** Why there is no forecast: `not_read` (conversations are matched by words here), `nothing_asked`, `too_new` (less than a day was watched), `no_description`, `nothing_fits`, `too_few` requests fit, `ended` */
    reason: string | null;
    matching_requests_per_day: number;
    /** Of the requests that fit, those the bid would win */
    won_share: number;
    limited_by: string | null;
    per_day: {
      /** Eight days in ten are expected between `low` and `high` */
      impressions: {
        low: number;
        expected: number;
        high: number;
      };
      /** Eight days in ten are expected between `low` and `high` */
      clicks: {
        low: number;
        expected: number;
        high: number;
      };
      /** Eight days in ten are expected between `low` and `high` */
      spend: {
        low: number;
        expected: number;
        high: number;
      };
    };
    /** The same from the start, or now, to the end; null where there is no end */
    run: {
        days?: number;
        /** Eight days in ten are expected between `low` and `high` */
        impressions?: {
          low: number;
          expected: number;
          high: number;
        };
        /** Eight days in ten are expected between `low` and `high` */
        clicks?: {
          low: number;
          expected: number;
          high: number;
        };
        /** Eight days in ten are expected between `low` and `high` */
        spend?: {
          low: number;
          expected: number;
          high: number;
        };
      } | null;
  };
  /** The campaign as it is set now */
  current?: {
    enough_data: boolean;
    /** Why there is no forecast: `not_read` (conversations are matched by words here), `nothing_asked`, `too_new` (less than a day was watched), `no_description`, `nothing_fits`, `too_few` requests fit, `ended` */
    reason: string | null;
    matching_requests_per_day: number;
    /** Of the requests that fit, those the bid would win */
    won_share: number;
    limited_by: string | null;
    per_day: {
      /** Eight days in ten are expected between `low` and `high` */
      impressions: {
        low: number;
        expected: number;
        high: number;
      };
      /** Eight days in ten are expected between `low` and `high` */
      clicks: {
        low: number;
        expected: number;
        high: number;
      };
      /** Eight days in ten are expected between `low` and `high` */
      spend: {
        low: number;
        expected: number;
        high: number;
      };
    };
    /** The same from the start, or now, to the end; null where there is no end */
    run: {
        days?: number;
        /** Eight days in ten are expected between `low` and `high` */
        impressions?: {
          low: number;
          expected: number;
          high: number;
        };
        /** Eight days in ten are expected between `low` and `high` */
        clicks?: {
          low: number;
          expected: number;
          high: number;
        };
        /** Eight days in ten are expected between `low` and `high` */
        spend?: {
          low: number;
          expected: number;
          high: number;
        };
      } | null;
  };
};

export type AdvertiserCreateIntegrationsShopifyBody = {
  /** example.myshopify.com */
  shop_domain: string;
  /** Signs the shop’s webhooks; without one, the installation’s storefront app does. A new one replaces the old, which is accepted for another hour. */
  webhook_secret?: string | null;
};

export type AdvertiserCreateIntegrationsShopifyResult = {
  id: string;
  shop_domain: string;
  is_active: boolean;
  connected_at: string;
  /** pending until the shop’s address shows the challenge or the operator confirms it, then verified */
  verification_status: string;
  /** Shown anywhere in the source of the shop’s front page it proves whose shop it is */
  challenge: string | null;
};

export type AdvertiserCreateIntegrationsShopifyVerifyResult = {
  id: string;
  shop_domain: string;
  is_active: boolean;
  connected_at: string;
  /** pending until the shop’s address shows the challenge or the operator confirms it, then verified */
  verification_status: string;
  /** Shown anywhere in the source of the shop’s front page it proves whose shop it is */
  challenge: string | null;
};

export type AdvertiserCreatePixelBody = {
  /** Where the pixel will run; https:// is added when no scheme is given */
  url: string;
  name?: string | null;
};

export type AdvertiserCreatePixelResult = {
  id: string;
  name: string;
  url: string;
  is_functional: boolean | null;
  verified_at: string | null;
  created_at: string;
  updated_at: string;
};

export type AdvertiserCreatePrivacyRequestBody = {
  /** Erase what is kept, or show it */
  kind: "erase" | "access";
  visitor_id?: string | null;
  em?: string[] | string | null;
  ph?: string[] | string | null;
  external_id?: string[] | string | null;
  user_id?: string[] | string | null;
  session_id?: string[] | string | null;
  publisher_id?: string | null;
  advertiser_id?: string | null;
};

export type AdvertiserCreatePrivacyRequestResult = {
  receipt_id: string;
  kind: string;
  at: string;
  asked_by: string;
  account_id: string | null;
  /** A keyed hash of whom it was about */
  subject: string;
  /** What there was, by kind */
  found: Record<string, number>;
  /** What is kept, with `access`; at most 1,000 of a kind */
  data?: Record<string, unknown[]>;
};

export type AdvertiserCreateWebhookBody = {
  /** http or https address that answers 2xx */
  url: string;
  /** Empty: all */
  alert_types?: ("campaign.budget_nearly_spent" | "campaign.delivery_stopped" | "campaign.conversion_rate_fell" | "publisher.delivery_stopped" | "webhook.test")[];
};

export type AdvertiserCreateWebhookResult = {
  id: string;
  url: string;
  alert_types: string[];
  is_active: boolean;
  created_at: string;
  updated_at: string;
  secret: string;
};

export type AdvertiserCreateWebhookTestResult = {
  status: "queued";
};

export type AdvertiserDeleteIntegrationsShopifyResult = {
  id: string;
  shop_domain: string;
  is_active: boolean;
  connected_at: string;
  /** pending until the shop’s address shows the challenge or the operator confirms it, then verified */
  verification_status: string;
};

export type AdvertiserGetAdGroupResult = {
  id: string;
  campaign_id: string;
  name: string;
  group_type: string;
  status: string;
  context: string | null;
  negative_context: string | null;
  ad_prompt: string | null;
  brand_name: string | null;
  landing_page: string | null;
  daily_budget: number | null;
  auto_optimize_budget: boolean;
  min_daily_budget: number | null;
  max_daily_budget: number | null;
  max_cpc: number | null;
  allowed_countries: string[];
  allowed_devices: string[];
  sort_order: number;
  created_at: string;
  updated_at: string;
  ads: {
      id: string;
      ad_group_id: string;
      campaign_id: string;
      name: string;
      headline: string | null;
      copy: string | null;
      cta: string | null;
      description: string | null;
      landing_page: string | null;
      image_url: string | null;
      source: string;
      status: string;
      review_status: string;
      created_at: string;
      updated_at: string;
    }[];
  ads_total: number;
};

export type AdvertiserGetAdGroupMetricsQuery = {
  /** Today and the days before it */
  days?: number;
  /** First day, YYYY-MM-DD; together with end_date it overrides days */
  start_date?: string;
  /** Last day, included */
  end_date?: string;
  /** IANA time zone the days are cut by */
  tz?: string;
  /** Also list days without activity */
  fill?: "zero";
  /** Only this campaign */
  campaign_id?: string;
  /** Only this ad group, archived or not */
  ad_group_id?: string;
  include_archived?: boolean;
  /** Ad groups to skip; add 2000 while truncated is true */
  offset?: number;
};

export type AdvertiserGetAdGroupMetricsResult = {
  ad_groups: {
      ad_group_id: string;
      campaign_id: string;
      name: string;
      group_type: string;
      status: string;
      total_impressions: number;
      total_clicks: number;
      total_spend: number;
      total_conversions: number;
      data: {
          date: string;
          impressions: number;
          clicks: number;
          spend: number;
          conversions: number;
          ctr: number;
          cpc: number;
          cpm: number;
          conversion_rate: number;
          cpa: number;
        }[];
    }[];
  total_ad_groups: number;
  truncated: boolean;
  offset: number;
};

export type AdvertiserGetAdGroupsQuery = {
  campaign_id?: string;
  /** Part of the name */
  q?: string;
  include_archived?: boolean;
  limit?: number;
  cursor?: string;
};

export type AdvertiserGetAdGroupsResult = {
    id: string;
    campaign_id: string;
    name: string;
    group_type: string;
    status: string;
    context: string | null;
    negative_context: string | null;
    ad_prompt: string | null;
    brand_name: string | null;
    landing_page: string | null;
    daily_budget: number | null;
    auto_optimize_budget: boolean;
    min_daily_budget: number | null;
    max_daily_budget: number | null;
    max_cpc: number | null;
    allowed_countries: string[];
    allowed_devices: string[];
    sort_order: number;
    created_at: string;
    updated_at: string;
    ads: {
        id: string;
        ad_group_id: string;
        campaign_id: string;
        name: string;
        headline: string | null;
        copy: string | null;
        cta: string | null;
        description: string | null;
        landing_page: string | null;
        image_url: string | null;
        source: string;
        status: string;
        review_status: string;
        created_at: string;
        updated_at: string;
      }[];
    ads_total: number;
  }[];

export type AdvertiserGetAdUnitMetricsQuery = {
  /** Today and the days before it */
  days?: number;
  /** First day, YYYY-MM-DD; together with end_date it overrides days */
  start_date?: string;
  /** Last day, included */
  end_date?: string;
  /** IANA time zone the days are cut by */
  tz?: string;
  /** Also list days without activity */
  fill?: "zero";
  /** Only this campaign */
  campaign_id?: string;
  /** Only this ad unit */
  ad_unit_id?: string;
};

export type AdvertiserGetAdUnitMetricsResult = {
  ad_units: {
      ad_unit_id: string;
      campaign_id: string;
      name: string;
      data_source: "ad_unit_stats" | "campaign_fallback";
      total_impressions: number;
      total_clicks: number;
      total_spend: number;
      data: {
          date: string;
          impressions: number;
          clicks: number;
          spend: number;
          ctr: number;
          cpc: number;
          cpm: number;
        }[];
    }[];
};

export type AdvertiserGetAlertsResult = {
  alerts: {
      id: string;
      type: string;
      created_at: string;
      data: Record<string, unknown>;
    }[];
};

export type AdvertiserGetBillingResult = {
  total_spend_dollars: number;
  /** On invoices, without what was refunded since */
  total_billed_dollars: number;
  unbilled_dollars: number;
  /** Credit that no invoice has used yet */
  credits_dollars: number;
  billing_enabled: boolean;
  /** Whether credit can be bought here; otherwise the operator grants it */
  credit_for_sale: boolean;
  last_spend_sync_at: string | null;
  last_billed_at: string | null;
};

export type AdvertiserGetBulkAdGroupsQuery = {
  /** Part of the name or text */
  q?: string;
  campaign_id?: string;
  /** All but archived ones without it */
  status?: "active" | "paused" | "archived";
  limit?: number;
  cursor?: string;
};

export type AdvertiserGetBulkAdGroupsResult = {
  ad_groups: {
      id: string;
      name: string;
      campaign_id: string;
      campaign_name: string;
      group_type: string;
      status: string;
      context: string | null;
      daily_budget: number | null;
      max_cpc: number | null;
      ads: number;
      impressions: number;
      clicks: number;
      spend: number;
      /** Of the last 14 UTC days before today, the oldest first */
      spend_by_day: number[];
    }[];
  /** Where the next page begins */
  next_cursor: string | null;
};

export type AdvertiserGetBulkAdsQuery = {
  /** Part of the name or text */
  q?: string;
  campaign_id?: string;
  /** All but archived ones without it */
  status?: "active" | "paused" | "archived";
  limit?: number;
  cursor?: string;
};

export type AdvertiserGetBulkAdsResult = {
  ads: {
      id: string;
      name: string;
      headline: string | null;
      copy: string | null;
      cta: string | null;
      source: string;
      status: string;
      review_status: string;
      ad_group_id: string;
      ad_group_name: string;
      campaign_id: string;
      campaign_name: string;
    }[];
  /** Where the next page begins */
  next_cursor: string | null;
};

export type AdvertiserGetCampaignResult = {
  campaign_id: string;
  user_id: string;
  name: string;
  status: string;
  is_active: boolean;
  is_archived: boolean;
  daily_budget: number;
  daily_budget_remaining: number;
  landing_page: string;
  campaign_objective: string;
  billing_model: string;
  bid_strategy: string;
  click_goal: number | null;
  max_cpc: number | null;
  impression_goal: number | null;
  max_cpm: number | null;
  conversion_type: string | null;
  cpa_trust: string;
  max_cpa: number | null;
  demographics: unknown;
  /** As sent, categories by id; null: nothing is excluded */
  brand_safety: unknown;
  /** As sent; null: the network’s own */
  frequency_cap: unknown;
  /** How often one session, and one user in 24 hours, is shown the campaign at most */
  frequency_caps_in_force: {
    per_session: number;
    per_user_day: number;
  };
  created_at: string;
  updated_at: string;
  start_time: string | null;
  end_time: string | null;
  allowed_countries: string[];
  allowed_devices: string[];
  /** Key/value pairs in the form they were sent, or null */
  utm_params: unknown;
  custom_favicon_url: string | null;
  deployment_status: string;
  review_status: string;
  /** The version approved before is shown while the newest is not approved */
  shows_approved: boolean;
  /** Whether it is shown right now, and why not */
  delivery: {
    status: "showing" | "not_showing" | "scheduled" | "ended" | "paused" | "draft" | "archived";
    reason: "live" | "edit_in_review" | "edit_rejected" | "in_review" | "rejected" | "no_ads" | "daily_budget_spent" | "no_credit" | "account_blocked" | "switched_off" | "paused" | "paused_for_billing" | "not_started" | "ended" | "not_submitted" | "archived";
    /** The reason in words */
    message: string;
    since: string | null;
  };
  submitted_for_review_at: string | null;
  reviewed_at: string | null;
  review_notes: string | null;
  lead_form_config: unknown;
  impressions: number;
  clicks: number;
  spend: number;
  conversions: number;
  conversion_value: number;
  ad_unit_ids: string[];
};

export type AdvertiserGetCampaignsQuery = {
  status?: "draft" | "active" | "paused";
  review_status?: "not_submitted" | "pending_review" | "approved" | "rejected";
  /** Part of the name */
  q?: string;
  /** Archived ones alone */
  archived?: "only";
  include_archived?: boolean;
  limit?: number;
  cursor?: string;
};

export type AdvertiserGetCampaignsResult = {
  campaigns: {
      campaign_id: string;
      user_id: string;
      name: string;
      status: string;
      is_active: boolean;
      is_archived: boolean;
      daily_budget: number;
      daily_budget_remaining: number;
      landing_page: string;
      campaign_objective: string;
      billing_model: string;
      bid_strategy: string;
      click_goal: number | null;
      max_cpc: number | null;
      impression_goal: number | null;
      max_cpm: number | null;
      conversion_type: string | null;
      cpa_trust: string;
      max_cpa: number | null;
      demographics: unknown;
      /** As sent, categories by id; null: nothing is excluded */
      brand_safety: unknown;
      /** As sent; null: the network’s own */
      frequency_cap: unknown;
      /** How often one session, and one user in 24 hours, is shown the campaign at most */
      frequency_caps_in_force: {
        per_session: number;
        per_user_day: number;
      };
      created_at: string;
      updated_at: string;
      start_time: string | null;
      end_time: string | null;
      allowed_countries: string[];
      allowed_devices: string[];
      /** Key/value pairs in the form they were sent, or null */
      utm_params: unknown;
      custom_favicon_url: string | null;
      deployment_status: string;
      review_status: string;
      /** The version approved before is shown while the newest is not approved */
      shows_approved: boolean;
      /** Whether it is shown right now, and why not */
      delivery: {
        status: "showing" | "not_showing" | "scheduled" | "ended" | "paused" | "draft" | "archived";
        reason: "live" | "edit_in_review" | "edit_rejected" | "in_review" | "rejected" | "no_ads" | "daily_budget_spent" | "no_credit" | "account_blocked" | "switched_off" | "paused" | "paused_for_billing" | "not_started" | "ended" | "not_submitted" | "archived";
        /** The reason in words */
        message: string;
        since: string | null;
      };
      submitted_for_review_at: string | null;
      reviewed_at: string | null;
      review_notes: string | null;
      lead_form_config: unknown;
      impressions: number;
      clicks: number;
      spend: number;
      conversions: number;
      conversion_value: number;
    }[];
  next_cursor?: string | null;
};

export type AdvertiserGetContentCategoriesQuery = {
  days?: number;
  /** Only this campaign */
  campaign_id?: string;
};

export type AdvertiserGetContentCategoriesResult = {
  period_days: number;
  categories: {
      /** IAB content category of the conversation; null where it is not known */
      category_id: string | null;
      category: string;
      impressions: number;
      viewable_impressions: number;
      clicks: number;
      spend: number;
      ctr: number;
      cpm: number;
    }[];
};

export type AdvertiserGetConversionsQuery = {
  limit?: number;
  /** next_cursor of the page before */
  cursor?: string;
  campaign_id?: string;
  /** Compared ignoring case */
  event_type?: string;
};

export type AdvertiserGetConversionsResult = {
  conversions: {
      conversion_id: string;
      event_type: string;
      /** Hundredths of the currency given */
      value_cents: number;
      currency: string;
      conversion_timestamp: string;
      campaign_id: string | null;
      order_id: string | null;
      page_url: string | null;
      source: string;
      is_attributed: boolean;
      attribution: "click" | "view" | null;
      ad_group_id: string | null;
    }[];
  total_conversions: number;
  has_more: boolean;
  next_cursor: string | null;
};

export type AdvertiserGetEventsAnalyticsQuery = {
  /** Today and the days before it */
  days?: number;
  /** First day, YYYY-MM-DD; together with end_date it overrides days */
  start_date?: string;
  /** Last day, included */
  end_date?: string;
  /** IANA time zone the days are cut by */
  tz?: string;
  /** Also list days without activity */
  fill?: "zero";
  /** Part of a host name */
  domain?: string;
  event_type?: string;
};

export type AdvertiserGetEventsAnalyticsResult = {
  domains: {
      domain: string;
      events: number;
    }[];
  time_series: {
      date: string;
      events: number;
    }[];
  event_types: {
      event_type: string;
      total: number;
      last_received: string;
    }[];
  has_historical_data: boolean;
};

export type AdvertiserGetEventsConversionStatsQuery = {
  /** Today and the days before it */
  days?: number;
  /** First day, YYYY-MM-DD; together with end_date it overrides days */
  start_date?: string;
  /** Last day, included */
  end_date?: string;
  /** IANA time zone the days are cut by */
  tz?: string;
  /** Also list days without activity */
  fill?: "zero";
  event_type?: string;
};

export type AdvertiserGetEventsConversionStatsResult = {
  time_series: {
      date: string;
      conversions: number;
    }[];
  total: number;
  by_event_type: {
      event_type: string;
      total: number;
    }[];
};

export type AdvertiserGetExperimentResult = {
  experiment_id: string;
  campaign_id: string;
  name: string;
  kind: string;
  started_at: string;
  stopped_at: string | null;
  variants: {
      variant: string;
      weight: number;
      ad_group_ids: string[];
    }[];
  /** Of the intervals */
  confidence: number;
  results: {
      variant: string;
      /** People who could have been shown the campaign */
      units: number;
      clicked: number;
      /** Of them known to the advertiser by a hashed e-mail */
      matched: number;
      /** Of those who bought since, whatever they saw */
      converted: number;
      click_lift: {
          rate: number;
          base_rate: number;
          difference: {
            value: number;
            low: number;
            high: number;
          };
          relative: {
              value: number;
              low: number;
              high: number;
            } | null;
          p_value: number;
        } | null;
      conversion_lift: {
          rate: number;
          base_rate: number;
          difference: {
            value: number;
            low: number;
            high: number;
          };
          relative: {
              value: number;
              low: number;
              high: number;
            } | null;
          p_value: number;
        } | null;
    }[];
};

export type AdvertiserGetExperimentsResult = {
  experiments: {
      experiment_id: string;
      campaign_id: string;
      name: string;
      kind: string;
      started_at: string;
      stopped_at: string | null;
      variants: {
          variant: string;
          weight: number;
          ad_group_ids: string[];
        }[];
    }[];
};

export type AdvertiserGetExportsEventsQuery = {
  /** First day, YYYY-MM-DD */
  start_date: string;
  /** Last day, included */
  end_date: string;
  /** IANA time zone of the two dates */
  tz?: string;
  /** Only events of this kind */
  kind?: "request" | "win" | "impression" | "viewable" | "disclosed" | "click" | "conversion" | "impression_reversal" | "viewable_reversal" | "click_reversal" | "conversion_reversal" | "conversion_adjustment";
};

export type AdvertiserGetExportsEventsResult = string;

export type AdvertiserGetInfoResult = {
  advertiser_id: string;
  name: string;
  email: string;
};

export type AdvertiserGetIntegrationsResult = {
  shopify: {
      id: string;
      shop_domain: string;
      is_active: boolean;
      connected_at: string;
      /** pending until the shop’s address shows the challenge or the operator confirms it, then verified */
      verification_status: string;
    }[];
};

export type AdvertiserGetInvalidTrafficQuery = {
  days?: number;
};

export type AdvertiserGetInvalidTrafficResult = {
  rows: {
      reason: string;
      kind: string;
      events: number;
      /** Dollars credited, or no longer earned */
      amount: number;
    }[];
};

export type AdvertiserGetInvoiceResult = {
  id: string;
  number: number;
  /** open, paid or void */
  status: string;
  issued_at: string;
  paid_at: string | null;
  voided_at: string | null;
  period_start: string;
  period_end: string;
  currency: string;
  /** What the lines add up to */
  total_dollars: number;
  /** Of that, paid by credit */
  credits_dollars: number;
  /** Of that, less than a cent and not charged */
  rounding_dollars: number;
  /** The rest, in whole cents */
  due_dollars: number;
  /** Why less is due than the total, in words; null when all of it is */
  due_note: string | null;
  payment_url: string | null;
  pdf_url: string;
  lines: {
      campaign_id: string;
      campaign_name: string;
      from: string;
      to: string;
      amount_dollars: number;
    }[];
};

export type AdvertiserGetInvoicesQuery = {
  limit?: number;
  cursor?: string;
};

export type AdvertiserGetInvoicesResult = {
  invoices: {
      id: string;
      number: number;
      /** open, paid or void */
      status: string;
      issued_at: string;
      paid_at: string | null;
      voided_at: string | null;
      period_start: string;
      period_end: string;
      currency: string;
      /** What the lines add up to */
      total_dollars: number;
      /** Of that, paid by credit */
      credits_dollars: number;
      /** Of that, less than a cent and not charged */
      rounding_dollars: number;
      /** The rest, in whole cents */
      due_dollars: number;
      /** Why less is due than the total, in words; null when all of it is */
      due_note: string | null;
      payment_url: string | null;
      pdf_url: string;
      lines: {
          campaign_id: string;
          campaign_name: string;
          from: string;
          to: string;
          amount_dollars: number;
        }[];
    }[];
  has_more: boolean;
  next_cursor: string | null;
};

export type AdvertiserGetLeadsQuery = {
  campaign_id?: string;
  cursor?: string;
  limit?: number;
};

export type AdvertiserGetLeadsResult = {
  leads: {
      lead_id: string;
      campaign_id: string;
      campaign_name: string;
      ad_id: string;
      submitted_at: string;
      consent: boolean | null;
      /** What was answered, by the names of the form’s fields */
      fields: Record<string, string | boolean>;
    }[];
  has_more: boolean;
  next_cursor: string | null;
};

export type AdvertiserGetLedgerQuery = {
  limit?: number;
  cursor?: string;
};

export type AdvertiserGetLedgerResult = {
  entries: {
      id: string;
      at: string;
      /** credit, charge, payment, refund, adjustment or void */
      kind: string;
      /** Positive in the advertiser’s favour */
      amount_dollars: number;
      invoice_id: string | null;
      reverses: string | null;
      reason: string;
    }[];
  has_more: boolean;
  next_cursor: string | null;
};

export type AdvertiserGetLiveQuery = {
  limit?: number;
};

export type AdvertiserGetLiveResult = {
  events: {
      at: string;
      /** `request`, `win`, `impression`, `click`, `conversion` */
      kind: string;
      country: string | null;
      device: string | null;
      placement: string | null;
      /** Where it is the account’s own, or for operators */
      campaign: string | null;
      publisher: string | null;
      /** Why a request got no ad */
      reason: string | null;
    }[];
};

export type AdvertiserGetMetricsQuery = {
  /** Today and the days before it */
  days?: number;
  /** First day, YYYY-MM-DD; together with end_date it overrides days */
  start_date?: string;
  /** Last day, included */
  end_date?: string;
  /** IANA time zone the days are cut by */
  tz?: string;
  /** Also list days without activity */
  fill?: "zero";
  /** Add the equally long period before */
  compare?: "previous";
  /** Only this campaign */
  campaign_id?: string;
};

export type AdvertiserGetMetricsResult = {
  data: {
      date: string;
      impressions: number;
      clicks: number;
      spend: number;
      conversions: number;
      revenue: number;
      ctr: number;
      cpc: number;
      cpm: number;
      conversion_rate: number;
      cpa: number;
      roas: number;
      view_through_conversions: number;
      /** At least half in view for a second */
      viewable_impressions: number;
      /** Those of which the page proved that the label could be read */
      disclosed_impressions: number;
    }[];
  total_impressions: number;
  total_clicks: number;
  total_spend: number;
  total_conversions: number;
  total_revenue: number;
  total_view_through_conversions: number;
  total_viewable_impressions: number;
  total_disclosed_impressions: number;
  /** Impressions kept out as invalid traffic */
  filtered_impressions: number;
  /** Clicks kept out as invalid traffic */
  filtered_clicks: number;
  previous?: {
    start_date: string;
    end_date: string;
    data: {
        date: string;
        impressions: number;
        clicks: number;
        spend: number;
        conversions: number;
        revenue: number;
        ctr: number;
        cpc: number;
        cpm: number;
        conversion_rate: number;
        cpa: number;
        roas: number;
        view_through_conversions: number;
        /** At least half in view for a second */
        viewable_impressions: number;
        /** Those of which the page proved that the label could be read */
        disclosed_impressions: number;
      }[];
    total_impressions: number;
    total_clicks: number;
    total_spend: number;
    total_conversions: number;
    total_revenue: number;
    total_view_through_conversions: number;
    total_viewable_impressions: number;
    total_disclosed_impressions: number;
    /** Impressions kept out as invalid traffic */
    filtered_impressions: number;
    /** Clicks kept out as invalid traffic */
    filtered_clicks: number;
  };
};

export type AdvertiserGetPaymentHoldsResult = {
  holds: {
      reference: string;
      /** disputed, refunded, payment_failed or overdue */
      reason: string;
      since: string;
    }[];
};

export type AdvertiserGetPixelsResult = {
    id: string;
    name: string;
    url: string;
    is_functional: boolean | null;
    verified_at: string | null;
    created_at: string;
    updated_at: string;
  }[];

export type AdvertiserGetPrivacyRequestsResult = {
  requests: {
      receipt_id: string;
      kind: string;
      at: string;
      asked_by: string;
      account_id: string | null;
      /** A keyed hash of whom it was about */
      subject: string;
      /** What there was, by kind */
      found: Record<string, number>;
    }[];
};

export type AdvertiserGetReportQuery = {
  /** What each row is about */
  by?: "day" | "campaign" | "ad_group" | "ad" | "country" | "device" | "placement" | "publisher" | "topic";
  /** Today and the days before it */
  days?: number;
  /** First day, YYYY-MM-DD; together with end_date it overrides days */
  start_date?: string;
  /** Last day, included */
  end_date?: string;
  /** IANA time zone the days are cut by */
  tz?: string;
  /** Add the equally long period before */
  compare?: "previous";
  /** A column of the answer; `change` is the difference to the period before. Days come in their order */
  sort?: string;
  order?: "asc" | "desc";
  limit?: number;
  country?: string;
  device?: string;
  placement?: string;
  campaign_id?: string;
  ad_group_id?: string;
  ad_id?: string;
  publisher_id?: string;
};

export type AdvertiserGetReportResult = {
  by: string;
  start_date: string;
  end_date: string;
  previous: {
      start_date?: string;
      end_date?: string;
    } | null;
  /** What these numbers do not say */
  note: string | null;
  filters: {
      field: string;
      name: string;
    }[];
  rows: {
      /** To filter by; empty where it is not known */
      key: string;
      name: string;
      impressions: number;
      clicks: number;
      ctr: number;
      spend: number;
      /** null where it is not counted by this */
      conversions: number | null;
      /** null where it is not counted by this */
      revenue: number | null;
      cpc: number;
      cpm: number;
      /** null where it is not counted by this */
      conversion_rate: number | null;
      /** null where it is not counted by this */
      cpa: number | null;
      /** null where it is not counted by this */
      roas: number | null;
      /** null where it is not counted by this */
      view_through_conversions: number | null;
      before?: {
        impressions: number;
        clicks: number;
        ctr: number;
        spend: number;
        /** null where it is not counted by this */
        conversions: number | null;
        /** null where it is not counted by this */
        revenue: number | null;
        cpc: number;
        cpm: number;
        /** null where it is not counted by this */
        conversion_rate: number | null;
        /** null where it is not counted by this */
        cpa: number | null;
        /** null where it is not counted by this */
        roas: number | null;
        /** null where it is not counted by this */
        view_through_conversions: number | null;
      };
    }[];
  total: {
    impressions: number;
    clicks: number;
    ctr: number;
    spend: number;
    /** null where it is not counted by this */
    conversions: number | null;
    /** null where it is not counted by this */
    revenue: number | null;
    cpc: number;
    cpm: number;
    /** null where it is not counted by this */
    conversion_rate: number | null;
    /** null where it is not counted by this */
    cpa: number | null;
    /** null where it is not counted by this */
    roas: number | null;
    /** null where it is not counted by this */
    view_through_conversions: number | null;
  };
  total_before?: {
    impressions: number;
    clicks: number;
    ctr: number;
    spend: number;
    /** null where it is not counted by this */
    conversions: number | null;
    /** null where it is not counted by this */
    revenue: number | null;
    cpc: number;
    cpm: number;
    /** null where it is not counted by this */
    conversion_rate: number | null;
    /** null where it is not counted by this */
    cpa: number | null;
    /** null where it is not counted by this */
    roas: number | null;
    /** null where it is not counted by this */
    view_through_conversions: number | null;
  };
  /** How many there are beyond `limit` too */
  row_count: number;
};

export type AdvertiserGetRequestsQuery = {
  /** Only this key */
  key_id?: string;
  limit?: number;
};

export type AdvertiserGetRequestsResult = {
  requests: {
      id: string;
      at: string;
      key_id: string;
      key_name: string;
      method: string;
      /** As the reference names it, without what was sent */
      route: string;
      status: number;
      /** Why there was no ad, or what was wrong */
      reason: string | null;
      latency_ms: number;
    }[];
};

export type AdvertiserGetReversalsResult = {
  reversals: {
      conversion_id: string;
      order_id: string | null;
      reason: string;
      /** Dollars it cost, or had earned */
      amount: number;
      /** `applied`: given back. `waiting`: an operator decides. `refused`, `late`: it stands. */
      status: string;
      requested_at: string;
      decided_at: string | null;
      note: string | null;
    }[];
};

export type AdvertiserGetTrafficFindingsResult = {
  findings: {
      rule: string;
      explanation: string;
      found_at: string;
      from: string;
      to: string;
      events: number;
      /** Dollars credited, or no longer earned */
      amount: number;
      rate: number;
      usual: number;
    }[];
};

export type AdvertiserGetTrendsQuery = {
  /** Up to 100, separated by commas */
  campaign_ids?: string;
  days?: number;
  /** IANA time zone the days are cut by */
  tz?: string;
};

export type AdvertiserGetTrendsResult = {
  dates: string[];
  campaigns: {
      campaign_id: string;
      /** In dollars, one a date */
      spend: number[];
      clicks: number[];
    }[];
};

export type AdvertiserGetWebhookDeliveriesResult = {
  deliveries: {
      alert_id: string;
      type: string;
      attempts: number;
      last_status: number | null;
      last_error: string | null;
      attempted_at: string | null;
      delivered_at: string | null;
    }[];
};

export type AdvertiserGetWebhooksResult = {
  webhooks: {
      id: string;
      url: string;
      alert_types: string[];
      is_active: boolean;
      created_at: string;
      updated_at: string;
    }[];
};

export type AdvertiserReplaceCampaignAdUnitsBody = {
  ad_unit_ids: string[];
  /** What people see until a change of what they see is approved: the approved version (default), or nothing */
  while_in_review?: "keep_showing" | "stop_showing" | null;
};

export type AdvertiserReplaceCampaignAdUnitsResult = {
  campaign_id: string;
  ad_unit_ids: string[];
};

export type AdvertiserUpdateAdBody = {
  name?: string | null;
  headline?: string | null;
  copy?: string | null;
  cta?: string | null;
  description?: string | null;
  /** http:// or https:// address */
  landing_page?: string | null;
  /** http:// or https:// address */
  image_url?: string | null;
  status?: "active" | "paused" | "archived" | null;
  /** What people see until a change of what they see is approved: the approved version (default), or nothing */
  while_in_review?: "keep_showing" | "stop_showing" | null;
};

export type AdvertiserUpdateAdResult = {
  id: string;
  ad_group_id: string;
  campaign_id: string;
  name: string;
  headline: string | null;
  copy: string | null;
  cta: string | null;
  description: string | null;
  landing_page: string | null;
  image_url: string | null;
  source: string;
  status: string;
  review_status: string;
  created_at: string;
  updated_at: string;
};

export type AdvertiserUpdateAdGroupBody = {
  campaign_id?: string;
  name?: string;
  group_type?: "generative" | "manual" | null;
  status?: "active" | "paused" | "archived" | null;
  context?: string | null;
  negative_context?: string | null;
  ad_prompt?: string | null;
  brand_name?: string | null;
  /** http:// or https:// address */
  landing_page?: string | null;
  daily_budget?: number | null;
  auto_optimize_budget?: boolean | null;
  min_daily_budget?: number | null;
  max_daily_budget?: number | null;
  max_cpc?: number | null;
  /** ISO 3166-1 alpha-2 */
  allowed_countries?: string[] | null;
  /** desktop, mobile, tablet */
  allowed_devices?: string[] | null;
  ads?: {
        id?: string | null;
        name?: string | null;
        headline?: string | null;
        copy?: string | null;
        cta?: string | null;
        description?: string | null;
        /** http:// or https:// address */
        landing_page?: string | null;
        /** http:// or https:// address */
        image_url?: string | null;
        status?: "active" | "paused" | "archived" | null;
      }[] | null;
  /** What people see until a change of what they see is approved: the approved version (default), or nothing */
  while_in_review?: "keep_showing" | "stop_showing" | null;
};

export type AdvertiserUpdateAdGroupResult = {
  id: string;
  campaign_id: string;
  name: string;
  group_type: string;
  status: string;
  context: string | null;
  negative_context: string | null;
  ad_prompt: string | null;
  brand_name: string | null;
  landing_page: string | null;
  daily_budget: number | null;
  auto_optimize_budget: boolean;
  min_daily_budget: number | null;
  max_daily_budget: number | null;
  max_cpc: number | null;
  allowed_countries: string[];
  allowed_devices: string[];
  sort_order: number;
  created_at: string;
  updated_at: string;
  ads: {
      id: string;
      ad_group_id: string;
      campaign_id: string;
      name: string;
      headline: string | null;
      copy: string | null;
      cta: string | null;
      description: string | null;
      landing_page: string | null;
      image_url: string | null;
      source: string;
      status: string;
      review_status: string;
      created_at: string;
      updated_at: string;
    }[];
  ads_total: number;
};

export type AdvertiserUpdateAdUnitArchiveResult = {
  ad_unit_id: string;
  is_archived: boolean;
  status: string;
};

export type AdvertiserUpdateCampaignBody = {
  name?: string;
  /** http:// or https:// address */
  landing_page?: string;
  daily_budget?: number;
  cpa_trust?: "server" | "pixel" | null;
  campaign_objective?: "impressions" | "clicks" | "conversions";
  max_cpc?: number | null;
  max_cpm?: number | null;
  max_cpa?: number | null;
  status?: "draft" | "active" | "paused";
  /** ISO 8601; without an offset it is UTC */
  start_time?: string | null;
  /** ISO 8601; without an offset it is UTC */
  end_time?: string | null;
  /** ISO 3166-1 alpha-2 */
  allowed_countries?: string[] | null;
  /** desktop, mobile, tablet */
  allowed_devices?: string[] | null;
  /** Object, or array of {key, value}, of [key, value] or of {key: value} */
  utm_params?: Record<string, unknown> | (Record<string, unknown> | unknown[])[] | null;
  /** http:// or https:// address */
  custom_favicon_url?: string | null;
  lead_form_config?: {
      title: string;
      description?: string | null;
      fields: {
          name: string;
          label: string;
          type: "text" | "email" | "phone" | "select" | "checkbox";
          required?: boolean | null;
          options?: string[] | null;
        }[];
      submit_label?: string | null;
      /** http:// or https:// address */
      privacy_policy_url?: string | null;
      success_message?: string | null;
    } | null;
  brand_safety?: {
      /** IAB content categories of conversations, by id or name */
      excluded_categories?: string[] | null;
      excluded_publishers?: string[] | null;
    } | null;
  frequency_cap?: {
      per_session?: number | null;
      per_user_day?: number | null;
    } | null;
  demographics?: {
      genders?: string[] | null;
      age_ranges?: string[] | null;
      interests?: string[] | null;
    } | null;
  bid_strategy?: "lowest_cost" | "bid_cap" | null;
  click_goal?: number | null;
  impression_goal?: number | null;
  conversion_type?: string | null;
  /** What people see until a change of what they see is approved: the approved version (default), or nothing */
  while_in_review?: "keep_showing" | "stop_showing" | null;
};

export type AdvertiserUpdateCampaignResult = {
  campaign_id: string;
  user_id: string;
  name: string;
  status: string;
  is_active: boolean;
  is_archived: boolean;
  daily_budget: number;
  daily_budget_remaining: number;
  landing_page: string;
  campaign_objective: string;
  billing_model: string;
  bid_strategy: string;
  click_goal: number | null;
  max_cpc: number | null;
  impression_goal: number | null;
  max_cpm: number | null;
  conversion_type: string | null;
  cpa_trust: string;
  max_cpa: number | null;
  demographics: unknown;
  /** As sent, categories by id; null: nothing is excluded */
  brand_safety: unknown;
  /** As sent; null: the network’s own */
  frequency_cap: unknown;
  /** How often one session, and one user in 24 hours, is shown the campaign at most */
  frequency_caps_in_force: {
    per_session: number;
    per_user_day: number;
  };
  created_at: string;
  updated_at: string;
  start_time: string | null;
  end_time: string | null;
  allowed_countries: string[];
  allowed_devices: string[];
  /** Key/value pairs in the form they were sent, or null */
  utm_params: unknown;
  custom_favicon_url: string | null;
  deployment_status: string;
  review_status: string;
  /** The version approved before is shown while the newest is not approved */
  shows_approved: boolean;
  /** Whether it is shown right now, and why not */
  delivery: {
    status: "showing" | "not_showing" | "scheduled" | "ended" | "paused" | "draft" | "archived";
    reason: "live" | "edit_in_review" | "edit_rejected" | "in_review" | "rejected" | "no_ads" | "daily_budget_spent" | "no_credit" | "account_blocked" | "switched_off" | "paused" | "paused_for_billing" | "not_started" | "ended" | "not_submitted" | "archived";
    /** The reason in words */
    message: string;
    since: string | null;
  };
  submitted_for_review_at: string | null;
  reviewed_at: string | null;
  review_notes: string | null;
  lead_form_config: unknown;
};

export type AdvertiserUpdateCampaignArchiveResult = {
  campaign_id: string;
  is_archived: boolean;
};

export type AdvertiserUpdateExperimentStopResult = {
  experiment_id: string;
  campaign_id: string;
  name: string;
  kind: string;
  started_at: string;
  stopped_at: string | null;
  variants: {
      variant: string;
      weight: number;
      ad_group_ids: string[];
    }[];
};

export type AdvertiserUpdateWebhookBody = {
  /** http or https address that answers 2xx */
  url?: string;
  /** Empty: all */
  alert_types?: ("campaign.budget_nearly_spent" | "campaign.delivery_stopped" | "campaign.conversion_rate_fell" | "publisher.delivery_stopped" | "webhook.test")[];
  is_active?: boolean;
};

export type AdvertiserUpdateWebhookResult = {
  id: string;
  url: string;
  alert_types: string[];
  is_active: boolean;
  created_at: string;
  updated_at: string;
};

export type PublisherCreatePayoutAccountResult = {
  url: string;
};

export type PublisherCreatePrivacyChoiceBody = {
  user_id?: string[] | string | null;
  session_id?: string[] | string | null;
  /** false: ads by the conversation alone */
  personalisation: boolean;
};

export type PublisherCreatePrivacyChoiceResult = {
  status: "ok";
};

export type PublisherCreatePrivacyRequestBody = {
  /** Erase what is kept, or show it */
  kind: "erase" | "access";
  visitor_id?: string | null;
  em?: string[] | string | null;
  ph?: string[] | string | null;
  external_id?: string[] | string | null;
  user_id?: string[] | string | null;
  session_id?: string[] | string | null;
  publisher_id?: string | null;
  advertiser_id?: string | null;
};

export type PublisherCreatePrivacyRequestResult = {
  receipt_id: string;
  kind: string;
  at: string;
  asked_by: string;
  account_id: string | null;
  /** A keyed hash of whom it was about */
  subject: string;
  /** What there was, by kind */
  found: Record<string, number>;
  /** What is kept, with `access`; at most 1,000 of a kind */
  data?: Record<string, unknown[]>;
};

export type PublisherCreateWebhookBody = {
  /** http or https address that answers 2xx */
  url: string;
  /** Empty: all */
  alert_types?: ("campaign.budget_nearly_spent" | "campaign.delivery_stopped" | "campaign.conversion_rate_fell" | "publisher.delivery_stopped" | "webhook.test")[];
};

export type PublisherCreateWebhookResult = {
  id: string;
  url: string;
  alert_types: string[];
  is_active: boolean;
  created_at: string;
  updated_at: string;
  secret: string;
};

export type PublisherCreateWebhookTestResult = {
  status: "queued";
};

export type PublisherGetActivityQuery = {
  /** Today and the days before it */
  days?: number;
  /** First day, YYYY-MM-DD; together with end_date it overrides days */
  start_date?: string;
  /** Last day, included */
  end_date?: string;
  /** IANA time zone the days are cut by */
  tz?: string;
  /** Also list days without activity */
  fill?: "zero";
  /** Add the equally long period before */
  compare?: "previous";
};

export type PublisherGetActivityResult = {
  data: {
      date: string;
      requests: number;
      wins: number;
      impressions: number;
      revenue: number;
    }[];
  total_requests: number;
  total_wins: number;
  total_impressions: number;
  total_revenue: number;
  /** wins / requests */
  fill_rate: number;
  /** impressions / wins */
  show_rate: number;
  previous?: {
    start_date: string;
    end_date: string;
    data: {
        date: string;
        requests: number;
        wins: number;
        impressions: number;
        revenue: number;
      }[];
    total_requests: number;
    total_wins: number;
    total_impressions: number;
    total_revenue: number;
    /** wins / requests */
    fill_rate: number;
    /** impressions / wins */
    show_rate: number;
  };
};

export type PublisherGetAlertsResult = {
  alerts: {
      id: string;
      type: string;
      created_at: string;
      data: Record<string, unknown>;
    }[];
};

export type PublisherGetCountriesQuery = {
  limit?: number;
};

export type PublisherGetCountriesResult = {
  countries: {
      country_code: string;
      requests: number;
      ads_served: number;
      unique_users: number;
      pct_requests: number;
    }[];
};

export type PublisherGetDevicesQuery = {
  /** Today and the days before it */
  days?: number;
  /** First day, YYYY-MM-DD; together with end_date it overrides days */
  start_date?: string;
  /** Last day, included */
  end_date?: string;
};

export type PublisherGetDevicesResult = {
  devices: {
      device_type: string;
      impressions: number;
      clicks: number;
      ctr: number;
      revenue: number;
      cpm: number;
      cpc: number;
      daily: {
          date: string;
          device_type: string;
          impressions: number;
          clicks: number;
          ctr: number;
          revenue: number;
          cpm: number;
          cpc: number;
        }[];
    }[];
  period_days: number;
};

export type PublisherGetDisclosureResult = {
  days: number;
  impressions: number;
  /** At least half in view for a second */
  viewable: number;
  /** Those with a label people could read */
  disclosed: number;
  /** disclosed / viewable */
  disclosed_rate: number;
  /** `unknown`: too few impressions. `disclosed`. `label_hidden`: pages measured, and mostly no label was seen. `no_proof`: pages measure too little. */
  state: string;
  earnings_held: boolean;
};

export type PublisherGetEarningsResult = {
  hold_days: number;
  earned: number;
  /** Not to be paid yet; `held_because` says why */
  held: number;
  payable: number;
  paid: number;
  /** Earned and not paid: held and payable together */
  balance: number;
  held_because: {
      /** `recent`: inside `hold_days`. `told_by_pixel`: conversions only a pixel tells of, two weeks. `unproven`: the network’s purchases do not show yet that people stand behind the traffic. `undisclosed`: the label of its ads is rarely proven to be seen. `blocked`: the account is. `paid_and_taken_back`: set against what comes. */
      reason: string;
      amount: number;
    }[];
  payouts: {
      id: string;
      publisher_id: string;
      amount: number;
      through: string;
      approved_at: string;
      reference: string | null;
      /** `manual`, or the provider that sends it */
      method: string;
      /** `paid`; `approved`: to be sent; `failed`: see `problem`; `void`: taken back */
      status: string;
      problem: string | null;
    }[];
};

export type PublisherGetExportsEventsQuery = {
  /** First day, YYYY-MM-DD */
  start_date: string;
  /** Last day, included */
  end_date: string;
  /** IANA time zone of the two dates */
  tz?: string;
  /** Only events of this kind */
  kind?: "request" | "win" | "impression" | "viewable" | "disclosed" | "click" | "conversion" | "impression_reversal" | "viewable_reversal" | "click_reversal" | "conversion_reversal" | "conversion_adjustment";
};

export type PublisherGetExportsEventsResult = string;

export type PublisherGetFunnelQuery = {
  /** Today and the days before it */
  days?: number;
  /** First day, YYYY-MM-DD; together with end_date it overrides days */
  start_date?: string;
  /** Last day, included */
  end_date?: string;
  /** IANA time zone the days are cut by */
  tz?: string;
  /** Also list days without activity */
  fill?: "zero";
  /** Add the equally long period before */
  compare?: "previous";
};

export type PublisherGetFunnelResult = {
  steps: {
      step: string;
      count: number;
      rate_from_previous: number;
      rate_from_first: number;
    }[];
  /** Impressions kept out as invalid traffic */
  filtered_impressions: number;
  /** Clicks kept out as invalid traffic */
  filtered_clicks: number;
  /** Impressions of which the page proved that the label could be read */
  total_disclosed: number;
  /** total_disclosed / viewable */
  disclosed_rate: number;
  total_revenue: number;
  data: {
      date: string;
      requests: number;
      wins: number;
      impressions: number;
      viewable: number;
      clicks: number;
      conversions: number;
      /** Impressions of which the page proved that the label could be read */
      disclosed: number;
      revenue: number;
    }[];
  previous?: {
    start_date: string;
    end_date: string;
    steps: {
        step: string;
        count: number;
        rate_from_previous: number;
        rate_from_first: number;
      }[];
    /** Impressions kept out as invalid traffic */
    filtered_impressions: number;
    /** Clicks kept out as invalid traffic */
    filtered_clicks: number;
    /** Impressions of which the page proved that the label could be read */
    total_disclosed: number;
    /** total_disclosed / viewable */
    disclosed_rate: number;
    total_revenue: number;
    data: {
        date: string;
        requests: number;
        wins: number;
        impressions: number;
        viewable: number;
        clicks: number;
        conversions: number;
        /** Impressions of which the page proved that the label could be read */
        disclosed: number;
        revenue: number;
      }[];
  };
};

export type PublisherGetGeographyQuery = {
  /** Today and the days before it */
  days?: number;
  /** First day, YYYY-MM-DD; together with end_date it overrides days */
  start_date?: string;
  /** Last day, included */
  end_date?: string;
};

export type PublisherGetGeographyResult = {
  countries: {
      country_code: string;
      impressions: number;
      clicks: number;
      ctr: number;
      revenue: number;
      cpm: number;
      cpc: number;
    }[];
  period_days: number;
};

export type PublisherGetInfoResult = {
  publisher_id: string;
  name: string;
  url: string;
  payout_model: string;
  total_impressions: number;
  total_clicks: number;
};

export type PublisherGetInvalidTrafficQuery = {
  days?: number;
};

export type PublisherGetInvalidTrafficResult = {
  rows: {
      reason: string;
      kind: string;
      events: number;
      /** Dollars credited, or no longer earned */
      amount: number;
    }[];
};

export type PublisherGetLiveQuery = {
  limit?: number;
};

export type PublisherGetLiveResult = {
  events: {
      at: string;
      /** `request`, `win`, `impression`, `click`, `conversion` */
      kind: string;
      country: string | null;
      device: string | null;
      placement: string | null;
      /** Where it is the account’s own, or for operators */
      campaign: string | null;
      publisher: string | null;
      /** Why a request got no ad */
      reason: string | null;
    }[];
};

export type PublisherGetNoAdReasonsQuery = {
  days?: number;
};

export type PublisherGetNoAdReasonsResult = {
  days: {
      day: string;
      outcome: string;
      requests: number;
      unread: number;
    }[];
  totals: Record<string, number>;
  requests: number;
  unread_share: number;
};

export type PublisherGetPayoutAccountResult = {
  /** Who sends payouts here; null: the operator, by hand */
  provider: string | null;
  connected: boolean;
  /** Whether money can be sent there now */
  ready: boolean;
  /** What the provider still asks for */
  missing: string[];
};

export type PublisherGetPlacementsQuery = {
  /** Today and the days before it */
  days?: number;
  /** First day, YYYY-MM-DD; together with end_date it overrides days */
  start_date?: string;
  /** Last day, included */
  end_date?: string;
};

export type PublisherGetPlacementsResult = {
  placements: {
      placement: string;
      impressions: number;
      clicks: number;
      ctr: number;
      revenue: number;
      cpm: number;
      cpc: number;
      daily: {
          date: string;
          impressions: number;
          clicks: number;
          ctr: number;
          revenue: number;
          cpm: number;
          cpc: number;
        }[];
    }[];
  period_days: number;
};

export type PublisherGetPrivacyRequestsResult = {
  requests: {
      receipt_id: string;
      kind: string;
      at: string;
      asked_by: string;
      account_id: string | null;
      /** A keyed hash of whom it was about */
      subject: string;
      /** What there was, by kind */
      found: Record<string, number>;
    }[];
};

export type PublisherGetReportQuery = {
  /** What each row is about */
  by?: "day" | "advertiser" | "placement" | "country" | "device" | "no_ad_reason";
  /** Today and the days before it */
  days?: number;
  /** First day, YYYY-MM-DD; together with end_date it overrides days */
  start_date?: string;
  /** Last day, included */
  end_date?: string;
  /** IANA time zone the days are cut by */
  tz?: string;
  /** Add the equally long period before */
  compare?: "previous";
  /** A column of the answer; `change` is the difference to the period before. Days come in their order */
  sort?: string;
  order?: "asc" | "desc";
  limit?: number;
  country?: string;
  device?: string;
  placement?: string;
  advertiser_id?: string;
};

export type PublisherGetReportResult = {
  by: string;
  start_date: string;
  end_date: string;
  previous: {
      start_date?: string;
      end_date?: string;
    } | null;
  /** What these numbers do not say */
  note: string | null;
  filters: {
      field: string;
      name: string;
    }[];
  rows: {
      /** To filter by; empty where it is not known */
      key: string;
      name: string;
      /** null where it is not counted by this */
      requests: number | null;
      /** null where it is not counted by this */
      wins: number | null;
      /** null where it is not counted by this */
      fill_rate: number | null;
      impressions: number;
      clicks: number;
      ctr: number;
      revenue: number;
      cpm: number;
      cpc: number;
      conversions: number;
      before?: {
        /** null where it is not counted by this */
        requests: number | null;
        /** null where it is not counted by this */
        wins: number | null;
        /** null where it is not counted by this */
        fill_rate: number | null;
        impressions: number;
        clicks: number;
        ctr: number;
        revenue: number;
        cpm: number;
        cpc: number;
        conversions: number;
      };
    }[];
  total: {
    /** null where it is not counted by this */
    requests: number | null;
    /** null where it is not counted by this */
    wins: number | null;
    /** null where it is not counted by this */
    fill_rate: number | null;
    impressions: number;
    clicks: number;
    ctr: number;
    revenue: number;
    cpm: number;
    cpc: number;
    conversions: number;
  };
  total_before?: {
    /** null where it is not counted by this */
    requests: number | null;
    /** null where it is not counted by this */
    wins: number | null;
    /** null where it is not counted by this */
    fill_rate: number | null;
    impressions: number;
    clicks: number;
    ctr: number;
    revenue: number;
    cpm: number;
    cpc: number;
    conversions: number;
  };
  /** How many there are beyond `limit` too */
  row_count: number;
};

export type PublisherGetRequestsQuery = {
  /** Only this key */
  key_id?: string;
  limit?: number;
};

export type PublisherGetRequestsResult = {
  requests: {
      id: string;
      at: string;
      key_id: string;
      key_name: string;
      method: string;
      /** As the reference names it, without what was sent */
      route: string;
      status: number;
      /** Why there was no ad, or what was wrong */
      reason: string | null;
      latency_ms: number;
    }[];
};

export type PublisherGetReversalsResult = {
  reversals: {
      conversion_id: string;
      order_id: string | null;
      reason: string;
      /** Dollars it cost, or had earned */
      amount: number;
      /** `applied`: given back. `waiting`: an operator decides. `refused`, `late`: it stands. */
      status: string;
      requested_at: string;
      decided_at: string | null;
      note: string | null;
    }[];
};

export type PublisherGetStatementResult = {
  month: string;
  publisher: string;
  /** False while the month runs or its earnings can still be taken back */
  is_final: boolean;
  /** Earned and not paid when the month began */
  opening: number;
  earned: number;
  paid: number;
  closing: number;
  lines: {
      date: string;
      /** `earned` or `payout` */
      what: string;
      impressions: number;
      clicks: number;
      amount: number;
      reference: string | null;
    }[];
};

export type PublisherGetStatementPdfResult = string;

export type PublisherGetStatementsResult = {
  statements: {
      month: string;
      earned: number;
      paid: number;
      closing: number;
      is_final: boolean;
    }[];
};

export type PublisherGetStatsQuery = {
  /** Today and the days before it */
  days?: number;
  /** First day, YYYY-MM-DD; together with end_date it overrides days */
  start_date?: string;
  /** Last day, included */
  end_date?: string;
  /** IANA time zone the days are cut by */
  tz?: string;
  /** Also list days without activity */
  fill?: "zero";
  /** Add the equally long period before */
  compare?: "previous";
};

export type PublisherGetStatsResult = {
  totalImpressions: number;
  totalClicks: number;
  totalRevenue: number;
  avgCpm: number;
  avgCpc: number;
  avgCtr: number;
  timeSeries: {
      date: string;
      impressions: number;
      clicks: number;
      revenue: number;
      cpm: number;
      cpc: number;
      ctr: number;
    }[];
  previous?: {
    start_date: string;
    end_date: string;
    totalImpressions: number;
    totalClicks: number;
    totalRevenue: number;
    avgCpm: number;
    avgCpc: number;
    avgCtr: number;
    timeSeries: {
        date: string;
        impressions: number;
        clicks: number;
        revenue: number;
        cpm: number;
        cpc: number;
        ctr: number;
      }[];
  };
};

export type PublisherGetTrafficFindingsResult = {
  findings: {
      rule: string;
      explanation: string;
      found_at: string;
      from: string;
      to: string;
      events: number;
      /** Dollars credited, or no longer earned */
      amount: number;
      rate: number;
      usual: number;
    }[];
};

export type PublisherGetUsersQuery = {
  page?: number;
  per_page?: number;
  sort?: "requests" | "ads_served" | "impressions" | "clicks" | "revenue_microdollars" | "first_seen" | "last_seen";
  order?: "asc" | "desc";
  /** Part of a user id, in any case */
  search?: string;
};

export type PublisherGetUsersResult = {
  users: {
      pub_user_id: string;
      requests: number;
      ads_served: number;
      impressions: number;
      clicks: number;
      revenue_microdollars: number;
      first_seen: string;
      last_seen: string;
    }[];
  total: number;
  has_more: boolean;
  page: number;
  per_page: number;
};

export type PublisherGetWebhookDeliveriesResult = {
  deliveries: {
      alert_id: string;
      type: string;
      attempts: number;
      last_status: number | null;
      last_error: string | null;
      attempted_at: string | null;
      delivered_at: string | null;
    }[];
};

export type PublisherGetWebhooksResult = {
  webhooks: {
      id: string;
      url: string;
      alert_types: string[];
      is_active: boolean;
      created_at: string;
      updated_at: string;
    }[];
};

export type PublisherUpdateWebhookBody = {
  /** http or https address that answers 2xx */
  url?: string;
  /** Empty: all */
  alert_types?: ("campaign.budget_nearly_spent" | "campaign.delivery_stopped" | "campaign.conversion_rate_fell" | "publisher.delivery_stopped" | "webhook.test")[];
  is_active?: boolean;
};

export type PublisherUpdateWebhookResult = {
  id: string;
  url: string;
  alert_types: string[];
  is_active: boolean;
  created_at: string;
  updated_at: string;
};

/** An advertiser’s reports and campaigns. */
export interface AdvertiserReporting {
  /** Create an ad group */
  createAdGroup(body: AdvertiserCreateAdGroupBody, options?: CallOptions): Promise<Outcome<AdvertiserCreateAdGroupResult>>;
  /** Add an ad to a manual group */
  createAdGroupAd(ad_group_id: string, body: AdvertiserCreateAdGroupAdBody, options?: CallOptions): Promise<Outcome<AdvertiserCreateAdGroupAdResult>>;
  /** Change many ad groups at once: status, budget, bid */
  createAdGroupsBulk(body: AdvertiserCreateAdGroupsBulkBody, options?: CallOptions): Promise<Outcome<AdvertiserCreateAdGroupsBulkResult>>;
  /** Create an ad unit */
  createAdUnit(body: AdvertiserCreateAdUnitBody, options?: CallOptions): Promise<Outcome<AdvertiserCreateAdUnitResult>>;
  /** Pause, activate or archive many ads written by hand */
  createAdsBulk(body: AdvertiserCreateAdsBulkBody, options?: CallOptions): Promise<Outcome<AdvertiserCreateAdsBulkResult>>;
  /** Ads from a brief and a page, to choose from; nothing is stored */
  createAdsWrite(body: AdvertiserCreateAdsWriteBody, options?: CallOptions): Promise<Outcome<AdvertiserCreateAdsWriteResult>>;
  /** Create a campaign with its ad groups or ad units */
  createCampaign(body: AdvertiserCreateCampaignBody, options?: CallOptions): Promise<Outcome<AdvertiserCreateCampaignResult>>;
  /** Link ad units to a campaign */
  createCampaignAdUnit(campaign_id: string, body: AdvertiserCreateCampaignAdUnitBody, options?: CallOptions): Promise<Outcome<AdvertiserCreateCampaignAdUnitResult>>;
  /** Draft ad units from a landing page */
  createCampaignAdUnitsGenerate(campaign_id: string, body: AdvertiserCreateCampaignAdUnitsGenerateBody, options?: CallOptions): Promise<Outcome<AdvertiserCreateCampaignAdUnitsGenerateResult>>;
  /** Change many campaigns at once: status, budget, bid, end, archive */
  createCampaignsBulk(body: AdvertiserCreateCampaignsBulkBody, options?: CallOptions): Promise<Outcome<AdvertiserCreateCampaignsBulkResult>>;
  /** What an edit would do to what people see; nothing is saved */
  createCheckEdit(body: AdvertiserCreateCheckEditBody, options?: CallOptions): Promise<Outcome<AdvertiserCreateCheckEditResult>>;
  /** Buy credit: where to pay for it */
  createCredit(body: AdvertiserCreateCreditBody, options?: CallOptions): Promise<Outcome<AdvertiserCreateCreditResult>>;
  /** Begin an experiment with a campaign */
  createExperiment(body: AdvertiserCreateExperimentBody, options?: CallOptions): Promise<Outcome<AdvertiserCreateExperimentResult>>;
  /** What a campaign would bring, from the requests of the last 14 days */
  createForecast(body: AdvertiserCreateForecastBody, options?: CallOptions): Promise<Outcome<AdvertiserCreateForecastResult>>;
  /** Connect a storefront, or replace its webhook secret */
  createIntegrationsShopify(body: AdvertiserCreateIntegrationsShopifyBody, options?: CallOptions): Promise<Outcome<AdvertiserCreateIntegrationsShopifyResult>>;
  /** Look for the challenge on the shop’s front page */
  createIntegrationsShopifyVerify(connection_id: string, options?: CallOptions): Promise<Outcome<AdvertiserCreateIntegrationsShopifyVerifyResult>>;
  /** Create a pixel */
  createPixel(body: AdvertiserCreatePixelBody, options?: CallOptions): Promise<Outcome<AdvertiserCreatePixelResult>>;
  /** See or erase what is kept of somebody */
  createPrivacyRequest(body: AdvertiserCreatePrivacyRequestBody, options?: CallOptions): Promise<Outcome<AdvertiserCreatePrivacyRequestResult>>;
  /** Add an endpoint; its secret is shown once */
  createWebhook(body: AdvertiserCreateWebhookBody, options?: CallOptions): Promise<Outcome<AdvertiserCreateWebhookResult>>;
  /** Send a test alert */
  createWebhookTest(webhook_id: string, options?: CallOptions): Promise<Outcome<AdvertiserCreateWebhookTestResult>>;
  /** Archive a manual ad */
  deleteAd(ad_id: string, options?: CallOptions): Promise<Outcome<null>>;
  /** Archive an ad group and its ads */
  deleteAdGroup(ad_group_id: string, options?: CallOptions): Promise<Outcome<null>>;
  /** Disconnect a storefront */
  deleteIntegrationsShopify(connection_id: string, options?: CallOptions): Promise<Outcome<AdvertiserDeleteIntegrationsShopifyResult>>;
  /** Remove an endpoint */
  deleteWebhook(webhook_id: string, options?: CallOptions): Promise<Outcome<null>>;
  /** One ad group with its ads */
  getAdGroup(ad_group_id: string, options?: CallOptions): Promise<Outcome<AdvertiserGetAdGroupResult>>;
  /** Daily performance of each ad group */
  getAdGroupMetrics(query?: AdvertiserGetAdGroupMetricsQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetAdGroupMetricsResult>>;
  /** Ad groups with their ads; with `limit`, the header X-Next-Cursor names the next page */
  getAdGroups(query?: AdvertiserGetAdGroupsQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetAdGroupsResult>>;
  /** Daily performance of each ad unit in each campaign */
  getAdUnitMetrics(query?: AdvertiserGetAdUnitMetricsQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetAdUnitMetricsResult>>;
  /** The last 100 alerts */
  getAlerts(options?: CallOptions): Promise<Outcome<AdvertiserGetAlertsResult>>;
  /** Spend, what was billed, credit */
  getBilling(options?: CallOptions): Promise<Outcome<AdvertiserGetBillingResult>>;
  /** Ad groups of all campaigns, newest first, with their last 30 days */
  getBulkAdGroups(query?: AdvertiserGetBulkAdGroupsQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetBulkAdGroupsResult>>;
  /** Ads of all groups, newest first */
  getBulkAds(query?: AdvertiserGetBulkAdsQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetBulkAdsResult>>;
  /** One campaign with lifetime stats */
  getCampaign(campaign_id: string, options?: CallOptions): Promise<Outcome<AdvertiserGetCampaignResult>>;
  /** Campaigns with lifetime stats, newest first */
  getCampaigns(query?: AdvertiserGetCampaignsQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetCampaignsResult>>;
  /** What the conversations were about that ads stood beside */
  getContentCategories(query?: AdvertiserGetContentCategoriesQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetContentCategoriesResult>>;
  /** Conversions, newest first */
  getConversions(query?: AdvertiserGetConversionsQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetConversionsResult>>;
  /** Pixel events by domain, day and type */
  getEventsAnalytics(query?: AdvertiserGetEventsAnalyticsQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetEventsAnalyticsResult>>;
  /** Conversions by day and type */
  getEventsConversionStats(query?: AdvertiserGetEventsConversionStatsQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetEventsConversionStatsResult>>;
  /** What each arm did, and the lift of each over the first */
  getExperiment(experiment_id: string, options?: CallOptions): Promise<Outcome<AdvertiserGetExperimentResult>>;
  /** Experiments, newest first */
  getExperiments(options?: CallOptions): Promise<Outcome<AdvertiserGetExperimentsResult>>;
  /** Every raw event of a range, as CSV */
  getExportsEvents(query: AdvertiserGetExportsEventsQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetExportsEventsResult>>;
  /** Who the key belongs to */
  getInfo(options?: CallOptions): Promise<Outcome<AdvertiserGetInfoResult>>;
  /** Connected storefronts */
  getIntegrations(options?: CallOptions): Promise<Outcome<AdvertiserGetIntegrationsResult>>;
  /** What was not counted or was credited, by reason */
  getInvalidTraffic(query?: AdvertiserGetInvalidTrafficQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetInvalidTrafficResult>>;
  /** An invoice; with .pdf after its id as a document */
  getInvoice(invoice_id: string, options?: CallOptions): Promise<Outcome<AdvertiserGetInvoiceResult>>;
  /** Invoices, newest first */
  getInvoices(query?: AdvertiserGetInvoicesQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetInvoicesResult>>;
  /** Leads of the account, newest first */
  getLeads(query?: AdvertiserGetLeadsQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetLeadsResult>>;
  /** Every movement of money, newest first */
  getLedger(query?: AdvertiserGetLedgerQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetLedgerResult>>;
  /** Requests, ads, impressions and clicks of the last ten minutes, newest first */
  getLive(query?: AdvertiserGetLiveQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetLiveResult>>;
  /** Daily performance of the account or one campaign */
  getMetrics(query?: AdvertiserGetMetricsQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetMetricsResult>>;
  /** Payments that stop the campaigns until they are settled */
  getPaymentHolds(options?: CallOptions): Promise<Outcome<AdvertiserGetPaymentHoldsResult>>;
  /** Pixels of the account, newest first */
  getPixels(options?: CallOptions): Promise<Outcome<AdvertiserGetPixelsResult>>;
  /** Receipts of such requests, newest first */
  getPrivacyRequests(options?: CallOptions): Promise<Outcome<AdvertiserGetPrivacyRequestsResult>>;
  /** Performance by day, campaign, ad group, ad, country, device and more */
  getReport(query?: AdvertiserGetReportQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetReportResult>>;
  /** The last requests of the account’s keys, newest first; no personal data */
  getRequests(query?: AdvertiserGetRequestsQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetRequestsResult>>;
  /** Money asked back for cancelled orders, and what became of it */
  getReversals(options?: CallOptions): Promise<Outcome<AdvertiserGetReversalsResult>>;
  /** Traffic found out later, why, and what was credited for it */
  getTrafficFindings(options?: CallOptions): Promise<Outcome<AdvertiserGetTrafficFindingsResult>>;
  /** Spend and clicks of several campaigns by day */
  getTrends(query?: AdvertiserGetTrendsQuery, options?: CallOptions): Promise<Outcome<AdvertiserGetTrendsResult>>;
  /** The last 100 deliveries */
  getWebhookDeliveries(webhook_id: string, options?: CallOptions): Promise<Outcome<AdvertiserGetWebhookDeliveriesResult>>;
  /** Endpoints that are told of alerts */
  getWebhooks(options?: CallOptions): Promise<Outcome<AdvertiserGetWebhooksResult>>;
  /** Replace the ad units of a campaign */
  replaceCampaignAdUnits(campaign_id: string, body: AdvertiserReplaceCampaignAdUnitsBody, options?: CallOptions): Promise<Outcome<AdvertiserReplaceCampaignAdUnitsResult>>;
  /** Edit a manual ad */
  updateAd(ad_id: string, body: AdvertiserUpdateAdBody, options?: CallOptions): Promise<Outcome<AdvertiserUpdateAdResult>>;
  /** Edit an ad group; null clears a field, `ads` replaces the list */
  updateAdGroup(ad_group_id: string, body: AdvertiserUpdateAdGroupBody, options?: CallOptions): Promise<Outcome<AdvertiserUpdateAdGroupResult>>;
  /** Archive an ad unit, or bring it back as a draft */
  updateAdUnitArchive(ad_unit_id: string, options?: CallOptions): Promise<Outcome<AdvertiserUpdateAdUnitArchiveResult>>;
  /** Edit a campaign; null clears a field */
  updateCampaign(campaign_id: string, body: AdvertiserUpdateCampaignBody, options?: CallOptions): Promise<Outcome<AdvertiserUpdateCampaignResult>>;
  /** Archive a campaign, or bring it back */
  updateCampaignArchive(campaign_id: string, options?: CallOptions): Promise<Outcome<AdvertiserUpdateCampaignArchiveResult>>;
  /** End an experiment; its result stays */
  updateExperimentStop(experiment_id: string, options?: CallOptions): Promise<Outcome<AdvertiserUpdateExperimentStopResult>>;
  /** Change an endpoint */
  updateWebhook(webhook_id: string, body: AdvertiserUpdateWebhookBody, options?: CallOptions): Promise<Outcome<AdvertiserUpdateWebhookResult>>;
}

/** An advertiser’s reports and campaigns. No method throws. */
export function createAdvertiserReporting(given: ReportingOptions): AdvertiserReporting {
  const call = createCaller(given);
  return {
    createAdGroup: (body, options) => call('POST', '/advertiser-dashboard/ad-groups', { body }, options),
    createAdGroupAd: (ad_group_id, body, options) => call('POST', '/advertiser-dashboard/ad-groups/{ad_group_id}/ads', { path: { ad_group_id }, body }, options),
    createAdGroupsBulk: (body, options) => call('POST', '/advertiser-dashboard/ad-groups/bulk', { body }, options),
    createAdUnit: (body, options) => call('POST', '/advertiser-dashboard/ad-units', { body }, options),
    createAdsBulk: (body, options) => call('POST', '/advertiser-dashboard/ads/bulk', { body }, options),
    createAdsWrite: (body, options) => call('POST', '/advertiser-dashboard/ads/write', { body }, options),
    createCampaign: (body, options) => call('POST', '/advertiser-dashboard/campaigns', { body }, options),
    createCampaignAdUnit: (campaign_id, body, options) => call('POST', '/advertiser-dashboard/campaigns/{campaign_id}/ad-units', { path: { campaign_id }, body }, options),
    createCampaignAdUnitsGenerate: (campaign_id, body, options) => call('POST', '/advertiser-dashboard/campaigns/{campaign_id}/ad-units/generate', { path: { campaign_id }, body }, options),
    createCampaignsBulk: (body, options) => call('POST', '/advertiser-dashboard/campaigns/bulk', { body }, options),
    createCheckEdit: (body, options) => call('POST', '/advertiser-dashboard/check-edit', { body }, options),
    createCredit: (body, options) => call('POST', '/advertiser-dashboard/credits', { body }, options),
    createExperiment: (body, options) => call('POST', '/advertiser-dashboard/experiments', { body }, options),
    createForecast: (body, options) => call('POST', '/advertiser-dashboard/forecast', { body }, options),
    createIntegrationsShopify: (body, options) => call('POST', '/advertiser-dashboard/integrations/shopify', { body }, options),
    createIntegrationsShopifyVerify: (connection_id, options) => call('POST', '/advertiser-dashboard/integrations/shopify/{connection_id}/verify', { path: { connection_id } }, options),
    createPixel: (body, options) => call('POST', '/advertiser-dashboard/pixels', { body }, options),
    createPrivacyRequest: (body, options) => call('POST', '/advertiser-dashboard/privacy-requests', { body }, options),
    createWebhook: (body, options) => call('POST', '/advertiser-dashboard/webhooks', { body }, options),
    createWebhookTest: (webhook_id, options) => call('POST', '/advertiser-dashboard/webhooks/{webhook_id}/test', { path: { webhook_id } }, options),
    deleteAd: (ad_id, options) => call('DELETE', '/advertiser-dashboard/ads/{ad_id}', { path: { ad_id } }, options),
    deleteAdGroup: (ad_group_id, options) => call('DELETE', '/advertiser-dashboard/ad-groups/{ad_group_id}', { path: { ad_group_id } }, options),
    deleteIntegrationsShopify: (connection_id, options) => call('DELETE', '/advertiser-dashboard/integrations/shopify/{connection_id}', { path: { connection_id } }, options),
    deleteWebhook: (webhook_id, options) => call('DELETE', '/advertiser-dashboard/webhooks/{webhook_id}', { path: { webhook_id } }, options),
    getAdGroup: (ad_group_id, options) => call('GET', '/advertiser-dashboard/ad-groups/{ad_group_id}', { path: { ad_group_id } }, options),
    getAdGroupMetrics: (query, options) => call('GET', '/advertiser-dashboard/ad-group-metrics', { query }, options),
    getAdGroups: (query, options) => call('GET', '/advertiser-dashboard/ad-groups', { query }, options),
    getAdUnitMetrics: (query, options) => call('GET', '/advertiser-dashboard/ad-unit-metrics', { query }, options),
    getAlerts: (options) => call('GET', '/advertiser-dashboard/alerts', {  }, options),
    getBilling: (options) => call('GET', '/advertiser-dashboard/billing', {  }, options),
    getBulkAdGroups: (query, options) => call('GET', '/advertiser-dashboard/bulk/ad-groups', { query }, options),
    getBulkAds: (query, options) => call('GET', '/advertiser-dashboard/bulk/ads', { query }, options),
    getCampaign: (campaign_id, options) => call('GET', '/advertiser-dashboard/campaigns/{campaign_id}', { path: { campaign_id } }, options),
    getCampaigns: (query, options) => call('GET', '/advertiser-dashboard/campaigns', { query }, options),
    getContentCategories: (query, options) => call('GET', '/advertiser-dashboard/content-categories', { query }, options),
    getConversions: (query, options) => call('GET', '/advertiser-dashboard/conversions', { query }, options),
    getEventsAnalytics: (query, options) => call('GET', '/advertiser-dashboard/events/analytics', { query }, options),
    getEventsConversionStats: (query, options) => call('GET', '/advertiser-dashboard/events/conversion-stats', { query }, options),
    getExperiment: (experiment_id, options) => call('GET', '/advertiser-dashboard/experiments/{experiment_id}', { path: { experiment_id } }, options),
    getExperiments: (options) => call('GET', '/advertiser-dashboard/experiments', {  }, options),
    getExportsEvents: (query, options) => call('GET', '/advertiser-dashboard/exports/events', { query }, options),
    getInfo: (options) => call('GET', '/advertiser-dashboard/info', {  }, options),
    getIntegrations: (options) => call('GET', '/advertiser-dashboard/integrations', {  }, options),
    getInvalidTraffic: (query, options) => call('GET', '/advertiser-dashboard/invalid-traffic', { query }, options),
    getInvoice: (invoice_id, options) => call('GET', '/advertiser-dashboard/invoices/{invoice_id}', { path: { invoice_id } }, options),
    getInvoices: (query, options) => call('GET', '/advertiser-dashboard/invoices', { query }, options),
    getLeads: (query, options) => call('GET', '/advertiser-dashboard/leads', { query }, options),
    getLedger: (query, options) => call('GET', '/advertiser-dashboard/ledger', { query }, options),
    getLive: (query, options) => call('GET', '/advertiser-dashboard/live', { query }, options),
    getMetrics: (query, options) => call('GET', '/advertiser-dashboard/metrics', { query }, options),
    getPaymentHolds: (options) => call('GET', '/advertiser-dashboard/payment-holds', {  }, options),
    getPixels: (options) => call('GET', '/advertiser-dashboard/pixels', {  }, options),
    getPrivacyRequests: (options) => call('GET', '/advertiser-dashboard/privacy-requests', {  }, options),
    getReport: (query, options) => call('GET', '/advertiser-dashboard/report', { query }, options),
    getRequests: (query, options) => call('GET', '/advertiser-dashboard/requests', { query }, options),
    getReversals: (options) => call('GET', '/advertiser-dashboard/reversals', {  }, options),
    getTrafficFindings: (options) => call('GET', '/advertiser-dashboard/traffic-findings', {  }, options),
    getTrends: (query, options) => call('GET', '/advertiser-dashboard/trends', { query }, options),
    getWebhookDeliveries: (webhook_id, options) => call('GET', '/advertiser-dashboard/webhooks/{webhook_id}/deliveries', { path: { webhook_id } }, options),
    getWebhooks: (options) => call('GET', '/advertiser-dashboard/webhooks', {  }, options),
    replaceCampaignAdUnits: (campaign_id, body, options) => call('PUT', '/advertiser-dashboard/campaigns/{campaign_id}/ad-units', { path: { campaign_id }, body }, options),
    updateAd: (ad_id, body, options) => call('PATCH', '/advertiser-dashboard/ads/{ad_id}', { path: { ad_id }, body }, options),
    updateAdGroup: (ad_group_id, body, options) => call('PATCH', '/advertiser-dashboard/ad-groups/{ad_group_id}', { path: { ad_group_id }, body }, options),
    updateAdUnitArchive: (ad_unit_id, options) => call('PATCH', '/advertiser-dashboard/ad-units/{ad_unit_id}/archive', { path: { ad_unit_id } }, options),
    updateCampaign: (campaign_id, body, options) => call('PATCH', '/advertiser-dashboard/campaigns/{campaign_id}', { path: { campaign_id }, body }, options),
    updateCampaignArchive: (campaign_id, options) => call('PATCH', '/advertiser-dashboard/campaigns/{campaign_id}/archive', { path: { campaign_id } }, options),
    updateExperimentStop: (experiment_id, options) => call('PATCH', '/advertiser-dashboard/experiments/{experiment_id}/stop', { path: { experiment_id } }, options),
    updateWebhook: (webhook_id, body, options) => call('PATCH', '/advertiser-dashboard/webhooks/{webhook_id}', { path: { webhook_id }, body }, options),
  };
}

/** A publisher’s reports. */
export interface PublisherReporting {
  /** Open or complete your account with the provider: where to go for it */
  createPayoutAccount(options?: CallOptions): Promise<Outcome<PublisherCreatePayoutAccountResult>>;
  /** A user wants, or no longer wants, ads without anything personal */
  createPrivacyChoice(body: PublisherCreatePrivacyChoiceBody, options?: CallOptions): Promise<Outcome<PublisherCreatePrivacyChoiceResult>>;
  /** See or erase what is kept of somebody */
  createPrivacyRequest(body: PublisherCreatePrivacyRequestBody, options?: CallOptions): Promise<Outcome<PublisherCreatePrivacyRequestResult>>;
  /** Add an endpoint; its secret is shown once */
  createWebhook(body: PublisherCreateWebhookBody, options?: CallOptions): Promise<Outcome<PublisherCreateWebhookResult>>;
  /** Send a test alert */
  createWebhookTest(webhook_id: string, options?: CallOptions): Promise<Outcome<PublisherCreateWebhookTestResult>>;
  /** Remove an endpoint */
  deleteWebhook(webhook_id: string, options?: CallOptions): Promise<Outcome<null>>;
  /** Requests and how many were filled and shown */
  getActivity(query?: PublisherGetActivityQuery, options?: CallOptions): Promise<Outcome<PublisherGetActivityResult>>;
  /** The last 100 alerts */
  getAlerts(options?: CallOptions): Promise<Outcome<PublisherGetAlertsResult>>;
  /** Countries by number of users */
  getCountries(query?: PublisherGetCountriesQuery, options?: CallOptions): Promise<Outcome<PublisherGetCountriesResult>>;
  /** Performance by device type */
  getDevices(query?: PublisherGetDevicesQuery, options?: CallOptions): Promise<Outcome<PublisherGetDevicesResult>>;
  /** How many of your ads were seen to be ads */
  getDisclosure(options?: CallOptions): Promise<Outcome<PublisherGetDisclosureResult>>;
  /** What is held, payable and paid */
  getEarnings(options?: CallOptions): Promise<Outcome<PublisherGetEarningsResult>>;
  /** Every raw event of a range, as CSV */
  getExportsEvents(query: PublisherGetExportsEventsQuery, options?: CallOptions): Promise<Outcome<PublisherGetExportsEventsResult>>;
  /** From request to conversion */
  getFunnel(query?: PublisherGetFunnelQuery, options?: CallOptions): Promise<Outcome<PublisherGetFunnelResult>>;
  /** Performance by country */
  getGeography(query?: PublisherGetGeographyQuery, options?: CallOptions): Promise<Outcome<PublisherGetGeographyResult>>;
  /** Who the key belongs to, with lifetime totals */
  getInfo(options?: CallOptions): Promise<Outcome<PublisherGetInfoResult>>;
  /** What was not counted or was taken back, by reason */
  getInvalidTraffic(query?: PublisherGetInvalidTrafficQuery, options?: CallOptions): Promise<Outcome<PublisherGetInvalidTrafficResult>>;
  /** Requests, ads, impressions and clicks of the last ten minutes, newest first */
  getLive(query?: PublisherGetLiveQuery, options?: CallOptions): Promise<Outcome<PublisherGetLiveResult>>;
  /** Why requests got no ad, by day */
  getNoAdReasons(query?: PublisherGetNoAdReasonsQuery, options?: CallOptions): Promise<Outcome<PublisherGetNoAdReasonsResult>>;
  /** Whether payouts can be sent to you */
  getPayoutAccount(options?: CallOptions): Promise<Outcome<PublisherGetPayoutAccountResult>>;
  /** Performance by placement */
  getPlacements(query?: PublisherGetPlacementsQuery, options?: CallOptions): Promise<Outcome<PublisherGetPlacementsResult>>;
  /** Receipts of such requests, newest first */
  getPrivacyRequests(options?: CallOptions): Promise<Outcome<PublisherGetPrivacyRequestsResult>>;
  /** Revenue by day, advertiser, placement, country, device, and why no ad came */
  getReport(query?: PublisherGetReportQuery, options?: CallOptions): Promise<Outcome<PublisherGetReportResult>>;
  /** The last requests of the account’s keys, newest first; no personal data */
  getRequests(query?: PublisherGetRequestsQuery, options?: CallOptions): Promise<Outcome<PublisherGetRequestsResult>>;
  /** Conversions that shops took back or want to, and what they had earned you */
  getReversals(options?: CallOptions): Promise<Outcome<PublisherGetReversalsResult>>;
  /** One month (YYYY-MM) day by day */
  getStatement(month: string, options?: CallOptions): Promise<Outcome<PublisherGetStatementResult>>;
  /** The same month as a document */
  getStatementPdf(month: string, options?: CallOptions): Promise<Outcome<PublisherGetStatementPdfResult>>;
  /** Months with anything earned or paid, newest first */
  getStatements(options?: CallOptions): Promise<Outcome<PublisherGetStatementsResult>>;
  /** Revenue and delivery by day */
  getStats(query?: PublisherGetStatsQuery, options?: CallOptions): Promise<Outcome<PublisherGetStatsResult>>;
  /** What was found about your traffic, why, and what is no longer earned */
  getTrafficFindings(options?: CallOptions): Promise<Outcome<PublisherGetTrafficFindingsResult>>;
  /** The publisher’s users */
  getUsers(query?: PublisherGetUsersQuery, options?: CallOptions): Promise<Outcome<PublisherGetUsersResult>>;
  /** The last 100 deliveries */
  getWebhookDeliveries(webhook_id: string, options?: CallOptions): Promise<Outcome<PublisherGetWebhookDeliveriesResult>>;
  /** Endpoints that are told of alerts */
  getWebhooks(options?: CallOptions): Promise<Outcome<PublisherGetWebhooksResult>>;
  /** Change an endpoint */
  updateWebhook(webhook_id: string, body: PublisherUpdateWebhookBody, options?: CallOptions): Promise<Outcome<PublisherUpdateWebhookResult>>;
}

/** A publisher’s reports. No method throws. */
export function createPublisherReporting(given: ReportingOptions): PublisherReporting {
  const call = createCaller(given);
  return {
    createPayoutAccount: (options) => call('POST', '/publisher-dashboard/payout-account', {  }, options),
    createPrivacyChoice: (body, options) => call('POST', '/publisher-dashboard/privacy-choices', { body }, options),
    createPrivacyRequest: (body, options) => call('POST', '/publisher-dashboard/privacy-requests', { body }, options),
    createWebhook: (body, options) => call('POST', '/publisher-dashboard/webhooks', { body }, options),
    createWebhookTest: (webhook_id, options) => call('POST', '/publisher-dashboard/webhooks/{webhook_id}/test', { path: { webhook_id } }, options),
    deleteWebhook: (webhook_id, options) => call('DELETE', '/publisher-dashboard/webhooks/{webhook_id}', { path: { webhook_id } }, options),
    getActivity: (query, options) => call('GET', '/publisher-dashboard/activity', { query }, options),
    getAlerts: (options) => call('GET', '/publisher-dashboard/alerts', {  }, options),
    getCountries: (query, options) => call('GET', '/publisher-dashboard/countries', { query }, options),
    getDevices: (query, options) => call('GET', '/publisher-dashboard/devices', { query }, options),
    getDisclosure: (options) => call('GET', '/publisher-dashboard/disclosure', {  }, options),
    getEarnings: (options) => call('GET', '/publisher-dashboard/earnings', {  }, options),
    getExportsEvents: (query, options) => call('GET', '/publisher-dashboard/exports/events', { query }, options),
    getFunnel: (query, options) => call('GET', '/publisher-dashboard/funnel', { query }, options),
    getGeography: (query, options) => call('GET', '/publisher-dashboard/geography', { query }, options),
    getInfo: (options) => call('GET', '/publisher-dashboard/info', {  }, options),
    getInvalidTraffic: (query, options) => call('GET', '/publisher-dashboard/invalid-traffic', { query }, options),
    getLive: (query, options) => call('GET', '/publisher-dashboard/live', { query }, options),
    getNoAdReasons: (query, options) => call('GET', '/publisher-dashboard/no-ad-reasons', { query }, options),
    getPayoutAccount: (options) => call('GET', '/publisher-dashboard/payout-account', {  }, options),
    getPlacements: (query, options) => call('GET', '/publisher-dashboard/placements', { query }, options),
    getPrivacyRequests: (options) => call('GET', '/publisher-dashboard/privacy-requests', {  }, options),
    getReport: (query, options) => call('GET', '/publisher-dashboard/report', { query }, options),
    getRequests: (query, options) => call('GET', '/publisher-dashboard/requests', { query }, options),
    getReversals: (options) => call('GET', '/publisher-dashboard/reversals', {  }, options),
    getStatement: (month, options) => call('GET', '/publisher-dashboard/statements/{month}', { path: { month } }, options),
    getStatementPdf: (month, options) => call('GET', '/publisher-dashboard/statements/{month}/pdf', { path: { month } }, options),
    getStatements: (options) => call('GET', '/publisher-dashboard/statements', {  }, options),
    getStats: (query, options) => call('GET', '/publisher-dashboard/stats', { query }, options),
    getTrafficFindings: (options) => call('GET', '/publisher-dashboard/traffic-findings', {  }, options),
    getUsers: (query, options) => call('GET', '/publisher-dashboard/users', { query }, options),
    getWebhookDeliveries: (webhook_id, options) => call('GET', '/publisher-dashboard/webhooks/{webhook_id}/deliveries', { path: { webhook_id } }, options),
    getWebhooks: (options) => call('GET', '/publisher-dashboard/webhooks', {  }, options),
    updateWebhook: (webhook_id, body, options) => call('PATCH', '/publisher-dashboard/webhooks/{webhook_id}', { path: { webhook_id }, body }, options),
  };
}
