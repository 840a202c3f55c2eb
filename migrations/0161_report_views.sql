-- Reports over all advertisers cut a range of time out of the totals. Rows come in the order of
-- time, so that a summary of each stretch of pages is enough, and takes next to no room.
create index totals_time on totals using brin (bucket);

-- Reports somebody wants to see again, shared by the team of an account; operators have none.
create table saved_views (
  id uuid primary key,
  account_id uuid,
  name text not null,
  path text not null,
  search text not null,
  created_at timestamptz not null
);
create index saved_views_account on saved_views (account_id, name);
