-- Conversions are listed by when they happened, not by when they were received.
create index conversions_time on conversions (advertiser_id, at, id);
drop index conversions_campaign;
create index conversions_campaign on conversions (advertiser_id, campaign_id, at, id)
where campaign_id is not null;
drop index conversions_event_type;
create index conversions_event_type on conversions (advertiser_id, lower(event_name), at, id);
