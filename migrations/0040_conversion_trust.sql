-- Which conversions a campaign pays for, what each click was paid for already, and what a budget was when the click was made.

alter table campaigns add column cpa_trust text not null default 'server' check (cpa_trust in ('server', 'pixel'));

-- Of a pixel's claim: the conversion it was stored as, which a trusted one takes the place of.
alter table conversion_keys add column conversion_id uuid;

-- A click pays once for each event name; an empty name stands for anything a pixel told of.
create table conversion_charges (
  serve_id uuid not null,
  event_name text not null,
  advertiser_id uuid not null,
  conversion_id uuid not null,
  at timestamptz not null,
  primary key (serve_id, event_name)
);
create index conversion_charges_conversion on conversion_charges (conversion_id);
create index conversion_charges_age on conversion_charges (at);
create index conversion_charges_advertiser on conversion_charges (advertiser_id, at);

-- What a daily budget was until it was changed: a click is bound by the budget it was made under.
create table past_budgets (
  scope_id uuid not null,
  until timestamptz not null,
  limit_micros bigint,            -- null: there was none
  primary key (scope_id, until)
);

-- The terms a tracked link was made under.
alter table index_links add column conversion_type text;
alter table index_links add column cpa_trust text;
