-- The event log and every total counted from it. Totals are written only by the statement that inserts the events.

create table events (
  day date not null,              -- UTC day of the id, so that a retry after midnight meets the same row
  id uuid not null,               -- UUIDv7; impressions, clicks and viewable time carry the id of the served ad
  kind text not null,
  at timestamptz not null,
  publisher_id uuid,
  advertiser_id uuid,
  campaign_id uuid,
  ad_group_id uuid,
  ad_id uuid,                     -- an ad or, for legacy campaigns, an ad unit
  placement text,
  device text,
  country text,
  user_id text,                   -- the publisher's own user id
  test boolean not null default false,
  invalid text,                   -- why it does not count; null counts
  unbilled text,                  -- why a counted event was not charged; null when charged or free
  attribution text,               -- conversions: 'click', 'view' or null
  spend_micros bigint not null default 0,
  revenue_micros bigint not null default 0,
  value_micros bigint not null default 0,
  node smallint,                  -- whose budget hold paid
  budget_day date,                -- the advertiser's local day that was charged
  data jsonb,
  primary key (day, id, kind)
) partition by range (day);

create table totals (
  bucket timestamptz not null,
  advertiser_id uuid not null,
  campaign_id uuid not null,
  ad_group_id uuid not null,      -- nil uuid where there is none
  ad_id uuid not null,
  publisher_id uuid not null,
  placement text not null,
  device text not null,
  country text not null,
  wins bigint not null default 0,
  impressions bigint not null default 0,
  viewable bigint not null default 0,
  clicks bigint not null default 0,
  conversions bigint not null default 0,
  view_conversions bigint not null default 0,
  invalid_impressions bigint not null default 0,
  invalid_clicks bigint not null default 0,
  spend_micros bigint not null default 0,
  revenue_micros bigint not null default 0,
  value_micros bigint not null default 0,
  primary key (advertiser_id, campaign_id, ad_group_id, ad_id, bucket, publisher_id, placement, device, country)
) with (fillfactor = 70);

create table campaign_totals (
  advertiser_id uuid not null,
  campaign_id uuid not null,
  bucket timestamptz not null,
  impressions bigint not null default 0,
  viewable bigint not null default 0,
  clicks bigint not null default 0,
  conversions bigint not null default 0,
  view_conversions bigint not null default 0,
  invalid_impressions bigint not null default 0,
  invalid_clicks bigint not null default 0,
  spend_micros bigint not null default 0,
  revenue_micros bigint not null default 0,
  value_micros bigint not null default 0,
  primary key (advertiser_id, campaign_id, bucket)
) with (fillfactor = 70);
create table campaign_hours (like campaign_totals including all) with (fillfactor = 70);

create table ad_group_totals (
  advertiser_id uuid not null,
  campaign_id uuid not null,
  ad_group_id uuid not null,
  bucket timestamptz not null,
  impressions bigint not null default 0,
  clicks bigint not null default 0,
  conversions bigint not null default 0,
  spend_micros bigint not null default 0,
  primary key (advertiser_id, ad_group_id, bucket, campaign_id)
) with (fillfactor = 70);

create table publisher_totals (
  publisher_id uuid not null,
  bucket timestamptz not null,
  requests bigint not null default 0,
  wins bigint not null default 0,
  impressions bigint not null default 0,
  viewable bigint not null default 0,
  clicks bigint not null default 0,
  conversions bigint not null default 0,
  invalid_impressions bigint not null default 0,
  invalid_clicks bigint not null default 0,
  revenue_micros bigint not null default 0,
  primary key (publisher_id, bucket)
) with (fillfactor = 70);
create table publisher_hours (like publisher_totals including all) with (fillfactor = 70);

-- Reports by placement, device and country know only UTC days.
create table publisher_days (
  publisher_id uuid not null,
  dimension text not null,        -- 'placement', 'device', 'country'
  day date not null,
  value text not null,
  impressions bigint not null default 0,
  clicks bigint not null default 0,
  revenue_micros bigint not null default 0,
  primary key (publisher_id, dimension, day, value)
) with (fillfactor = 70);

create table publisher_users (
  publisher_id uuid not null,
  user_id text not null,
  requests bigint not null default 0,
  ads_served bigint not null default 0,
  impressions bigint not null default 0,
  clicks bigint not null default 0,
  revenue_micros bigint not null default 0,
  first_seen timestamptz not null,
  last_seen timestamptz not null,
  primary key (publisher_id, user_id)
) with (fillfactor = 70);
create index publisher_users_requests on publisher_users (publisher_id, requests, user_id);
create index publisher_users_ads_served on publisher_users (publisher_id, ads_served, user_id);
create index publisher_users_impressions on publisher_users (publisher_id, impressions, user_id);
create index publisher_users_clicks on publisher_users (publisher_id, clicks, user_id);
create index publisher_users_revenue on publisher_users (publisher_id, revenue_micros, user_id);
create index publisher_users_first_seen on publisher_users (publisher_id, first_seen, user_id);
create index publisher_users_last_seen on publisher_users (publisher_id, last_seen, user_id);

create table publisher_user_countries (
  publisher_id uuid not null,
  country text not null,
  user_id text not null,
  requests bigint not null default 0,
  ads_served bigint not null default 0,
  primary key (publisher_id, country, user_id)
) with (fillfactor = 70);

-- Money promised to a budget: spent + held never passes the limit. A scope is an advertiser (day 1970-01-01: its whole credit), a campaign or an ad group.
create table budgets (
  scope_id uuid not null,
  day date not null,
  spent_micros bigint not null default 0,
  held_micros bigint not null default 0,
  primary key (scope_id, day)
) with (fillfactor = 50);

create table budget_holds (
  node smallint not null,
  scope_id uuid not null,
  day date not null,
  held_micros bigint not null default 0,
  primary key (node, scope_id, day)
) with (fillfactor = 50);

-- Whom a publisher's hashed identity last clicked or saw, per advertiser: what conversions are matched against.
create table viewer_links (
  advertiser_id uuid not null,
  identity text not null,
  click_id uuid,
  clicked_at timestamptz,
  view_id uuid,
  viewed_at timestamptz,
  primary key (advertiser_id, identity)
) with (fillfactor = 70);
