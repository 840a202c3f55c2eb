-- What serving has learned, summed over nodes.
create table click_counts (
  ad_id uuid not null,
  topic text not null,
  impressions double precision not null default 0,
  clicks double precision not null default 0,
  conversions double precision not null default 0,
  primary key (ad_id, topic)
) with (fillfactor = 70);
