-- How far each node's journal is applied: written in the transaction that applies it.
create table journal_positions (
  journal_id uuid primary key,
  segment bigint not null,
  position bigint not null,
  updated_at timestamptz not null default now()
) with (fillfactor = 50);
