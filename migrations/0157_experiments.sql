-- Who is shown what, to learn what an ad really adds. One at a time for a campaign.
create table experiments (
  id uuid primary key,
  advertiser_id uuid not null references advertisers (id),
  campaign_id uuid not null references campaigns (id),
  name text not null,
  kind text not null check (kind in ('ab', 'holdout')),
  variants jsonb not null,
  started_at timestamptz not null,
  stopped_at timestamptz
);

create unique index experiments_running on experiments (campaign_id) where stopped_at is null;
create index experiments_advertiser on experiments (advertiser_id, started_at);

-- People who could have been shown the campaign, each once, by pseudonyms.
create table experiment_units (
  experiment_id uuid not null references experiments (id),
  unit text not null,
  variant text not null,
  at timestamptz not null,
  viewer text,
  clicked boolean not null default false,
  primary key (experiment_id, unit)
);
