-- What review looks at: ads nobody has judged yet, and whether landing pages answer.

create index ads_pending on ads (campaign_id, ad_group_id) where review_status = 'pending' and status <> 'archived';
create index idempotency_keys_age on idempotency_keys (created_at);

create table landing_page_checks (
  campaign_id uuid not null references campaigns (id),
  url text not null,
  http_status integer,            -- null when nothing answered
  problem text,                   -- null: the page answers
  checked_at timestamptz not null,
  primary key (campaign_id, url)
);
