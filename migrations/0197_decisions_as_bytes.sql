-- What is kept of a decision, as bytes: among the facts of its request it was two thirds of the row.
-- And the request a win answers, as what it is. Earlier rows stay as they are and are read as such.
alter table events add column request_id uuid;
alter table events add column record bytea;
