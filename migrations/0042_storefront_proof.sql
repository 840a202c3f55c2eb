-- A shop is believed once its own address shows our challenge, or an operator says whose it is.

alter table storefront_connections add column challenge text;
alter table storefront_connections add column verified_by text check (verified_by in ('address', 'operator'));

-- Until now a shop vouched for itself with the secret its own advertiser had chosen.
update storefront_connections set verification_status = 'pending' where secret_sealed is not null;
update storefront_connections set verified_by = 'operator' where verification_status = 'verified';

-- Money that shops asked back for cancelled orders, and what became of it.
create table conversion_reversals (
  conversion_id uuid primary key,
  advertiser_id uuid not null,
  publisher_id uuid,
  order_id text,
  reason text not null,
  spend_micros bigint not null,
  status text not null check (status in ('applied', 'waiting', 'refused', 'late')),
  requested_at timestamptz not null,
  decided_at timestamptz,
  decided_by text,
  note text
);
create index conversion_reversals_advertiser on conversion_reversals (advertiser_id, requested_at);
create index conversion_reversals_waiting on conversion_reversals (requested_at) where status = 'waiting';
