-- A publisher's user takes one row and one key: countries stand in the row, what was asked and served in a country in a
-- total of its own, and pages sorted by a figure are put together when they are asked for.

create table publisher_countries (
  publisher_id uuid not null,
  country text not null,
  requests bigint not null default 0,
  ads_served bigint not null default 0,
  primary key (publisher_id, country)
) with (fillfactor = 50);

insert into publisher_countries (publisher_id, country, requests, ads_served)
select publisher_id, country, sum(requests)::bigint, sum(ads_served)::bigint
from publisher_user_countries
group by 1, 2;

drop index publisher_users_requests;
drop index publisher_users_ads_served;
drop index publisher_users_impressions;
drop index publisher_users_clicks;
drop index publisher_users_revenue;
drop index publisher_users_first_seen;
drop index publisher_users_last_seen;

-- Where a user asked from: codes in order, '--' where it is unknown.
alter table publisher_users add column countries text not null default '';

update publisher_users u
set countries = c.countries
from (
    select publisher_id, user_id, string_agg(code, ' ' order by code) as countries
    from (
        select distinct publisher_id, user_id, coalesce(nullif(country, ''), '--') collate "C" as code
        from publisher_user_countries
        where requests > 0 or ads_served > 0
      ) d
    group by 1, 2
  ) c
where c.publisher_id = u.publisher_id and c.user_id = u.user_id;

drop table publisher_user_countries;

-- None of what changes is indexed any more: a new version takes the place of the old one in its page.
alter table publisher_users set (fillfactor = 85);
