-- Where an ad led when it was last approved: what a click on it opens, whatever was edited since.
create table approved_pages (
  campaign_id uuid not null,
  ad_id uuid not null,
  landing_page text not null,
  primary key (campaign_id, ad_id)
);

insert into approved_pages (campaign_id, ad_id, landing_page)
select c.id, a.id, coalesce(nullif(a.landing_page, ''), nullif(g.landing_page, ''), c.landing_page)
from campaigns c
join ads a on a.campaign_id = c.id
join ad_groups g on g.id = a.ad_group_id
where c.review_status = 'approved' and a.review_status = 'approved'
union
select c.id, u.id, coalesce(nullif(u.landing_page, ''), c.landing_page)
from campaigns c
join campaign_ad_units l on l.campaign_id = c.id
join ad_units u on u.id = l.ad_unit_id
where c.review_status = 'approved' and u.review_status = 'approved';

-- An app or a terminal: beacons come from an HTTP library, and count.
alter table publishers add column is_native boolean not null default false;
