-- What an end user decided, in force on every node at once. The subject is a pseudonym of the
-- publisher's user or session, never the name itself.
create table privacy_choices (
  publisher_id uuid not null,
  subject text not null,
  choice text not null check (choice in ('no_personalisation', 'hide_advertiser', 'hide_topic', 'hide_ad')),
  value text not null default '',
  at timestamptz not null,
  primary key (publisher_id, subject, choice, value)
);

-- The name a publisher gave its user, sealed, to be shown to that publisher alone; everywhere else
-- stands the pseudonym.
create table publisher_user_names (
  publisher_id uuid not null,
  user_id text not null,
  name_sealed text not null,
  primary key (publisher_id, user_id)
);
