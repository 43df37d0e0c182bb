-- Printed from db/facts by `bun run triggers`, and not to be changed by hand.

-- Who sees what people wrote (D72).

create trigger favorites_withheld_move after update of user_id on favorites
when old.user_id is not new.user_id begin
  update favorites set withheld = (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id)
  where id = new.id;
end;

-- Columns that count the rows of another table.

create trigger favorites_counts_insert after insert on favorites begin
  update characters set favorite_characters_count = favorite_characters_count + 1, version = version + 1
  where id = new.character_id and new.withheld = 0;
  update people set favorite_people_count = favorite_people_count + 1, version = version + 1
  where id = new.person_id and new.withheld = 0;
  update organizations set favorite_organizations_count = favorite_organizations_count + 1, version = version + 1
  where id = new.organization_id and new.withheld = 0;
  update favorites set withheld = (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id)
  where id = new.id and (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id) <> new.withheld;
end;

create trigger favorites_counts_delete after delete on favorites begin
  update characters set favorite_characters_count = favorite_characters_count - 1, version = version + 1
  where id = old.character_id and old.withheld = 0;
  update people set favorite_people_count = favorite_people_count - 1, version = version + 1
  where id = old.person_id and old.withheld = 0;
  update organizations set favorite_organizations_count = favorite_organizations_count - 1, version = version + 1
  where id = old.organization_id and old.withheld = 0;
end;

create trigger favorites_counts_update_character_id after update of character_id, withheld on favorites
when old.character_id is not new.character_id or (old.withheld = 0) is not (new.withheld = 0) begin
  update characters set favorite_characters_count = favorite_characters_count - 1, version = version + 1
  where id = old.character_id and old.withheld = 0;
  update characters set favorite_characters_count = favorite_characters_count + 1, version = version + 1
  where id = new.character_id and new.withheld = 0;
end;

create trigger favorites_counts_update_person_id after update of person_id, withheld on favorites
when old.person_id is not new.person_id or (old.withheld = 0) is not (new.withheld = 0) begin
  update people set favorite_people_count = favorite_people_count - 1, version = version + 1
  where id = old.person_id and old.withheld = 0;
  update people set favorite_people_count = favorite_people_count + 1, version = version + 1
  where id = new.person_id and new.withheld = 0;
end;

create trigger favorites_counts_update_organization_id after update of organization_id, withheld on favorites
when old.organization_id is not new.organization_id
    or (old.withheld = 0) is not (new.withheld = 0) begin
  update organizations set favorite_organizations_count = favorite_organizations_count - 1, version = version + 1
  where id = old.organization_id and old.withheld = 0;
  update organizations set favorite_organizations_count = favorite_organizations_count + 1, version = version + 1
  where id = new.organization_id and new.withheld = 0;
end;
