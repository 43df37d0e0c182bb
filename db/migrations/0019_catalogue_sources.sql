-- The sources of catalogue data that this instance knows, as the administrator has set them. A source without a row is off.

create table catalogue_sources (
  name text primary key,
  is_enabled integer not null default 0 check (is_enabled in (0, 1)),
  -- A URL, or a folder or file of this machine.
  location text,
  -- A person's own at the source; never shown.
  token text,
  -- What it remembers from its last successful run; JSON.
  state text not null default '{}' check (json_valid(state)),
  next_run_at integer,
  -- Failed runs in a row.
  failures integer not null default 0
) strict, without rowid;

-- Each time that a source was asked; kept for 90 days. Without an end it goes on, or was interrupted and is resumed.
create table catalogue_runs (
  id integer primary key autoincrement,
  source text not null,
  cause text not null check (cause in ('schedule', 'command', 'page')),
  is_dry_run integer not null check (is_dry_run in (0, 1)),
  -- What it was about; JSON.
  scope text not null check (json_valid(scope)),
  -- What the source remembered when it began; JSON.
  state text not null default '{}' check (json_valid(state)),
  started_at integer not null,
  ended_at integer,
  outcome text check (outcome in ('done', 'unchanged', 'unreachable', 'not_understood', 'held_back', 'refused', 'failed')),
  -- Why nothing was taken, in one line.
  message text,
  requests integer not null default 0,
  not_modified integer not null default 0,
  -- Received, after decompression.
  bytes integer not null default 0,
  -- What the import tells, with the most visible changes; JSON.
  report text check (report is null or json_valid(report)),
  check ((ended_at is null) = (outcome is null))
) strict;

create index catalogue_runs_source on catalogue_runs (source, id);

-- The answers of a run, in files beside the database: for resuming, for looking into a bad run, for conditional requests.
create table catalogue_answers (
  run_id integer not null references catalogue_runs (id) on delete cascade,
  -- From 1, in the order of the requests.
  number integer not null,
  url text not null,
  -- Which kind of answer it is.
  kind text not null,
  -- What was sent by POST: JSON.
  posted text,
  etag text,
  last_modified text,
  -- 1: it was what a former run had.
  is_unmodified integer not null default 0 check (is_unmodified in (0, 1)),
  -- Of the file, compressed.
  bytes integer not null,
  primary key (run_id, number)
) strict, without rowid;

-- What each host was asked, by all processes: the buckets of the declared pace.
create table source_hosts (
  host text primary key,
  -- When the next request may be sent.
  free_at integer not null,
  hour_began_at integer not null,
  in_hour integer not null,
  day_began_at integer not null,
  in_day integer not null
) strict, without rowid;
