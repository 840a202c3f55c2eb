-- Impressions whose page proved that people could read the label.
alter table totals add column disclosed bigint not null default 0;
alter table campaign_totals add column disclosed bigint not null default 0;
alter table campaign_hours add column disclosed bigint not null default 0;
alter table publisher_totals add column disclosed bigint not null default 0;
alter table publisher_hours add column disclosed bigint not null default 0;
