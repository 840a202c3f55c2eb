-- Where an advertiser does not want to stand, and how often one person may see it; null: as usual.
alter table campaigns add column brand_safety jsonb;
alter table campaigns add column frequency_cap jsonb;
