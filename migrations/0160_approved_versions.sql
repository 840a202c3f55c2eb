-- While a newer version waits for review, the approved one keeps being shown: what the edit took
-- the place of is kept here until a verdict, one row for each campaign, ad group or ad that changed.
alter table campaigns add column shows_approved boolean not null default false;

create table approved_versions (
  campaign_id uuid not null references campaigns (id),
  entity_id uuid not null,
  fields jsonb not null,
  primary key (campaign_id, entity_id)
);
