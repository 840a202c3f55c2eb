-- Requests by country and kind of device, by UTC day, for reports of fill.
create table request_days (
  publisher_id uuid not null references publishers (id),
  day date not null,
  country text not null,
  device text not null,
  requests bigint not null default 0,
  wins bigint not null default 0,
  primary key (publisher_id, day, country, device)
);
create index request_days_day on request_days (day);
