-- What a publisher calls its user stands in the user's own row: a table of its own repeated both
-- names and their index for every user. Names of earlier versions stay where they are and are read
-- from there.
alter table publisher_users add column name_sealed text;
