-- An import of which only its user sees what it writes (D72).
alter table list_imports add column all_private integer not null default 0 check (all_private in (0, 1));

-- What is unread depends on what its reader may see: it is counted when it is asked for.
alter table users drop column notifications_count;
