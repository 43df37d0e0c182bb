-- Laps, skipped episodes, notes and dates of statuses; and what people did, so that it can be undone.

-- Which time through the work: 1 is the first (D63).
alter table records add column lap integer not null default 1 check (lap >= 1);

drop index records_user_episode;
create index records_user_episode on records (user_id, episode_id, lap);

-- `2016`, `2016-03` or `2016-03-05` (D71); null where nobody said it.
alter table statuses add column started_on text check (started_on glob '[0-9][0-9][0-9][0-9]*');
alter table statuses add column finished_on text check (finished_on glob '[0-9][0-9][0-9][0-9]*');

-- Laps after the first. A user's current lap of a work is the last one.
create table laps (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  work_id integer not null references works (id),
  number integer not null check (number >= 2),
  started_at integer not null,
  unique (user_id, work_id, number)
) strict;

create index laps_work on laps (work_id);

-- Episodes that "next" passes over in a lap. They are not watched.
create table skips (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  episode_id integer not null references episodes (id) on delete cascade,
  lap integer not null check (lap >= 1),
  created_at integer not null,
  unique (user_id, episode_id, lap)
) strict;

create index skips_episode on skips (episode_id);

-- Private: only their user reads them.
create table notes (
  user_id integer not null references users (id),
  work_id integer not null references works (id),
  text text not null check (text <> ''),
  updated_at integer not null,
  primary key (user_id, work_id)
) strict;

create index notes_work on notes (work_id);

-- Kept for 30 days. Works and episodes may have been merged or deleted since.
create table acts (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  -- One of src/library/acts/act.ts, which writes it alone: a check would cost a new table for each kind that is added.
  kind text not null,
  work_id integer not null,
  -- The last one concerned.
  episode_id integer,
  -- Episodes recorded.
  count integer not null default 0 check (count >= 0),
  status_kind text check (status_kind in ('wanna_watch', 'watching', 'watched', 'on_hold', 'stop_watching')),
  created_at integer not null,
  undone_at integer,
  -- The rows it changed, as they were: JSON of src/library/acts/change-log.ts.
  before text not null check (json_valid(before))
) strict;

create index acts_user on acts (user_id, id, created_at);
