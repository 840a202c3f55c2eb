-- What reports by ad group take from the totals: the few rows that sold something, which an index
-- can hold whole, and those that belong to no group. The rest they read from ad_group_days, which
-- are written in the order of time.
create index totals_sold on totals (advertiser_id, bucket)
  include (ad_group_id, conversions, view_conversions, value_micros)
  where conversions <> 0 or view_conversions <> 0 or value_micros <> 0;
create index totals_of_no_group on totals (advertiser_id, bucket)
  where ad_group_id = '00000000-0000-0000-0000-000000000000';
create index ad_group_days_time on ad_group_days using brin (day);
