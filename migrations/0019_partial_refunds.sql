-- How much of a conversion was given back so far: in its own currency, and of its value in reports.
alter table conversions add column refunded_micros bigint not null default 0;
alter table conversions add column refunded_value_micros bigint not null default 0;
