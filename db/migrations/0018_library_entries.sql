-- A number for each work that a user has ever given a status, for clients that keep it: it stays when the status goes and
-- comes back. What the status is stands in `statuses`.

create table library_entries (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  work_id integer not null references works (id),
  unique (user_id, work_id)
) strict;

create index library_entries_work on library_entries (work_id);

insert into library_entries (user_id, work_id) select user_id, work_id from statuses order by changed_at, user_id, work_id;

create trigger statuses_entry after insert on statuses begin
  insert into library_entries (user_id, work_id) values (new.user_id, new.work_id) on conflict do nothing;
end;

-- When a record was edited last.
alter table records add column modified_at integer;
