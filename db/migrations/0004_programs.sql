-- Channels and what they broadcast when.

create table channel_groups (
  id integer primary key autoincrement,
  name text not null,
  sort_number integer not null default 0,
  hidden integer not null default 0 check (hidden in (0, 1)),
  version integer not null default 1,
  source_id integer not null references sources (id),
  owners text not null default '{}'
) strict;

create table channels (
  id integer primary key autoincrement,
  channel_group_id integer references channel_groups (id),
  name text not null,
  -- 1: video on demand
  vod integer not null default 0 check (vod in (0, 1)),
  sort_number integer not null default 0,
  hidden integer not null default 0 check (hidden in (0, 1)),
  version integer not null default 1,
  source_id integer not null references sources (id),
  owners text not null default '{}'
) strict;

create table programs (
  id integer primary key autoincrement,
  channel_id integer not null references channels (id),
  work_id integer not null references works (id),
  episode_id integer references episodes (id),
  -- epoch milliseconds
  started_at integer not null,
  is_rebroadcast integer not null default 0 check (is_rebroadcast in (0, 1)),
  -- 1: nobody listed this broadcast; it follows from the work's broadcast rule.
  estimated integer not null default 0 check (estimated in (0, 1)),
  hidden integer not null default 0 check (hidden between 0 and 3),
  version integer not null default 1,
  source_id integer not null references sources (id),
  owners text not null default '{}'
) strict;

create index programs_started on programs (started_at, id) where hidden = 0;
-- What decides whether a program is among a user's stands in it.
create index programs_work on programs (work_id, started_at, id, channel_id, episode_id) where hidden = 0;
create index programs_work_all on programs (work_id);
create index programs_slot on programs (channel_id, started_at, episode_id);
create index programs_episode on programs (episode_id);

-- Hiding a work hides what hangs on it, and showing it shows that again; bit 2 of hidden says so, and must say so from
-- the start: the guards below refuse a row that disagrees with its work.

create trigger works_hide after update of hidden on works when old.hidden <> new.hidden begin
  update episodes set hidden = (hidden & 1) | (new.hidden * 2), version = version + 1 where work_id = new.id;
  update casts set hidden = (hidden & 1) | (new.hidden * 2), version = version + 1 where work_id = new.id;
  update staffs set hidden = (hidden & 1) | (new.hidden * 2), version = version + 1 where work_id = new.id;
  update programs set hidden = (hidden & 1) | (new.hidden * 2), version = version + 1 where work_id = new.id;
end;

create trigger episodes_guard_insert before insert on episodes
when (new.hidden >> 1) <> (select hidden from works where id = new.work_id) begin
  select raise(abort, 'episodes.hidden disagrees with its work');
end;

create trigger episodes_guard_update before update of work_id, hidden on episodes
when (new.hidden >> 1) <> (select hidden from works where id = new.work_id) begin
  select raise(abort, 'episodes.hidden disagrees with its work');
end;

create trigger casts_guard_insert before insert on casts
when (new.hidden >> 1) <> (select hidden from works where id = new.work_id) begin
  select raise(abort, 'casts.hidden disagrees with its work');
end;

create trigger casts_guard_update before update of work_id, hidden on casts
when (new.hidden >> 1) <> (select hidden from works where id = new.work_id) begin
  select raise(abort, 'casts.hidden disagrees with its work');
end;

create trigger staffs_guard_insert before insert on staffs
when (new.hidden >> 1) <> (select hidden from works where id = new.work_id) begin
  select raise(abort, 'staffs.hidden disagrees with its work');
end;

create trigger staffs_guard_update before update of work_id, hidden on staffs
when (new.hidden >> 1) <> (select hidden from works where id = new.work_id) begin
  select raise(abort, 'staffs.hidden disagrees with its work');
end;

create trigger programs_guard_insert before insert on programs
when (new.hidden >> 1) <> (select hidden from works where id = new.work_id) begin
  select raise(abort, 'programs.hidden disagrees with its work');
end;

create trigger programs_guard_update before update of work_id, hidden on programs
when (new.hidden >> 1) <> (select hidden from works where id = new.work_id) begin
  select raise(abort, 'programs.hidden disagrees with its work');
end;

-- Ids that Annict gave stay what they are there; everything else starts above them, in every table of the catalogue (D3).
insert into sqlite_sequence (name, seq) values
  ('series', 10000000), ('works', 10000000), ('episodes', 10000000), ('characters', 10000000), ('people', 10000000),
  ('organizations', 10000000), ('casts', 10000000), ('staffs', 10000000), ('channel_groups', 10000000),
  ('channels', 10000000), ('programs', 10000000);
