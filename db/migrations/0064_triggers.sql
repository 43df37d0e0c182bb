-- Printed from db/facts by `bun run triggers`, and not to be changed by hand.

-- Who sees what people wrote (D72).

create trigger shares_withheld_insert after insert on shares begin
  update shares set withheld = (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id)
  where id = new.id and (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id) <> new.withheld;
end;

create trigger shares_withheld_move after update of user_id on shares
when old.user_id is not new.user_id begin
  update shares set withheld = (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id)
  where id = new.id;
end;
