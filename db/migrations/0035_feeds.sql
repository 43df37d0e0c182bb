-- Calendars that read by a secret address (D83). `alarm`: minutes before; null for none.
create table feeds (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  secret_hash blob not null unique check (length(secret_hash) = 32),
  name text not null,
  wanted integer not null default 1 check (wanted in (0, 1)),
  alarm integer check (alarm in (0, 10, 30)),
  with_rule integer not null default 1 check (with_rule in (0, 1)),
  language text not null,
  title_language text not null,
  time_zone text not null,
  changed_at integer not null,
  created_at integer not null,
  last_used_at integer,
  last_agent text not null default ''
) strict;

create index feeds_user on feeds (user_id);

-- When time, channel, episode or visibility last changed. Calendars count in seconds: it is never the same second twice.
alter table programs add column changed_at integer not null default 0;

-- A program that takes the place of another is newer than that.
create trigger programs_changed_insert after insert on programs when new.changed_at = 0 begin
  update programs set changed_at = max(cast(unixepoch('subsec') * 1000 as integer), ifnull((
    select max(changed_at) + 1000 from programs as other where other.episode_id = new.episode_id and other.id <> new.id), 0))
  where id = new.id;
end;

create trigger programs_changed_update after update of started_at, channel_id, episode_id, hidden on programs
when (new.started_at, new.channel_id, new.episode_id, new.hidden)
  is not (old.started_at, old.channel_id, old.episode_id, old.hidden) begin
  update programs set changed_at = max(old.changed_at + 1000, cast(unixepoch('subsec') * 1000 as integer))
  where id = new.id;
end;

-- Which channels a person chose decides what their calendars hold.
create trigger feeds_channels_insert after insert on user_channels begin
  update feeds set changed_at = max(changed_at + 1000, cast(unixepoch('subsec') * 1000 as integer))
  where user_id = new.user_id;
end;

create trigger feeds_channels_delete after delete on user_channels begin
  update feeds set changed_at = max(changed_at + 1000, cast(unixepoch('subsec') * 1000 as integer))
  where user_id = old.user_id;
end;
