-- The totals of the unfiltered lists: how many rows of each table are shown.

insert into totals (name) values
  ('series'), ('works'), ('episodes'), ('characters'), ('people'), ('organizations'), ('casts'), ('staffs'), ('programs'), ('users');

create trigger series_total_insert after insert on series when new.hidden = 0 begin
  update totals set n = n + 1 where name = 'series';
end;

create trigger series_total_delete after delete on series when old.hidden = 0 begin
  update totals set n = n - 1 where name = 'series';
end;

create trigger series_total_hide after update of hidden on series when (old.hidden = 0) <> (new.hidden = 0) begin
  update totals set n = n + iif(new.hidden = 0, 1, -1) where name = 'series';
end;

create trigger works_total_insert after insert on works when new.hidden = 0 begin
  update totals set n = n + 1 where name = 'works';
end;

create trigger works_total_delete after delete on works when old.hidden = 0 begin
  update totals set n = n - 1 where name = 'works';
end;

create trigger works_total_hide after update of hidden on works when (old.hidden = 0) <> (new.hidden = 0) begin
  update totals set n = n + iif(new.hidden = 0, 1, -1) where name = 'works';
end;

create trigger episodes_total_insert after insert on episodes when new.hidden = 0 begin
  update totals set n = n + 1 where name = 'episodes';
end;

create trigger episodes_total_delete after delete on episodes when old.hidden = 0 begin
  update totals set n = n - 1 where name = 'episodes';
end;

create trigger episodes_total_hide after update of hidden on episodes when (old.hidden = 0) <> (new.hidden = 0) begin
  update totals set n = n + iif(new.hidden = 0, 1, -1) where name = 'episodes';
end;

create trigger characters_total_insert after insert on characters when new.hidden = 0 begin
  update totals set n = n + 1 where name = 'characters';
end;

create trigger characters_total_delete after delete on characters when old.hidden = 0 begin
  update totals set n = n - 1 where name = 'characters';
end;

create trigger characters_total_hide after update of hidden on characters when (old.hidden = 0) <> (new.hidden = 0) begin
  update totals set n = n + iif(new.hidden = 0, 1, -1) where name = 'characters';
end;

create trigger people_total_insert after insert on people when new.hidden = 0 begin
  update totals set n = n + 1 where name = 'people';
end;

create trigger people_total_delete after delete on people when old.hidden = 0 begin
  update totals set n = n - 1 where name = 'people';
end;

create trigger people_total_hide after update of hidden on people when (old.hidden = 0) <> (new.hidden = 0) begin
  update totals set n = n + iif(new.hidden = 0, 1, -1) where name = 'people';
end;

create trigger organizations_total_insert after insert on organizations when new.hidden = 0 begin
  update totals set n = n + 1 where name = 'organizations';
end;

create trigger organizations_total_delete after delete on organizations when old.hidden = 0 begin
  update totals set n = n - 1 where name = 'organizations';
end;

create trigger organizations_total_hide after update of hidden on organizations when (old.hidden = 0) <> (new.hidden = 0) begin
  update totals set n = n + iif(new.hidden = 0, 1, -1) where name = 'organizations';
end;

create trigger casts_total_insert after insert on casts when new.hidden = 0 begin
  update totals set n = n + 1 where name = 'casts';
end;

create trigger casts_total_delete after delete on casts when old.hidden = 0 begin
  update totals set n = n - 1 where name = 'casts';
end;

create trigger casts_total_hide after update of hidden on casts when (old.hidden = 0) <> (new.hidden = 0) begin
  update totals set n = n + iif(new.hidden = 0, 1, -1) where name = 'casts';
end;

create trigger staffs_total_insert after insert on staffs when new.hidden = 0 begin
  update totals set n = n + 1 where name = 'staffs';
end;

create trigger staffs_total_delete after delete on staffs when old.hidden = 0 begin
  update totals set n = n - 1 where name = 'staffs';
end;

create trigger staffs_total_hide after update of hidden on staffs when (old.hidden = 0) <> (new.hidden = 0) begin
  update totals set n = n + iif(new.hidden = 0, 1, -1) where name = 'staffs';
end;

create trigger programs_total_insert after insert on programs when new.hidden = 0 begin
  update totals set n = n + 1 where name = 'programs';
end;

create trigger programs_total_delete after delete on programs when old.hidden = 0 begin
  update totals set n = n - 1 where name = 'programs';
end;

create trigger programs_total_hide after update of hidden on programs when (old.hidden = 0) <> (new.hidden = 0) begin
  update totals set n = n + iif(new.hidden = 0, 1, -1) where name = 'programs';
end;
