-- Payouts may be sent by a provider: approved first, then sent once, and where that fails the
-- reason is kept until somebody tries again or takes the payout back.
alter table payouts add column method text not null default 'manual';
alter table payouts add column status text not null default 'paid'
  check (status in ('paid', 'approved', 'failed', 'void'));
alter table payouts add column problem text;
-- Each try after a refusal is a new one for the provider; one whose answer was lost is the same.
alter table payouts add column refusals integer not null default 0;

create table payout_accounts (
  publisher_id uuid primary key references publishers (id),
  provider text not null,
  reference text not null,
  created_at timestamptz not null
);
