-- What a finding gave back, and to whom.
create table traffic_finding_credits (
  finding_id uuid not null references traffic_findings (id),
  advertiser_id uuid not null references advertisers (id),
  events bigint not null,
  spend_micros bigint not null,
  primary key (finding_id, advertiser_id)
);

create index traffic_finding_credits_advertiser on traffic_finding_credits (advertiser_id);

-- Whether people stand behind a publisher's traffic, as far as what they bought tells: once shown,
-- it stands until the publisher is found out.
create table publisher_evidence (
  publisher_id uuid primary key references publishers (id),
  is_proven boolean not null,
  conversions bigint not null,
  expected_conversions double precision not null,
  judged_at timestamptz not null
);
