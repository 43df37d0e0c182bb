-- Printed from db/facts by `bun run triggers`, and not to be changed by hand.

-- Columns that count the rows of another table.

create trigger comments_counts_insert after insert on comments begin
  update records set comments_count = comments_count + 1, version = version + 1
  where id = new.record_id and new.hidden_by is null;
  update reviews set comments_count = comments_count + 1, version = version + 1
  where id = new.review_id and new.hidden_by is null;
end;

create trigger comments_counts_delete after delete on comments begin
  update records set comments_count = comments_count - 1, version = version + 1
  where id = old.record_id and old.hidden_by is null;
  update reviews set comments_count = comments_count - 1, version = version + 1
  where id = old.review_id and old.hidden_by is null;
end;

create trigger comments_counts_update_record_id after update of record_id, hidden_by on comments
when old.record_id is not new.record_id
    or (old.hidden_by is null) is not (new.hidden_by is null) begin
  update records set comments_count = comments_count - 1, version = version + 1
  where id = old.record_id and old.hidden_by is null;
  update records set comments_count = comments_count + 1, version = version + 1
  where id = new.record_id and new.hidden_by is null;
end;

create trigger comments_counts_update_review_id after update of review_id, hidden_by on comments
when old.review_id is not new.review_id
    or (old.hidden_by is null) is not (new.hidden_by is null) begin
  update reviews set comments_count = comments_count - 1, version = version + 1
  where id = old.review_id and old.hidden_by is null;
  update reviews set comments_count = comments_count + 1, version = version + 1
  where id = new.review_id and new.hidden_by is null;
end;

-- A change that does not raise the version of its row has it raised here.

create trigger comments_version after update on comments when new.version = old.version begin
  update comments set version = old.version + 1 where id = new.id;
end;
