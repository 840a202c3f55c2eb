-- Payments that came back or never came: who made them, and the accounts that wait for them.

create table payments (
  reference text primary key,     -- the provider's name of the payment
  advertiser_id uuid not null references advertisers (id),
  invoice_id uuid references invoices (id),
  amount_micros bigint not null,
  at timestamptz not null
);

create table payment_holds (
  reference text primary key,     -- what must be settled: an invoice, a dispute, a refund
  advertiser_id uuid not null references advertisers (id),
  reason text not null check (reason in ('disputed', 'refunded', 'payment_failed', 'overdue')),
  since timestamptz not null
);
create index payment_holds_advertiser on payment_holds (advertiser_id);

-- A campaign that was running when its account was held runs again when it is released.
alter table campaigns add column paused_for_billing boolean not null default false;

-- A notice says what happened without moving money.
alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check check (kind in ('credit', 'charge', 'payment', 'refund', 'adjustment', 'void', 'notice'));
alter table ledger_entries drop constraint ledger_entries_check;
alter table ledger_entries add constraint ledger_entries_check
  check (case kind when 'charge' then amount_micros < 0 when 'adjustment' then amount_micros <> 0 when 'void' then amount_micros >= 0 when 'notice' then amount_micros = 0 else amount_micros > 0 end);
