-- Conversions, what they are matched against, the pixel, and privacy choices. Personal data is hashed before it gets here.

create table pixels (
  id uuid primary key,
  advertiser_id uuid not null references advertisers (id),
  name text not null,
  url text not null,
  url_key text not null,          -- the address as compared: no scheme, no fragment, no trailing slash
  is_functional boolean,          -- null until verified
  verified_at timestamptz,        -- when the page was last looked at
  last_problem text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  unique (advertiser_id, url_key)
);
create index pixels_verified on pixels (verified_at);

-- One row for each conversion name and id an advertiser sent in the last 48 hours; the row that exists first wins.
create table conversion_keys (
  advertiser_id uuid not null,
  key uuid not null,              -- 128 bits of the hash of name and id
  first_at timestamptz not null,
  primary key (advertiser_id, key)
);

create table conversions (
  advertiser_id uuid not null,
  id uuid not null,               -- UUIDv7 of receipt: the order of reports
  at timestamptz not null,        -- when the advertiser says it happened
  event_name text not null,
  event_id text not null,
  source text not null check (source in ('capi', 'pixel', 'storefront')),
  attribution text check (attribution in ('click', 'view')),
  evidence text,                  -- what led to the ad: click_id, visitor, session, person, viewer_click, viewer_view
  serve_id uuid,                  -- the ad credited
  campaign_id uuid,
  ad_group_id uuid,
  amount_micros bigint not null default 0,        -- millionths of the original currency
  currency text not null default 'USD',
  value_micros bigint not null default 0,         -- microdollars at the rate of receipt; 0 without a rate
  order_id text,
  page_url text,
  details json,                   -- hashed user data, client context, custom data
  primary key (advertiser_id, id)
);
create index conversions_event_type on conversions (advertiser_id, lower(event_name), id);
create index conversions_campaign on conversions (advertiser_id, campaign_id, id) where campaign_id is not null;

-- Which click a hashed identity was seen with. One row for each click: a late conversion finds the click before it.
create table click_links (
  advertiser_id uuid not null,
  identity uuid not null,
  clicked_at timestamptz not null,
  serve_id uuid not null,
  primary key (advertiser_id, identity, clicked_at, serve_id)
);

create table pixel_sessions (
  advertiser_id uuid not null,
  visitor uuid not null,
  session_id text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  primary key (advertiser_id, visitor)
) with (fillfactor = 70);

create table opt_outs (
  advertiser_id uuid not null,    -- nil uuid: every advertiser
  identity uuid not null,
  source text not null,           -- 'api', 'pixel', 'gpc', 'operator'
  at timestamptz not null,
  primary key (advertiser_id, identity)
);

create table currency_rates (
  currency text primary key check (currency ~ '^[A-Z]{3}$'),
  usd_per_unit numeric(24, 12) not null check (usd_per_unit > 0),
  updated_at timestamptz not null default now()
);

-- Totals, written only by the statement that stores the events.
create table pixel_totals (
  advertiser_id uuid not null,
  bucket timestamptz not null,
  domain text not null,
  event_type text not null,
  events bigint not null default 0,
  last_seen timestamptz not null,
  primary key (advertiser_id, bucket, domain, event_type)
) with (fillfactor = 70);

create table conversion_totals (
  advertiser_id uuid not null,
  bucket timestamptz not null,
  event_type text not null,
  conversions bigint not null default 0,
  primary key (advertiser_id, bucket, event_type)
) with (fillfactor = 70);

create table conversion_counts (
  advertiser_id uuid not null,
  campaign_id uuid not null,      -- nil uuid: not attributed
  event_type text not null,
  conversions bigint not null default 0,
  primary key (advertiser_id, campaign_id, event_type)
) with (fillfactor = 70);
