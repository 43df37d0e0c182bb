-- One table of what acts and imports changed, in its order, so that one engine undoes both (src/library/undo). What is undone
-- is deleted from it, from the last change on.
create table changes (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  act_id integer references acts (id) on delete cascade,
  import_id integer references list_imports (id) on delete cascade,
  -- 0 if it concerns no work. Works and rows may have been merged or deleted since.
  work_id integer not null,
  -- One of src/library/undo/undoable-tables.ts.
  table_name text not null,
  -- The row's id; where a user has one row for each work, the work's.
  row_id integer not null,
  -- Of several rows that were inserted at once, the last one; else `row_id`.
  last_id integer not null,
  -- JSON of the row's columns; null if it was inserted.
  before text check (json_valid(before)),
  -- The same; null if it was deleted, or inserted into a table that tells by itself whether the row was changed since.
  after text check (json_valid(after)),
  -- JSON of the rows that were deleted with the row, as [table, columns].
  fallen text check (json_valid(fallen)),
  -- Follows from the other changes of its act, such as a change of status: an undo that has to leave it is not refused.
  is_aside integer not null default 0 check (is_aside in (0, 1)),
  -- Why an undo left it. It goes when what was in its way is undone.
  left_because text check (left_because in ('changed', 'used')),
  check ((act_id is null) <> (import_id is null)),
  check (last_id >= row_id),
  check (last_id = row_id or before is null)
) strict;

create index changes_act on changes (act_id, id) where act_id is not null;
create index changes_import on changes (import_id, left_because, id) where import_id is not null;
create index changes_row on changes (user_id, table_name, row_id);
create index changes_work on changes (user_id, work_id, id);
create index changes_left_episode on changes (row_id) where table_name = 'episodes' and left_because is not null;

-- Acts had theirs as JSON: {"essential": […], "aside": […]}. Of an undone act only what it left is needed.
create temp view changes_of_acts as
select acts.created_at as at, acts.user_id, acts.id as act_id, null as import_id, acts.work_id as act_work_id,
  change.value ->> 'table' as table_name,
  ifnull(change.value ->> '$.key[1]', change.value ->> '$.key[0]') as row_id,
  iif(change.value ->> 'did' = 'delete', change.value -> '$.rows[0].row', change.value -> 'before') as before,
  change.value -> 'after' as after,
  iif(change.value ->> 'did' = 'delete', (
    select json_group_array(json_array(row.value ->> 'table', row.value -> 'row')) from (
      select value from json_each(change.value, '$.rows') where key > 0 order by key) as row
  ), null) as fallen,
  part.value = 'aside' or change.value ->> 'did' = 'add' as is_aside,
  iif(acts.undone_at is null, null, 'used') as left_because,
  part.key as part, change.key as place
from acts
join json_each('["essential", "aside"]') as part
join json_each(acts.before, '$.' || part.value) as change
where acts.undone_at is null or (acts.leaves_aside = 1 and part.value = 'aside');

-- Imports had a table of their own. A work's first status also took its number in the library: `before` was 'null'.
create temp view changes_of_imports as
select ifnull(applied_at, changed_at) as at, user_id, import_id, work_id, change.id as place, 1 as part, left_because,
  case kind
    when 'record' then 'records' when 'review' then 'reviews' when 'status' then 'statuses' when 'episode' then 'episodes'
    when 'lap' then 'laps' when 'skip' then 'skips' when 'note' then 'notes'
  end as table_name, row_id, last_id, iif(before = 'null', null, before) as before, after
from list_import_changes as change join list_imports on list_imports.id = import_id
union all
select ifnull(applied_at, changed_at), entry.user_id, import_id, change.work_id, change.id, 0, left_because,
  'library_entries', entry.id, entry.id, null, null
from list_import_changes as change
join list_imports on list_imports.id = import_id
join library_entries as entry on entry.user_id = list_imports.user_id
  and entry.work_id = ifnull((select to_id from redirects where kind = 'work' and from_id = row_id), row_id)
where kind = 'status' and before = 'null';

-- In the order of what was done. The activity about a status comes before the status, and is undone after it.
insert into changes
  (user_id, act_id, import_id, work_id, table_name, row_id, last_id, before, after, fallen, is_aside, left_because)
select user_id, act_id, import_id, work_id, table_name, row_id, last_id, before, after, fallen, is_aside, left_because
from (
  select at, user_id, act_id, import_id, coalesce(
    after ->> 'work_id', before ->> 'work_id', iif(table_name in ('statuses', 'notes'), row_id, null), case table_name
      when 'reviews' then (select work_id from reviews where id = row_id)
      when 'activities' then (select work_id from activities where id = row_id)
    end, act_work_id) as work_id,
    table_name, row_id, row_id as last_id, before, after, fallen, is_aside, left_because,
    act_id as owner, part as first, table_name <> 'activities' as second, place as third
  from changes_of_acts
  union all
  select at, user_id, null, import_id, work_id, table_name, row_id, last_id, before, after, null, 0, left_because,
    import_id, place, part, 0
  from changes_of_imports
)
order by at, act_id, owner, first, second, third;

drop view changes_of_acts;
drop view changes_of_imports;

drop index acts_left;
alter table acts drop column leaves_aside;
alter table acts drop column before;

drop trigger records_shrink_list;
drop trigger episodes_shrink_list;
drop view unneeded_episodes;
drop table list_import_changes;

-- Episodes that an undo left because others had recorded them, at the ends of lists, that nobody needs any more.
create view unneeded_episodes as
select episodes.id, episodes.work_id
from changes join episodes on episodes.id = row_id
where table_name = 'episodes' and left_because is not null
  and sort_number > ifnull((
    select max(sort_number) from episodes as e where e.work_id = episodes.work_id and (
      not exists (
        select 1 from changes
        where table_name = 'episodes' and left_because is not null and row_id = e.id)
      or exists (select 1 from records where episode_id = e.id)
      or exists (select 1 from skips where episode_id = e.id)
      or exists (select 1 from programs where episode_id = e.id)
      or exists (select 1 from external_ids where kind = 'episode' and local_id = e.id))), -1);

-- They go with the last record, or when the list gets shorter.
create trigger records_shrink_list after delete on records when exists (
  select 1 from changes
  where table_name = 'episodes' and left_because is not null and row_id = old.episode_id)
begin
  delete from episodes where id in (select id from unneeded_episodes where work_id = old.work_id);
  delete from changes where table_name = 'episodes' and left_because is not null
    and not exists (select 1 from episodes where id = row_id);
end;

create trigger episodes_shrink_list after delete on episodes when exists (
  select 1 from changes where table_name = 'episodes' and left_because is not null)
begin
  delete from episodes where id in (select id from unneeded_episodes where work_id = old.work_id);
  delete from changes where table_name = 'episodes' and left_because is not null
    and not exists (select 1 from episodes where id = row_id);
end;
