-- That an episode began is told once (D84). The index also finds what goes with an episode.
alter table notifications add column episode_id integer references episodes (id) on delete cascade;
-- When the showing began.
alter table notifications add column began_at integer;
-- The record of the episode that read it.
alter table notifications add column read_by integer;

create unique index notifications_episode on notifications (episode_id, user_id) where episode_id is not null;
create index notifications_episode_read on notifications (read_at) where episode_id is not null and read_at is not null;

-- When the next showing of a time of one's own begins; 0 if that has to be found out.
alter table own_slots add column next_at integer not null default 0;
create index own_slots_next on own_slots (next_at) where ended_at is null;

-- What the job writes is no change that calendars are told of.
drop trigger own_slots_changed;
create trigger own_slots_changed
after update of work_id, weekday, minute, time_zone, every_weeks, begins_on, first_episode, channel_id, skipped, ended_at,
  changed_at on own_slots
when new.changed_at < old.changed_at + 1000 begin
  update own_slots set changed_at = old.changed_at + 1000 where user_id = new.user_id and work_id = new.work_id;
end;

create trigger own_slots_next_changed
after update of work_id, weekday, minute, time_zone, every_weeks, begins_on, first_episode, skipped, ended_at on own_slots
when new.next_at <> 0 begin
  update own_slots set next_at = 0 where user_id = new.user_id and work_id = new.work_id;
end;

-- A record reads what told of its episode; without the record, it is unread again.
create trigger records_read_notification after insert on records begin
  update notifications set read_at = new.created_at, read_by = new.id
  where episode_id = new.episode_id and user_id = new.user_id and read_at is null;
end;

create trigger records_unread_notification after delete on records begin
  update notifications set read_at = null, read_by = null
  where episode_id = old.episode_id and user_id = old.user_id and read_by = old.id;
end;
