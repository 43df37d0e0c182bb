-- A change that does not raise the row's version itself has it raised here, so that no rendering can outlive it.

create trigger series_version after update on series when new.version = old.version begin
  update series set version = old.version + 1 where id = new.id;
end;

create trigger works_version after update on works when new.version = old.version begin
  update works set version = old.version + 1 where id = new.id;
end;

create trigger episodes_version after update on episodes when new.version = old.version begin
  update episodes set version = old.version + 1 where id = new.id;
end;

create trigger characters_version after update on characters when new.version = old.version begin
  update characters set version = old.version + 1 where id = new.id;
end;

create trigger people_version after update on people when new.version = old.version begin
  update people set version = old.version + 1 where id = new.id;
end;

create trigger organizations_version after update on organizations when new.version = old.version begin
  update organizations set version = old.version + 1 where id = new.id;
end;

create trigger casts_version after update on casts when new.version = old.version begin
  update casts set version = old.version + 1 where id = new.id;
end;

create trigger staffs_version after update on staffs when new.version = old.version begin
  update staffs set version = old.version + 1 where id = new.id;
end;

create trigger channel_groups_version after update on channel_groups when new.version = old.version begin
  update channel_groups set version = old.version + 1 where id = new.id;
end;

create trigger channels_version after update on channels when new.version = old.version begin
  update channels set version = old.version + 1 where id = new.id;
end;

create trigger programs_version after update on programs when new.version = old.version begin
  update programs set version = old.version + 1 where id = new.id;
end;

create trigger users_version after update on users when new.version = old.version begin
  update users set version = old.version + 1 where id = new.id;
end;
