-- The last requests made with a key, for whoever integrates: what was asked, what came of it and how
-- long it took. Nothing of what was sent, and nobody's address.
create table key_requests (
  key_id uuid not null references api_keys (id) on delete cascade,
  id uuid not null,
  at timestamptz not null,
  method text not null,
  route text not null,
  status smallint not null,
  reason text,
  latency_ms real not null,
  primary key (key_id, id)
);
