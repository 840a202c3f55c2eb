-- What a landing page says it is about, as ad matching reads it.
alter table landing_page_checks add column terms text;
