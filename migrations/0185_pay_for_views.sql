-- Campaigns may pay for views: half of the ad in sight for a second (`cpv`).
alter table campaigns drop constraint campaigns_billing_model_check;
alter table campaigns add constraint campaigns_billing_model_check
  check (billing_model in ('cpm', 'cpc', 'cpa', 'cpv'));
