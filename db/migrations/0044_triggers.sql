-- Printed from db/facts by `bun run triggers`, and not to be changed by hand.

drop trigger statuses_withheld_move;
drop trigger statuses_counts_insert;
drop trigger statuses_counts_delete;
drop trigger statuses_counts_update_work_id;
drop trigger statuses_counts_update_user_id;

-- Who sees what people wrote (D72).

create trigger statuses_withheld_move after update of user_id, private, hidden_by on statuses
when old.user_id is not new.user_id
    or old.private is not new.private
    or old.hidden_by is not new.hidden_by begin
  update statuses set withheld = iif((new.private = 1 or new.hidden_by is not null), 2, (select privacy = 'private' from users where id = new.user_id))
  where user_id = new.user_id and work_id = new.work_id;
  update activities set private = new.private or new.hidden_by is not null
  where user_id = new.user_id and +work_id = new.work_id and action = 'create_status' and id >= new.first_activity_id
    and private <> (new.private or new.hidden_by is not null);
end;

-- Columns that count the rows of another table.

create trigger statuses_counts_insert after insert on statuses begin
  update works set watchers_count = watchers_count + 1, version = version + 1
  where id = new.work_id
    and new.kind in ('wanna_watch', 'watching', 'watched') and new.withheld = 0;
  update users set wanna_watch_count = wanna_watch_count + (new.kind = 'wanna_watch' and new.withheld < 2),
    watching_count = watching_count + (new.kind = 'watching' and new.withheld < 2),
    watched_count = watched_count + (new.kind = 'watched' and new.withheld < 2),
    on_hold_count = on_hold_count + (new.kind = 'on_hold' and new.withheld < 2),
    stop_watching_count = stop_watching_count + (new.kind = 'stop_watching' and new.withheld < 2),
    version = version + 1
  where id = new.user_id;
  update statuses set withheld = iif((new.private = 1 or new.hidden_by is not null), 2, (select privacy = 'private' from users where id = new.user_id))
  where user_id = new.user_id and work_id = new.work_id and iif((new.private = 1 or new.hidden_by is not null), 2, (select privacy = 'private' from users where id = new.user_id)) <> new.withheld;
end;

create trigger statuses_counts_delete after delete on statuses begin
  update works set watchers_count = watchers_count - 1, version = version + 1
  where id = old.work_id
    and old.kind in ('wanna_watch', 'watching', 'watched') and old.withheld = 0;
  update users set wanna_watch_count = wanna_watch_count - (old.kind = 'wanna_watch' and old.withheld < 2),
    watching_count = watching_count - (old.kind = 'watching' and old.withheld < 2),
    watched_count = watched_count - (old.kind = 'watched' and old.withheld < 2),
    on_hold_count = on_hold_count - (old.kind = 'on_hold' and old.withheld < 2),
    stop_watching_count = stop_watching_count - (old.kind = 'stop_watching' and old.withheld < 2),
    version = version + 1
  where id = old.user_id;
end;

create trigger statuses_counts_update_work_id after update of work_id, kind, withheld on statuses
when old.work_id is not new.work_id
    or (old.kind in ('wanna_watch', 'watching', 'watched') and old.withheld = 0) is not (new.kind in ('wanna_watch', 'watching', 'watched') and new.withheld = 0) begin
  update works set watchers_count = watchers_count - 1, version = version + 1
  where id = old.work_id
    and old.kind in ('wanna_watch', 'watching', 'watched') and old.withheld = 0;
  update works set watchers_count = watchers_count + 1, version = version + 1
  where id = new.work_id
    and new.kind in ('wanna_watch', 'watching', 'watched') and new.withheld = 0;
end;

create trigger statuses_counts_update_user_id after update of user_id, kind, withheld on statuses
when old.user_id is not new.user_id
    or old.kind is not new.kind
    or old.withheld is not new.withheld begin
  update users set wanna_watch_count = wanna_watch_count - (old.kind = 'wanna_watch' and old.withheld < 2),
    watching_count = watching_count - (old.kind = 'watching' and old.withheld < 2),
    watched_count = watched_count - (old.kind = 'watched' and old.withheld < 2),
    on_hold_count = on_hold_count - (old.kind = 'on_hold' and old.withheld < 2),
    stop_watching_count = stop_watching_count - (old.kind = 'stop_watching' and old.withheld < 2),
    version = version + 1
  where id = old.user_id;
  update users set wanna_watch_count = wanna_watch_count + (new.kind = 'wanna_watch' and new.withheld < 2),
    watching_count = watching_count + (new.kind = 'watching' and new.withheld < 2),
    watched_count = watched_count + (new.kind = 'watched' and new.withheld < 2),
    on_hold_count = on_hold_count + (new.kind = 'on_hold' and new.withheld < 2),
    stop_watching_count = stop_watching_count + (new.kind = 'stop_watching' and new.withheld < 2),
    version = version + 1
  where id = new.user_id;
end;
