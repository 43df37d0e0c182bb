-- Files of communities that say which episodes of TheTVDB and TMDB are which of a work (src/transfer/mapping). Whoever runs
-- kiroku installs them.
create table mapping_files (
  id integer primary key autoincrement,
  kind text not null check (kind in ('anime-lists', 'anibridge', 'fribb')),
  name text not null,
  -- Null until it is read to its end, and again once another one took its place.
  installed_at integer,
  ranges integer not null default 0,
  -- Of this catalogue, when it was installed.
  works integer not null default 0,
  contradictions integer not null default 0,
  -- Entries that could not be understood.
  skipped integer not null default 0
) strict;

create unique index mapping_files_kind on mapping_files (kind) where installed_at is not null;

create table mapping_ranges (
  id integer primary key,
  file_id integer not null references mapping_files (id),
  site text not null check (site in ('tvdb', 'tmdb')),
  series integer not null,
  -- Null for any; -1 for numbers that run on through all seasons.
  season integer,
  first integer not null,
  -- Null for no end.
  last integer,
  ns text not null check (ns in ('anidb', 'mal', 'anilist')),
  external_id text not null,
  -- Added to the number; null if the episodes are none of the work's numbered ones.
  shift integer,
  -- 0 for a single episode, 1 for a range, 2 for the rest of a season, 3 for the series.
  rank integer not null check (rank between 0 and 3)
) strict;

create index mapping_ranges_series on mapping_ranges (site, series);
create index mapping_ranges_file on mapping_ranges (file_id);
