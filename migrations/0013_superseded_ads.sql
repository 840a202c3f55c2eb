-- Ads written from an older brief or page: they serve until one that replaces them is approved.
alter table generated_ads add column superseded boolean not null default false;
