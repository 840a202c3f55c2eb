-- What is left of searches once their words are gone: how many there were and what came of them.
create table search_days (
  publisher_id uuid not null,
  day date not null,
  kind text not null check (kind in ('tool', 'product')),
  category text not null,
  answer text not null,
  searches bigint not null default 0,
  primary key (publisher_id, day, kind, category, answer)
);

-- Requests to see or erase what is kept of somebody, and what came of them. Whom they were about is
-- kept as a keyed hash: a receipt can be checked by whoever knows the person, and names nobody.
create table privacy_requests (
  id uuid primary key,
  at timestamptz not null,
  kind text not null check (kind in ('erase', 'access')),
  account_kind text not null check (account_kind in ('advertiser', 'publisher', 'operator')),
  account_id uuid,
  asked_by text not null,
  subject_hash text not null,
  found jsonb not null
);
create index privacy_requests_at on privacy_requests (at);
