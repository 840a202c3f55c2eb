-- Accounts, keys, people, and the small tables every node shares.

create table advertisers (
  id uuid primary key,
  name text not null,
  email text not null,
  time_zone text not null default 'UTC',
  status text not null default 'active' check (status in ('active', 'blocked')),
  billing_enabled boolean not null default false,
  credit_micros bigint not null default 0,        -- all credit ever granted, as the ledger says
  is_demo boolean not null default false,
  created_at timestamptz not null default now()
);

create table publishers (
  id uuid primary key,
  name text not null,
  url text not null default '',
  status text not null default 'pending' check (status in ('pending', 'approved', 'blocked')),
  payout_model text not null default 'CPM' check (payout_model in ('CPM', 'CPC', 'CPA')),
  revenue_share_bps integer not null default 7000 check (revenue_share_bps >= 0 and revenue_share_bps <= 10000),
  floor_cpm_micros bigint not null default 0 check (floor_cpm_micros >= 0),
  min_relevance double precision not null default 0.5 check (min_relevance >= 0 and min_relevance <= 1),
  excluded_topics text[] not null default '{}',
  blocked_advertisers uuid[] not null default '{}',
  time_zone text not null default 'UTC',
  is_demo boolean not null default false,
  created_at timestamptz not null default now()
);

create table api_keys (
  id uuid primary key,
  account_kind text not null check (account_kind in ('advertiser', 'publisher')),
  account_id uuid not null,
  key_hash text not null unique,
  prefix text not null,
  name text not null default 'default',
  created_at timestamptz not null default now(),
  last_used_at timestamptz,
  revoked_at timestamptz
);
create index api_keys_account on api_keys (account_kind, account_id);

create table people (
  id uuid primary key,
  email text not null unique,
  password_hash text not null,
  role text not null check (role in ('advertiser', 'publisher', 'operator')),
  account_id uuid,
  disabled_at timestamptz,
  created_at timestamptz not null default now(),
  check ((role = 'operator') = (account_id is null))
);

create table sessions (
  token_hash text primary key,
  person_id uuid not null references people (id),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index sessions_person on sessions (person_id);

-- Rolling limits that hold across nodes: when the last accepted calls came.
create table rate_limits (
  key text primary key,
  hits timestamptz[] not null,
  expires_at timestamptz not null
);
create index rate_limits_expiry on rate_limits (expires_at);

create table nodes (
  number smallint primary key,
  id uuid not null unique,
  host text not null,
  started_at timestamptz not null,
  seen_at timestamptz not null,
  stats jsonb not null default '{}'
);

-- Values a whole installation shares, encrypted where they are secret.
create table installation (
  name text primary key,
  value text not null,
  updated_at timestamptz not null default now()
);

create table tracking_keys (
  id smallint primary key check (id >= 0 and id < 256),
  secret_sealed text not null,
  created_at timestamptz not null default now(),
  retired_at timestamptz
);

create table audit_log (
  id uuid primary key,
  at timestamptz not null default now(),
  actor_kind text not null,
  actor_id text not null,
  account_id uuid,
  action text not null,
  entity text not null,
  entity_id text not null,
  before jsonb,
  after jsonb
);
create index audit_log_account on audit_log (account_id, at);
create index audit_log_entity on audit_log (entity, entity_id, at);

create table idempotency_keys (
  account_id uuid not null,
  key text not null,
  request_hash text not null,
  status integer not null,
  body jsonb,
  created_at timestamptz not null default now(),
  primary key (account_id, key)
);

create table jobs (
  id uuid primary key,
  kind text not null,
  key text not null,
  payload jsonb not null,
  run_at timestamptz not null default now(),
  attempts integer not null default 0,
  locked_by uuid,
  locked_until timestamptz,
  last_error text,
  finished_at timestamptz,
  created_at timestamptz not null default now()
);
-- At most one waiting job for the same thing.
create unique index jobs_waiting on jobs (kind, key) where finished_at is null;
create index jobs_due on jobs (run_at) where finished_at is null;
