-- The activities of a status from this one on tell of it and are private with it. Those before tell of one that was removed since,
-- and keep their mark. What stands was not removed.
alter table statuses add column first_activity_id integer not null default 0;
