-- Lists that people took over from other services, row by row, and what that changed, so that it can be undone.

-- Times after the first, where an import said so; null: as laps tell.
alter table statuses add column rewatches integer check (rewatches >= 0);

create table list_imports (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  -- One of src/transfer/readers/reader.ts, which writes it alone.
  source text not null,
  file_name text not null,
  state text not null check (
    state in ('reading', 'preview', 'applying', 'applied', 'undoing', 'undone', 'failed', 'expired')),
  conflict text not null default 'keep' check (conflict in ('keep', 'file', 'newer')),
  -- Null: as the file says.
  score_format text check (score_format in ('POINT_3', 'POINT_5', 'POINT_10', 'POINT_100')),
  -- An IANA name, for times of the file that have none.
  time_zone text not null,
  includes_private integer not null default 0 check (includes_private in (0, 1)),
  -- Whether no scale of scores is known while it must be.
  asks_score_format integer not null default 0 check (asks_score_format in (0, 1)),
  -- Why it failed.
  error text,
  -- Rows while it is applied, changes while it is undone.
  done integer not null default 0 check (done >= 0),
  total integer not null default 0 check (total >= 0),
  created_at integer not null,
  -- A preview expires seven days after it.
  changed_at integer not null,
  applied_at integer,
  undone_at integer
) strict;

create index list_imports_user on list_imports (user_id, id);
create index list_imports_state on list_imports (state, id) where state in ('reading', 'preview', 'applying', 'undoing');

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
  -- JSON of src/transfer/match/match.ts: what the file says and which work it is. Null once it was applied or expired.
  match text check (json_valid(match)),
  -- JSON of src/transfer/plan/planned-row.ts: what the preview shows.
  shown text not null check (json_valid(shown)),
  unique (import_id, number)
) strict;

create index list_import_rows_state on list_import_rows (import_id, state, number);
create index list_import_rows_reason on list_import_rows (import_id, reason, number) where reason is not null;

-- What an import changed, in its order: JSON of src/transfer/batch/change.ts.
create table list_import_changes (
  id integer primary key autoincrement,
  import_id integer not null references list_imports (id) on delete cascade,
  change text not null check (json_valid(change)),
  -- Why an undo left it.
  left_because text
) strict;

create index list_import_changes_import on list_import_changes (import_id, id);

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
