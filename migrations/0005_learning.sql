-- What serving has learned, summed over nodes.
create table click_counts (
  ad_id uuid not null,
  topic text not null,
  impressions double precision not null default 0,
  clicks double precision not null default 0,
  conversions double precision not null default 0,
  primary key (ad_id, topic)
) with (fillfactor = 70);

-- Vectors of texts that stay the same over restarts. The model is part of the key: vectors of different models must never meet.
create table embedding_cache (
  model_id text not null,
  text_hash text not null,
  vector bytea not null,
  used_on date not null,
  primary key (model_id, text_hash)
);
