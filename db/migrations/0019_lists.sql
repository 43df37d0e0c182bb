-- Indexes in the order that each list of works is walked in, and what works are sorted and narrowed by beside their ids:
-- a user's own works and those with a text in their title are found by ids. No list is found by marks any more.

drop index works_season;
drop index works_watchers_desc;
create index works_shown on works (id) where hidden = 0;
create index works_hidden on works (id) where hidden <> 0;
create index works_season on works (season_rank, id) where hidden = 0;
create index works_season_desc on works (season_rank desc, id) where hidden = 0;
create index works_watchers on works (watchers_count, id) where hidden = 0;
create index works_watchers_desc on works (watchers_count desc, id) where hidden = 0;
create index works_keys on works (id, season_rank, watchers_count);
create index series_hidden on series (id) where hidden <> 0;

-- Casts and staff are not listed where the person, character or organization is hidden: withheld says so, so that the
-- indexes of the lists hold nothing else.

alter table casts add column withheld integer not null default 0 check (withheld in (0, 1));
alter table staffs add column withheld integer not null default 0 check (withheld in (0, 1));

update casts set withheld = 1
where person_id in (select id from people where hidden <> 0) or character_id in (select id from characters where hidden <> 0);
update staffs set withheld = 1
where person_id in (select id from people where hidden <> 0)
  or organization_id in (select id from organizations where hidden <> 0);

create trigger casts_withheld_insert after insert on casts
when (select hidden from people where id = new.person_id) <> 0
  or (select hidden from characters where id = new.character_id) <> 0 begin
  update casts set withheld = 1 where id = new.id;
end;

create trigger casts_withheld_move after update of person_id, character_id on casts
when old.person_id <> new.person_id or old.character_id <> new.character_id begin
  update casts set withheld = (select hidden from people where id = new.person_id) <> 0
    or (select hidden from characters where id = new.character_id) <> 0
  where id = new.id;
end;

create trigger staffs_withheld_insert after insert on staffs
when (select hidden from people where id = new.person_id) <> 0
  or (select hidden from organizations where id = new.organization_id) <> 0 begin
  update staffs set withheld = 1 where id = new.id;
end;

create trigger staffs_withheld_move after update of person_id, organization_id on staffs
when old.person_id is not new.person_id or old.organization_id is not new.organization_id begin
  update staffs set withheld = ifnull((select hidden from people where id = new.person_id), 0) <> 0
    or ifnull((select hidden from organizations where id = new.organization_id), 0) <> 0
  where id = new.id;
end;

create trigger people_withhold after update of hidden on people when (old.hidden = 0) <> (new.hidden = 0) begin
  update casts set withheld = new.hidden <> 0 or (select hidden from characters where id = character_id) <> 0
  where person_id = new.id;
  update staffs set withheld = new.hidden <> 0 where person_id = new.id;
end;

create trigger characters_withhold after update of hidden on characters when (old.hidden = 0) <> (new.hidden = 0) begin
  update casts set withheld = new.hidden <> 0 or (select hidden from people where id = person_id) <> 0
  where character_id = new.id;
end;

create trigger organizations_withhold after update of hidden on organizations
when (old.hidden = 0) <> (new.hidden = 0) begin
  update staffs set withheld = new.hidden <> 0 where organization_id = new.id;
end;

drop index casts_shown;
drop index casts_work;
drop index casts_sort;
drop index casts_sort_desc;
create index casts_shown on casts (id) where hidden = 0 and withheld = 0;
create index casts_work on casts (work_id, sort_number, id) where hidden = 0 and withheld = 0;
create index casts_sort on casts (sort_number, id) where hidden = 0 and withheld = 0;
create index casts_sort_desc on casts (sort_number desc, id) where hidden = 0 and withheld = 0;
create index casts_withheld on casts (id) where hidden = 0 and withheld = 1;

drop index staffs_shown;
drop index staffs_work;
drop index staffs_sort;
drop index staffs_sort_desc;
create index staffs_shown on staffs (id) where hidden = 0 and withheld = 0;
create index staffs_work on staffs (work_id, sort_number, id) where hidden = 0 and withheld = 0;
create index staffs_sort on staffs (sort_number, id) where hidden = 0 and withheld = 0;
create index staffs_sort_desc on staffs (sort_number desc, id) where hidden = 0 and withheld = 0;
create index staffs_withheld on staffs (id) where hidden = 0 and withheld = 1;
