-- What generative groups were written from, so that repeating the work changes nothing and results can teach the next ads.

create table ad_group_writings (
  ad_group_id uuid primary key references ad_groups (id),
  brief_hash text not null,       -- of what the live ads were written from
  page_url text,                  -- the page read for them; null until one was
  page jsonb,                     -- what it said
  written_at timestamptz not null
);

create table generated_ads (
  ad_id uuid primary key references ads (id),
  ad_group_id uuid not null references ad_groups (id),
  way text not null,              -- how headline and copy were made
  created_at timestamptz not null
);
create index generated_ads_group on generated_ads (ad_group_id);

-- A job asked for again while it runs runs once more: it may have read the brief before it changed.
alter table jobs add column asked_again boolean not null default false;
