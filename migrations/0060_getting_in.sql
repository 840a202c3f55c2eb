-- People of one account with different rights, second factors, sessions one can name, keys with
-- limits, links that open once, and mail that waits for a server or for the operator.

alter table people add column team_role text not null default 'owner'
  check (team_role in ('owner', 'editor', 'reader', 'billing'));
alter table people add column password_changed_at timestamptz;
alter table people add column totp_sealed text;
alter table people add column totp_confirmed_at timestamptz;
-- The newest time step a code was accepted for: no code works twice.
alter table people add column totp_last_step bigint;
create index people_account on people (account_id) where account_id is not null;

create table recovery_codes (
  person_id uuid not null references people (id) on delete cascade,
  code_hash text not null,
  used_at timestamptz,
  primary key (person_id, code_hash)
);

alter table sessions add column id uuid not null default gen_random_uuid();
alter table sessions add column user_agent text not null default '';
alter table sessions add column address text not null default '';
alter table sessions add column last_seen_at timestamptz;
create unique index sessions_id on sessions (id);

-- Null scopes: everything the account may do.
alter table api_keys add column scopes text[];
alter table api_keys add column expires_at timestamptz;

-- Sign-up, invitation, reset and the first operator: one link each, kept as a hash.
create table account_links (
  id uuid primary key,
  token_hash text not null unique,
  purpose text not null check (purpose in ('operator', 'sign_up', 'invitation', 'reset')),
  email text not null,
  person_id uuid references people (id) on delete cascade,
  role text check (role in ('advertiser', 'publisher', 'operator')),
  account_id uuid,
  team_role text check (team_role in ('owner', 'editor', 'reader', 'billing')),
  details jsonb not null default '{}',
  created_by text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  used_at timestamptz
);
create index account_links_account on account_links (account_id) where used_at is null;
create index account_links_expiry on account_links (expires_at);

create table mails (
  id uuid primary key,
  recipient text not null,
  subject text not null,
  body_sealed text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  sent_at timestamptz,
  problem text
);
create index mails_created on mails (created_at);
