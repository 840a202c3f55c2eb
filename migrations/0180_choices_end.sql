-- Whose a choice is: that of a session ends with it, that of a user when they take it back.
alter table privacy_choices
  add column scope text not null default 'user' check (scope in ('user', 'session'));

create index privacy_choices_sessions on privacy_choices (at) where scope = 'session';

-- What came of an experiment whose people are forgotten.
alter table experiments add column result jsonb;
