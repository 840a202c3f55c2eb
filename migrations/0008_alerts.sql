-- Where accounts want to be told of trouble, what was found, and how telling went.

create table webhook_endpoints (
  id uuid primary key,
  account_kind text not null check (account_kind in ('advertiser', 'publisher')),
  account_id uuid not null,
  url text not null,
  alert_types text[] not null,    -- empty: all
  secret_sealed text not null,
  is_active boolean not null default true,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index webhook_endpoints_account on webhook_endpoints (account_kind, account_id, created_at);

-- One alert per subject, type and day of the account: the same trouble is told once a day.
create table alerts (
  id uuid primary key,
  account_kind text not null,
  account_id uuid not null,
  alert_type text not null,
  subject_id uuid not null,       -- a campaign, or the publisher itself
  day date not null,
  data jsonb not null,
  created_at timestamptz not null,
  unique (account_id, alert_type, subject_id, day)
);
create index alerts_account on alerts (account_id, created_at);

create table webhook_deliveries (
  alert_id uuid not null,
  endpoint_id uuid not null references webhook_endpoints (id) on delete cascade,
  attempts integer not null default 0,
  last_status integer,            -- HTTP status; null when nothing answered
  last_error text,
  attempted_at timestamptz,
  delivered_at timestamptz,
  primary key (alert_id, endpoint_id)
);
create index webhook_deliveries_endpoint on webhook_deliveries (endpoint_id);

-- sum() of bigint leaves the integers for numeric and comes back; over hundreds of thousands of days that is felt.
create aggregate add_up (bigint) (sfunc = int8pl, stype = bigint, combinefunc = int8pl, initcond = '0', parallel = safe);
