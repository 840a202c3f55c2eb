-- Unblocking a publisher returns it to where it stood: one that was never approved waits again.
alter table publishers add column status_before_block text;
