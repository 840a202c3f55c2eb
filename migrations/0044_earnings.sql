-- What publishers were paid, and what was found out about their traffic later.

create table payouts (
  id uuid primary key,
  publisher_id uuid not null references publishers (id),
  amount_micros bigint not null check (amount_micros > 0),
  through_day date not null,      -- earnings up to and including this day
  approved_at timestamptz not null,
  approved_by text not null,
  reference text
);
create index payouts_publisher on payouts (publisher_id, approved_at);

create table traffic_findings (
  id uuid primary key,
  publisher_id uuid not null references publishers (id),
  rule text not null,
  found_at timestamptz not null,
  from_at timestamptz not null,
  to_at timestamptz not null,
  events bigint not null,
  spend_micros bigint not null,
  revenue_micros bigint not null,
  details jsonb not null
);
create index traffic_findings_publisher on traffic_findings (publisher_id, found_at);
