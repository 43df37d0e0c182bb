-- Printed from db/facts by `bun run triggers`, and not to be changed by hand.

-- Who sees what people wrote (D72).

create trigger lists_withheld_insert after insert on lists begin
  update withheld_rows set number = number + 1
  where table_name = 'lists' and new.withheld <> 0;
  update lists set withheld = iif(new.visibility = 'private', 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id))
  where id = new.id and iif(new.visibility = 'private', 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id)) <> new.withheld;
end;

create trigger lists_withheld_delete after delete on lists begin
  update withheld_rows set number = number - 1
  where table_name = 'lists' and old.withheld <> 0;
end;

create trigger lists_withheld_move after update of user_id, visibility on lists
when old.user_id is not new.user_id or old.visibility is not new.visibility begin
  update lists set withheld = iif(new.visibility = 'private', 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id))
  where id = new.id;
end;

create trigger lists_withheld_count after update of withheld on lists
when old.withheld is not new.withheld begin
  update withheld_rows set number = number + (new.withheld <> 0) - (old.withheld <> 0)
  where table_name = 'lists' and (new.withheld <> 0) <> (old.withheld <> 0);
end;

-- Columns that count the rows of another table.

create trigger list_works_counts_insert after insert on list_works begin
  update lists set items_count = items_count + 1, version = version + 1
  where id = new.list_id and (select hidden from works where id = new.work_id) = 0;
end;

create trigger list_works_counts_delete after delete on list_works begin
  update lists set items_count = items_count - 1, version = version + 1
  where id = old.list_id and (select hidden from works where id = old.work_id) = 0;
end;

create trigger list_works_counts_update_list_id after update of list_id, work_id on list_works
when old.list_id is not new.list_id or old.work_id is not new.work_id begin
  update lists set items_count = items_count - 1, version = version + 1
  where id = old.list_id and (select hidden from works where id = old.work_id) = 0;
  update lists set items_count = items_count + 1, version = version + 1
  where id = new.list_id and (select hidden from works where id = new.work_id) = 0;
end;

create trigger works_counts_list_works after update of hidden on works
when old.hidden is not new.hidden begin
  update lists set items_count = (select count(*) from list_works as row
    where row.list_id = lists.id and (select hidden from works where id = row.work_id) = 0),
    version = version + 1
  where id in (select list_id from list_works where work_id = new.id)
    and items_count <> (select count(*) from list_works as row
    where row.list_id = lists.id and (select hidden from works where id = row.work_id) = 0);
end;

-- A change that does not raise the version of its row has it raised here.

create trigger lists_version after update on lists when new.version = old.version begin
  update lists set version = old.version + 1 where id = new.id;
end;
