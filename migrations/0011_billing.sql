-- What advertisers were granted, billed and paid, and the storefronts whose orders become conversions.

-- Written once and never changed: whether an invoice is paid is what the ledger says.
create table invoices (
  id uuid primary key,
  number bigint not null unique,
  advertiser_id uuid not null references advertisers (id),
  issued_at timestamptz not null,
  period_start date not null,
  period_end date not null,       -- last day included
  total_micros bigint not null check (total_micros > 0),
  credits_micros bigint not null check (credits_micros >= 0),
  rounding_micros bigint not null check (rounding_micros >= 0 and rounding_micros < 10000),
  due_micros bigint not null check (due_micros >= 0 and due_micros % 10000 = 0),
  lines jsonb not null,
  check (total_micros = credits_micros + rounding_micros + due_micros)
);
create index invoices_advertiser on invoices (advertiser_id, id);

-- Signed as the advertiser sees it: what it gets is positive. Corrected by further entries only.
create table ledger_entries (
  advertiser_id uuid not null references advertisers (id),
  id uuid not null,
  at timestamptz not null,
  kind text not null check (kind in ('credit', 'charge', 'payment', 'refund', 'adjustment')),
  amount_micros bigint not null check (case kind when 'charge' then amount_micros < 0 when 'adjustment' then amount_micros <> 0 else amount_micros > 0 end),
  invoice_id uuid references invoices (id),
  reverses uuid unique,           -- the entry this one takes back
  reference text unique,          -- what the outside calls it; the same thing told twice is one entry
  reason text not null,
  primary key (advertiser_id, id)
);
create unique index ledger_entries_payment on ledger_entries (invoice_id) where kind = 'payment';
create unique index ledger_entries_charge on ledger_entries (invoice_id) where kind = 'charge';

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception '% is append-only', tg_table_name;
end $$;
create trigger append_only before update or delete on ledger_entries for each row execute function refuse_change();
create trigger append_only before update or delete on invoices for each row execute function refuse_change();

-- How much of each campaign's day is on an invoice. Less spend than that means a refund is owed, more an invoice.
create table billed_spend (
  advertiser_id uuid not null,
  campaign_id uuid not null,
  day date not null,              -- UTC
  billed_micros bigint not null,
  primary key (advertiser_id, campaign_id, day)
);

create table billing_accounts (
  advertiser_id uuid primary key references advertisers (id),
  last_spend_sync_at timestamptz,
  last_billed_at timestamptz,
  customer text                   -- the payment provider's name for the advertiser
);

-- What the payment provider made of an invoice.
create table invoice_collections (
  invoice_id uuid primary key references invoices (id),
  provider text not null,
  reference text not null,
  payment_url text,
  created_at timestamptz not null
);

create table storefront_connections (
  id uuid primary key,
  advertiser_id uuid not null references advertisers (id),
  shop_domain text not null,
  is_active boolean not null default true,
  verification_status text not null default 'pending' check (verification_status in ('pending', 'verified')),
  secret_sealed text,             -- null: signed with the installation's own secret
  old_secret_sealed text,
  old_secret_until timestamptz,
  connected_at timestamptz not null,
  last_webhook_at timestamptz,
  unique (advertiser_id, shop_domain)
);
create index storefront_connections_shop on storefront_connections (shop_domain);

create table storefront_webhooks (
  connection_id uuid not null,
  id text not null,
  topic text not null,
  outcome text not null,
  received_at timestamptz not null,
  primary key (connection_id, id)
);
create index storefront_webhooks_age on storefront_webhooks (received_at);

-- Orders told by page and by storefront meet here.
create index conversions_order on conversions (advertiser_id, order_id) where order_id is not null;
