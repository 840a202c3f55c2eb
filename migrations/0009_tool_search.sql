-- The search index: conversations about developer tools, and the tracked links of every search.

-- Links minted by tool and product search. The id is the click id.
create table index_links (
  id uuid primary key,
  search_id uuid not null,
  publisher_id uuid not null references publishers (id),
  kind text not null check (kind in ('tool', 'product')),
  target_url text not null,
  ref text not null,              -- slug of the tool, id of the product
  campaign_id uuid,               -- the campaign a conversion is credited to
  price_micros bigint,            -- what that campaign pays for one, as agreed when the link was made
  created_at timestamptz not null
);
create index index_links_created on index_links (created_at);
create index index_links_search on index_links (search_id);

-- One row for each link visited. `invalid` is null as soon as one visit counted.
create table index_clicks (
  id uuid primary key,
  at timestamptz not null,        -- of the visit that counted, or of the first one
  invalid text,
  visits integer not null default 1,
  device text,
  country text
) with (fillfactor = 70);

create table tool_searches (
  id uuid primary key,
  publisher_id uuid not null references publishers (id),
  started_at timestamptz not null,
  asked_at timestamptz not null,  -- the latest turn
  turns integer not null default 1,
  state json not null,            -- the need as understood so far
  session_id text,                -- these four for attribution only
  user_hash text,
  email_hash text,
  metadata json
) with (fillfactor = 70);
create index tool_searches_asked on tool_searches (asked_at);

create table tool_search_turns (
  search_id uuid not null references tool_searches (id) on delete cascade,
  turn integer not null,
  at timestamptz not null,
  query text not null,
  answer text not null check (answer in ('good', 'weak', 'none')),
  slug text,
  category text,
  link_id uuid,
  primary key (search_id, turn)
);
create index tool_search_gaps on tool_search_turns (at) where answer <> 'good';

-- Which campaigns stand behind a tool of the catalogue.
create table tool_campaigns (
  slug text not null,
  campaign_id uuid not null references campaigns (id),
  created_at timestamptz not null,
  primary key (slug, campaign_id)
);
create index tool_campaigns_campaign on tool_campaigns (campaign_id);
