-- Lists that people took over from other services, row by row, and what that changed, so that it can be undone.

-- Times after the first, where an import said so; null: as laps tell.
alter table statuses add column rewatches integer check (rewatches >= 0);

-- Somebody's reviews of a work, read for each row of a list: of 3,000 reviews in 10 µs instead of 130.
create index reviews_user_work on reviews (user_id, work_id);

create table list_imports (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  -- One of src/transfer/readers/reader.ts, which writes it alone.
  source text not null,
  file_name text not null,
  -- One that is being deleted is shown to nobody.
  state text not null check (
    state in ('reading', 'preview', 'applying', 'applied', 'undoing', 'undone', 'failed', 'expired', 'deleting')),
  conflict text not null default 'keep' check (conflict in ('keep', 'file', 'newer')),
  -- Null: as the file says.
  score_format text check (score_format in ('POINT_3', 'POINT_5', 'POINT_10', 'POINT_100')),
  -- An IANA name, for times of the file that have none.
  time_zone text not null,
  includes_private integer not null default 0 check (includes_private in (0, 1)),
  -- Of a file of several people, the one whose entries count; null: it must be asked first.
  file_user text,
  -- Whether works that were finished with some of their episodes count as watched to the end.
  completes_watched integer not null default 0 check (completes_watched in (0, 1)),
  -- JSON of `FileFacts` in src/transfer/batch/file-facts.ts: what the file leaves open.
  facts text not null default '{}' check (json_valid(facts)),
  -- JSON of `Counts` in src/transfer/batch/counts.ts.
  counts text not null default '{}' check (json_valid(counts)),
  -- Why it failed.
  error text,
  -- Rows while it is read or applied, changes while it is undone. An applying continues with the row after it.
  done integer not null default 0 check (done >= 0),
  total integer not null default 0 check (total >= 0),
  created_at integer not null,
  -- A preview expires seven days after it.
  changed_at integer not null,
  applied_at integer,
  undone_at integer
) strict;

create index list_imports_user on list_imports (user_id, id);
create index list_imports_open on list_imports (state, id)
where state in ('reading', 'preview', 'applying', 'undoing', 'deleting');

create table list_import_rows (
  id integer primary key autoincrement,
  import_id integer not null references list_imports (id) on delete cascade,
  -- From 1, in the order of the file; a series of the file that is several works here has a row for each.
  number integer not null check (number >= 1),
  source_id text not null,
  title text not null,
  state text not null check (
    state in ('new', 'unchanged', 'conflict', 'check', 'not_found', 'skipped', 'error')),
  reason text,
  -- Works may be merged or deleted later.
  work_id integer,
  decision text check (decision in ('accept', 'skip')),
  -- JSON of src/transfer/match/match.ts: what the file says and which work it is. Null once it was applied.
  match text check (json_valid(match)),
  -- JSON of `ShownRow` in src/transfer/plan/planned-row.ts, without what is null or empty.
  shown text not null check (json_valid(shown)),
  -- Whether applying it sets a status, and how many reviews it writes.
  sets_status integer not null default 0 check (sets_status in (0, 1)),
  reviews integer not null default 0 check (reviews >= 0),
  unique (import_id, number)
) strict;

create index list_import_rows_state on list_import_rows (import_id, state, number);
create index list_import_rows_reason on list_import_rows (import_id, reason, number) where reason is not null;
create index list_import_rows_source on list_import_rows (import_id, source_id) where state in ('check', 'not_found');

-- What an import changed, in its order. Undoing it deletes them from the last on.
create table list_import_changes (
  id integer primary key autoincrement,
  import_id integer not null references list_imports (id) on delete cascade,
  kind text not null check (kind in ('record', 'review', 'status', 'episode', 'lap', 'skip', 'note')),
  -- Of a status or a note, its work's. All of them may be merged or deleted later.
  row_id integer not null,
  -- Of several rows that were inserted at once, the last one; else `row_id`.
  last_id integer not null check (last_id >= row_id),
  work_id integer not null,
  -- JSON of the columns that undoing writes; null where there was no row.
  before text check (json_valid(before)),
  -- JSON of the columns that tell whether it was changed since; null where others tell.
  after text check (json_valid(after)),
  -- Why an undo left it.
  left_because text check (left_because in ('changed', 'used'))
) strict;

create index list_import_changes_import on list_import_changes (import_id, left_because, id);
create index list_import_changes_status on list_import_changes (row_id) where kind = 'status';
create index list_import_changes_note on list_import_changes (row_id) where kind = 'note';
create index list_import_changes_review on list_import_changes (row_id) where kind = 'review' and before is not null;
create index list_import_changes_left_episode on list_import_changes (row_id)
where kind = 'episode' and left_because is not null;

-- Episodes that an undo left because others had recorded them, at the ends of lists, that nobody needs any more.
create view unneeded_episodes as
select episodes.id, episodes.work_id
from list_import_changes join episodes on episodes.id = row_id
where kind = 'episode' and left_because is not null
  and sort_number > ifnull((
    select max(sort_number) from episodes as e where e.work_id = episodes.work_id and (
      not exists (
        select 1 from list_import_changes
        where kind = 'episode' and left_because is not null and row_id = e.id)
      or exists (select 1 from records where episode_id = e.id)
      or exists (select 1 from skips where episode_id = e.id)
      or exists (select 1 from programs where episode_id = e.id)
      or exists (select 1 from external_ids where kind = 'episode' and local_id = e.id))), -1);

-- They go with the last record, or when the list gets shorter.
create trigger records_shrink_list after delete on records when exists (
  select 1 from list_import_changes
  where kind = 'episode' and left_because is not null and row_id = old.episode_id)
begin
  delete from episodes where id in (select id from unneeded_episodes where work_id = old.work_id);
  delete from list_import_changes where kind = 'episode' and left_because is not null
    and not exists (select 1 from episodes where id = row_id);
end;

create trigger episodes_shrink_list after delete on episodes when exists (
  select 1 from list_import_changes where kind = 'episode' and left_because is not null)
begin
  delete from episodes where id in (select id from unneeded_episodes where work_id = old.work_id);
  delete from list_import_changes where kind = 'episode' and left_because is not null
    and not exists (select 1 from episodes where id = row_id);
end;

-- Works that people chose for what a source calls by an id.
create table list_choices (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  source text not null,
  source_id text not null check (source_id <> ''),
  work_id integer not null,
  -- Added to the numbers of the source's episodes.
  episode_offset integer not null default 0,
  unique (user_id, source, source_id)
) strict;
