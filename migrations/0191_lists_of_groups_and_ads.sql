-- Lists over all campaigns of an account, newest first.
create index ad_groups_newest on ad_groups (advertiser_id, id);
create index ads_newest on ads (advertiser_id, id);
