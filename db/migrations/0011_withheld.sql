-- Casts and staff are not listed where the person, character or organization they refer to is hidden. Their column withheld
-- says so, so that the indexes of the lists hold nothing else.

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
