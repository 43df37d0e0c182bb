-- Numbers that grow with every change of what a list of works is found by: sets and orders of ids are kept in memory
-- for as long as these stay. Texts that works are found by are the search index's, which raises 'works' itself.

create table marks (
  name text primary key,
  n integer not null default 0
) strict, without rowid;

insert into marks (name) values ('works'), ('watchers');

create trigger works_marks_insert after insert on works begin
  update marks set n = n + 1 where name = 'works';
end;

create trigger works_marks_delete after delete on works begin
  update marks set n = n + 1 where name = 'works';
end;

create trigger works_marks_change after update of hidden, season_year, season on works
when old.hidden <> new.hidden or old.season_year is not new.season_year or old.season is not new.season begin
  update marks set n = n + 1 where name = 'works';
end;

create trigger works_marks_watched after update of watchers_count on works
when old.watchers_count <> new.watchers_count begin
  update marks set n = n + 1 where name = 'watchers';
end;
