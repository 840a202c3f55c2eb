-- Some of the requests with a need, kept for two weeks to forecast what a campaign could win. No
-- word of what was said, nobody who said it, no publisher and no minute: where the conversation
-- points to (the signs of its vector), from which country and kind of device, and what it took to
-- win it. `weight` is how many requests the row stands for.
create table asked_requests (
  id uuid primary key default gen_random_uuid(),
  hour timestamptz not null,
  model_id text not null,
  country text,
  device text,
  topic text not null,
  signs bytea not null,
  reach real not null,
  need real not null,
  never real not null,
  trade real,
  shift real not null,
  min_relevance real not null,
  floor_cpm_micros bigint not null,
  places integer not null,
  advertiser_ids uuid[] not null,
  scores bigint[] not null,
  weight real not null
);
create index asked_requests_hour on asked_requests (hour);
