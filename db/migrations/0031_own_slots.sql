-- When a person watches a work, or what they know of its broadcast (D80): weekly on a weekday at a time by the wall clock of a
-- zone, from an evening and an episode on. Times up to 29:59 belong to the evening. The channel may be merged since: it is read
-- through the redirects.
create table own_slots (
  user_id integer not null references users (id),
  work_id integer not null references works (id),
  weekday integer not null check (weekday between 0 and 6),
  minute integer not null check (minute between 0 and 1799),
  time_zone text not null,
  every_weeks integer not null default 1 check (every_weeks in (1, 2)),
  -- YYYY-MM-DD
  begins_on text not null,
  -- The number of the first episode; the others follow in the order of the list.
  first_episode integer not null check (first_episode between 1 and 2000),
  channel_id integer,
  -- JSON of the evenings without a broadcast; it and what follows came a week later.
  skipped text not null default '[]' check (json_valid(skipped)),
  ended_at integer,
  changed_at integer not null,
  primary key (user_id, work_id)
) strict, without rowid;

create index own_slots_work on own_slots (work_id);

-- Calendars take what changed later for newer, and count in seconds. An undo writes no time: it is a change, too.
create trigger own_slots_changed after update on own_slots when new.changed_at < old.changed_at + 1000 begin
  update own_slots set changed_at = old.changed_at + 1000 where user_id = new.user_id and work_id = new.work_id;
end;
