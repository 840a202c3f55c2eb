-- What advertisers own and serving reads.

create table campaigns (
  id uuid primary key,
  advertiser_id uuid not null references advertisers (id),
  name text not null,
  status text not null default 'draft' check (status in ('draft', 'active', 'paused')),
  is_active boolean not null default false,
  is_archived boolean not null default false,
  landing_page text not null,
  campaign_objective text not null default 'conversions' check (campaign_objective in ('impressions', 'clicks', 'conversions')),
  billing_model text not null default 'cpm' check (billing_model in ('cpm', 'cpc', 'cpa')),
  bid_strategy text not null default 'lowest_cost' check (bid_strategy in ('lowest_cost', 'bid_cap')),
  daily_budget_micros bigint not null check (daily_budget_micros >= 0),
  click_goal bigint,
  impression_goal bigint,
  conversion_type text,
  max_cpc_micros bigint,
  max_cpm_micros bigint,
  max_cpa_micros bigint,
  demographics jsonb,
  utm_params jsonb,
  allowed_countries text[] not null default '{}',
  allowed_devices text[] not null default '{}',
  custom_favicon_url text,
  lead_form_config jsonb,
  network text not null default 'own' check (network in ('own', 'fallback')),
  review_status text not null default 'not_submitted' check (review_status in ('not_submitted', 'pending_review', 'approved', 'rejected')),
  deployment_status text not null default 'not_deployed' check (deployment_status in ('not_deployed', 'pending_review', 'deployed', 'paused')),
  review_notes text,
  submitted_for_review_at timestamptz,
  reviewed_at timestamptz,
  start_time timestamptz,
  end_time timestamptz,
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index campaigns_advertiser on campaigns (advertiser_id, created_at);
create index campaigns_review on campaigns (submitted_for_review_at) where review_status = 'pending_review';

create table ad_groups (
  id uuid primary key,
  campaign_id uuid not null references campaigns (id),
  advertiser_id uuid not null references advertisers (id),
  name text not null,
  group_type text not null default 'generative' check (group_type in ('generative', 'manual')),
  status text not null default 'active' check (status in ('active', 'paused', 'archived')),
  context text,
  negative_context text,
  ad_prompt text,
  brand_name text,
  landing_page text,
  daily_budget_micros bigint,
  auto_optimize_budget boolean not null default true,
  min_daily_budget_micros bigint,
  max_daily_budget_micros bigint,
  max_cpc_micros bigint,
  allowed_countries text[] not null default '{}',
  allowed_devices text[] not null default '{}',
  sort_order integer not null default 0,
  version bigint not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index ad_groups_campaign on ad_groups (campaign_id, sort_order, id);
create index ad_groups_advertiser on ad_groups (advertiser_id, created_at, id);

create table ads (
  id uuid primary key,
  ad_group_id uuid not null references ad_groups (id),
  campaign_id uuid not null references campaigns (id),
  advertiser_id uuid not null references advertisers (id),
  name text not null,
  headline text,
  copy text,
  cta text,
  description text,
  landing_page text,
  image_url text,
  source text not null default 'manual' check (source in ('manual', 'generated')),
  status text not null default 'active' check (status in ('active', 'paused', 'archived')),
  review_status text not null default 'pending' check (review_status in ('pending', 'approved', 'rejected')),
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index ads_group on ads (ad_group_id, created_at, id);
create index ads_campaign on ads (campaign_id);

-- Legacy creative, linked to campaigns; serves like an ad without an ad group.
create table ad_units (
  id uuid primary key,
  advertiser_id uuid not null references advertisers (id),
  name text not null,
  headline text,
  description text,
  landing_page text,
  static_ad_text text,
  static_cta text,
  favicon_url text,
  image_url text,
  brand_name text,
  source text not null default 'manual' check (source in ('manual', 'scraped')),
  status text not null default 'draft' check (status in ('draft', 'active', 'archived')),
  review_status text not null default 'not_submitted' check (review_status in ('not_submitted', 'pending_review', 'approved', 'rejected')),
  review_reason text,
  utm_params jsonb not null default '[]',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index ad_units_advertiser on ad_units (advertiser_id, created_at);

create table campaign_ad_units (
  campaign_id uuid not null references campaigns (id),
  ad_unit_id uuid not null references ad_units (id),
  linked_at timestamptz not null default now(),
  primary key (campaign_id, ad_unit_id)
);
create index campaign_ad_units_unit on campaign_ad_units (ad_unit_id);
