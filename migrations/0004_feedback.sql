-- What people say about ads, and what they told advertisers through lead forms.

create table ad_feedback (
  id uuid primary key,
  at timestamptz not null,
  publisher_id uuid not null,
  advertiser_id uuid not null,
  campaign_id uuid not null,
  ad_id uuid not null,
  serve_id uuid not null,
  session_id text not null,
  user_id text,
  sentiment text not null check (sentiment in ('thumbs_up', 'thumbs_down')),
  reasons text[] not null default '{}',
  comment text,
  placement text,
  placement_id text
);
create index ad_feedback_publisher on ad_feedback (publisher_id, at);
create index ad_feedback_ad on ad_feedback (ad_id, at);

create table ad_feedback_totals (
  ad_id uuid primary key,
  thumbs_up bigint not null default 0,
  thumbs_down bigint not null default 0
);

-- Ads a person does not want to see again. The subject is the publisher's user, or the session when there is none.
create table ad_dislikes (
  publisher_id uuid not null,
  subject text not null,
  ad_id uuid not null,
  at timestamptz not null,
  primary key (publisher_id, subject, ad_id)
);

create table leads (
  id uuid primary key,
  serve_id uuid not null unique,
  at timestamptz not null,
  publisher_id uuid not null,
  advertiser_id uuid not null,
  campaign_id uuid not null,
  ad_group_id uuid,
  ad_id uuid not null,
  fields_sealed text not null,
  consent boolean
);
create index leads_advertiser on leads (advertiser_id, at, id);
