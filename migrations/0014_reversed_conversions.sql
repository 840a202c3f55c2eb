-- Taken back after it was counted: a cancelled order, or traffic found invalid. The row stays, so that told again it is known.
alter table conversions add column reversed_at timestamptz;
