-- What became of requests, a day and publisher at a time: served, or why not. Unread ones are in a language the model does not read.
create table reading_days (
  publisher_id uuid not null,
  day date not null,
  outcome text not null,
  requests bigint not null default 0,
  unread bigint not null default 0,
  primary key (publisher_id, day, outcome)
) with (fillfactor = 70);
create index reading_days_day on reading_days (day);

-- What feedback and clicks taught about how helpful ads are at a publisher's places, in log-odds. An empty placement is the publisher
-- as a whole; the row of nobody holds whether anything may move at all.
create table calibration_offsets (
  publisher_id uuid not null,
  placement text not null,
  value double precision not null default 0,
  signals bigint not null default 0,
  frozen boolean not null default false,
  updated_at timestamptz not null,
  primary key (publisher_id, placement)
);
