-- Ad groups by UTC day: a year of thousands of groups must not depend on how many quarter hours of a day they were busy in.
create table ad_group_days (
  advertiser_id uuid not null,
  campaign_id uuid not null,
  ad_group_id uuid not null,
  day date not null,
  impressions bigint not null default 0,
  clicks bigint not null default 0,
  conversions bigint not null default 0,
  spend_micros bigint not null default 0,
  primary key (advertiser_id, ad_group_id, day, campaign_id)
) with (fillfactor = 70);

insert into ad_group_days (advertiser_id, campaign_id, ad_group_id, day, impressions, clicks, conversions, spend_micros)
select advertiser_id, campaign_id, ad_group_id, (bucket at time zone 'UTC')::date, sum(impressions), sum(clicks), sum(conversions), sum(spend_micros) from ad_group_totals group by 1, 2, 3, 4;
