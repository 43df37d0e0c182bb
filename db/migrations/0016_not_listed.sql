-- What lists leave out besides rows that are hidden themselves.

-- Deleted accounts are not among the users, whether comments stay under them or they are still being deleted: totals and
-- ranks count the users without a row in deletions. When such a user goes for good, that row goes first, by cascade.

create trigger deletions_users_begin after insert on deletions begin
  update totals set n = n - 1 where name = 'users';
  update ranks set n = n - 1 where list = 'users' and key = 0 and block in (new.user_id >> 12, -1);
end;

create trigger deletions_users_end after delete on deletions begin
  update totals set n = n + 1 where name = 'users';
  update ranks set n = n + 1 where list = 'users' and key = 0 and block in (old.user_id >> 12, -1);
end;

-- The deletions there are already.
update totals set n = n - (select count(*) from deletions) where name = 'users';
update ranks set n = n - (select count(*) from deletions where user_id >> 12 = block)
where list = 'users' and key = 0 and block >= 0;
update ranks set n = n - (select count(*) from deletions) where list = 'users' and key = 0 and block = -1;

-- Casts and staff are not listed where their person, organization or character is hidden, nor programs of a hidden
-- channel. Few are, so the lists look for them.

create index characters_hidden on characters (id) where hidden <> 0;
create index people_hidden on people (id) where hidden <> 0;
create index organizations_hidden on organizations (id) where hidden <> 0;
create index channels_hidden on channels (id) where hidden <> 0;

-- casts_count counts the works of casts that are listed: those of a hidden character are not.

create view listed_casts (id, work_id, person_id) as
  select casts.id, work_id, person_id from casts join characters on characters.id = character_id
  where casts.hidden = 0 and characters.hidden = 0;

drop trigger casts_insert;
drop trigger casts_delete;
drop trigger casts_move;

create trigger casts_insert after insert on casts when new.hidden = 0 begin
  update people set casts_count = casts_count + 1, version = version + 1
  where id = new.person_id and exists (select 1 from characters where id = new.character_id and hidden = 0)
    and not exists (
      select 1 from listed_casts where person_id = new.person_id and work_id = new.work_id and id <> new.id);
end;

create trigger casts_delete after delete on casts when old.hidden = 0 begin
  update people set casts_count = casts_count - 1, version = version + 1
  where id = old.person_id and exists (select 1 from characters where id = old.character_id and hidden = 0)
    and not exists (select 1 from listed_casts where person_id = old.person_id and work_id = old.work_id);
end;

create trigger casts_move after update of work_id, person_id, character_id, hidden on casts
when old.work_id <> new.work_id or old.person_id <> new.person_id or old.character_id <> new.character_id
  or (old.hidden = 0) <> (new.hidden = 0) begin
  update people set version = version + 1,
    casts_count = (select count(distinct work_id) from listed_casts where person_id = people.id)
  where id in (old.person_id, new.person_id)
    and casts_count <> (select count(distinct work_id) from listed_casts where person_id = people.id);
end;

create trigger characters_hide after update of hidden on characters when old.hidden <> new.hidden begin
  update people set version = version + 1,
    casts_count = (select count(distinct work_id) from listed_casts where person_id = people.id)
  where id in (select person_id from casts where character_id = new.id)
    and casts_count <> (select count(distinct work_id) from listed_casts where person_id = people.id);
end;

-- The counts there are already.
update people set version = version + 1,
  casts_count = (select count(distinct work_id) from listed_casts where person_id = people.id)
where casts_count <> (select count(distinct work_id) from listed_casts where person_id = people.id);

-- A hidden series is not named by its characters.
create trigger series_hide after update of hidden on series when old.hidden <> new.hidden begin
  update characters set version = version + 1 where series_id = new.id;
end;

update characters set version = version + 1 where series_id in (select id from series where hidden <> 0);
