-- Tables of people's own whose columns they named, so that the next file of the same shape is read at once.

create table table_shapes (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  -- JSON of the names of all columns in order; src/transfer/batch/tables.ts bounds it, and how many a person has.
  header text not null check (json_valid(header)),
  -- `title=1,status=3`, as `columnsIn` of src/transfer/readers/table/columns.ts reads it.
  columns text not null,
  unique (user_id, header)
) strict;

-- A table whose columns have not been named yet: one a person, for as long as a preview is kept.
create table waiting_tables (
  user_id integer primary key references users (id),
  file_name text not null,
  -- As it was sent, compressed with Zstandard.
  content blob not null,
  created_at integer not null
) strict;
