-- Few are superseded at any time; whoever approves an ad looks for them.
create index generated_ads_superseded on generated_ads (ad_id) where superseded;
