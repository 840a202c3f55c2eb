-- A user's row is rewritten in its page by the next batch that has something of them, and the row
-- before is cleared away then: room for four in a page of fifty is enough, where eight were kept.
alter table publisher_users set (fillfactor = 92);
