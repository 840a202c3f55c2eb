-- An invoice nobody paid can be taken back: an entry cancels its charge, and what it billed is unbilled again.
alter table ledger_entries drop constraint ledger_entries_kind_check;
alter table ledger_entries add constraint ledger_entries_kind_check check (kind in ('credit', 'charge', 'payment', 'refund', 'adjustment', 'void'));
alter table ledger_entries drop constraint ledger_entries_check;
alter table ledger_entries add constraint ledger_entries_check
  check (case kind when 'charge' then amount_micros < 0 when 'adjustment' then amount_micros <> 0 when 'void' then amount_micros >= 0 else amount_micros > 0 end);
create unique index ledger_entries_void on ledger_entries (invoice_id) where kind = 'void';
