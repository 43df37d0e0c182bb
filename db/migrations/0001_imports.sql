-- Facts about this database: kiroku_version is the version that last migrated it.

create table instance (
  name text primary key,
  value text not null
) strict, without rowid;

-- Where catalogue rows come from, the names other sites have for them, and what was imported.

create table sources (
  id integer primary key,
  name text not null unique,
  -- A field set by a source is never overwritten by one of lower priority.
  priority integer not null check (priority between 0 and 100)
) strict;

insert into sources (id, name, priority) values (1, 'admin', 100), (2, 'estimate', 10), (3, 'members', 20);

-- One row for each id that another site has for one of our rows. Two works may share an id of another site.
create table external_ids (
  kind text not null,
  ns text not null,
  external_id text not null,
  local_id integer not null,
  -- 1: the key by which a pack names this row; 2: that of a row merged into this one; 0: one of its other ids.
  is_key integer not null default 0 check (is_key between 0 and 2),
  primary key (kind, ns, external_id, local_id)
) strict, without rowid;

-- Queries for the ids of one row name this index: SQLite would choose the primary key and walk all rows of a kind.
create index external_ids_local on external_ids (local_id, kind);

-- The last line of a source about each key: an unchanged line is skipped, a missing one is noticed.
create table import_rows (
  source_id integer not null references sources (id),
  kind text not null,
  key text not null,
  -- The lower 53 bits of the line's xxHash64: what a JavaScript number holds.
  hash integer not null,
  local_id integer not null,
  primary key (source_id, kind, key)
) strict, without rowid;

-- A merged row's old id, so that links to it still lead somewhere.
create table redirects (
  kind text not null,
  from_id integer not null,
  to_id integer not null,
  primary key (kind, from_id)
) strict, without rowid;

-- Finds what was merged into a row.
create index redirects_to on redirects (kind, to_id);

-- An import in progress: its file was checked as a whole and is being applied in short transactions. The last of them
-- deletes the row and the file's blocks; an import that is found at a start was interrupted, and continues.

create table imports (
  -- one at a time
  id integer primary key check (id = 1),
  -- what the command asked for, and in which order lines that depend on later ones are taken; JSON
  plan text not null
) strict;

-- The lines of its file, packed by zstd.
create table import_blocks (
  first_line integer primary key,
  content blob not null
) strict;
