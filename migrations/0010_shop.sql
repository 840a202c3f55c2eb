-- Merchants, their products, how they are brought in, and what shoppers asked for.

create table merchants (
  id uuid primary key,
  slug text not null unique,
  name text not null,
  store_url text not null default '',        -- begins with '/' when this server plays the shop
  platform text not null default 'feed' check (platform in ('feed', 'storefront')),
  commission_bps integer not null default 0 check (commission_bps >= 0 and commission_bps <= 10000),
  campaign_id uuid,                           -- credited with what visitors sent there buy
  is_demo boolean not null default false,
  ucp_endpoint text,
  ucp_version text,
  ucp_checked_at timestamptz,
  ucp_problem text,
  created_at timestamptz not null
);

create table products (
  id text primary key,                        -- made from merchant and item id: the same after every import
  merchant_id uuid not null references merchants (id),
  external_id text not null,
  group_id text,
  title text not null,
  brand text,
  category text,
  description text not null default '',
  color text,
  sizes text[] not null default '{}',
  gender text,
  attributes jsonb not null default '{}',
  currency text not null,
  price_micros bigint not null,               -- without a sale
  sale_price_micros bigint,
  sale_starts_at timestamptz,
  sale_ends_at timestamptz,
  regular_published boolean not null default true,
  in_stock boolean not null,
  image_url text not null default '',
  page_url text not null,
  checkout_item_id text,
  continue_url text,
  variants jsonb not null default '[]',
  content_hash text not null,
  feed_id uuid,
  changed_in uuid not null,                   -- the batch that last wrote the row; followers load by it
  updated_at timestamptz not null,
  removed_at timestamptz,
  unique (merchant_id, external_id)
);
create index products_changed_in on products (changed_in);
create index products_updated on products (updated_at);
create index products_sale_start on products (sale_starts_at) where sale_starts_at is not null;
create index products_sale_end on products (sale_ends_at) where sale_ends_at is not null;

create table feeds (
  id uuid primary key,
  merchant_id uuid not null references merchants (id),
  url text not null,
  format text not null,
  currency text,                              -- for sources that name none
  every_minutes integer not null check (every_minutes >= 5),
  max_missing_percent integer not null default 50 check (max_missing_percent >= 0 and max_missing_percent <= 100),
  is_active boolean not null default true,
  next_run_at timestamptz not null,
  created_at timestamptz not null,
  unique (merchant_id, url)
);

create table import_runs (
  id uuid primary key,
  feed_id uuid,
  merchant_id uuid not null references merchants (id),
  source text not null,
  format text not null,
  status text not null check (status in ('running', 'done', 'failed')),
  started_at timestamptz not null,
  finished_at timestamptz,
  rows_read bigint not null default 0,
  rows_written bigint not null default 0,
  rows_unchanged bigint not null default 0,
  rows_failed bigint not null default 0,
  rows_removed bigint not null default 0,
  problem text
);
create index import_runs_merchant on import_runs (merchant_id, started_at);

create table import_errors (
  run_id uuid not null references import_runs (id) on delete cascade,
  row_number bigint not null,
  item text not null,
  message text not null,
  primary key (run_id, row_number, message)
);

-- Which products a run has met, kept in the database so that a feed of any size needs no memory.
create table import_seen (
  run_id uuid not null references import_runs (id) on delete cascade,
  product_id text not null,
  primary key (run_id, product_id)
);

create table shop_searches (
  id uuid primary key,
  publisher_id uuid not null,
  at timestamptz not null,
  query text not null,
  is_inferred boolean not null,
  filters jsonb not null,
  context jsonb not null,                     -- without messages
  product_ids text[] not null,
  web_count integer not null,
  ranking text not null check (ranking in ('llm', 'retrieval')),
  session_id text,
  user_hash text,
  email_hash text,
  metadata jsonb
);
create index shop_searches_publisher on shop_searches (publisher_id, at);

-- Checkouts of the demo storefront; no money moves there.
create table demo_checkouts (
  id uuid primary key,
  status text not null,
  state jsonb not null,
  completed_with text unique,                 -- idempotency key
  created_at timestamptz not null,
  updated_at timestamptz not null
);
