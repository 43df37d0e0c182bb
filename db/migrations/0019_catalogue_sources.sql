-- The catalogue sources of this instance, as the administrator has configured them. A source without a row is disabled.

create table catalogue_sources (
  name text primary key,
  is_enabled integer not null default 0 check (is_enabled in (0, 1)),
  -- A URL, or a folder or file on this machine.
  location text,
  -- The administrator's own token at the source; never shown.
  token text,
  -- What the source remembers from its last successful run; JSON.
  state text not null default '{}' check (json_valid(state)),
  next_run_at integer,
  -- Consecutive failed runs.
  failures integer not null default 0
) strict, without rowid;

-- Each run of a source; kept for 90 days. One without an end is running, or was interrupted and will be resumed.
create table catalogue_runs (
  id integer primary key autoincrement,
  source text not null,
  cause text not null check (cause in ('schedule', 'command', 'page')),
  is_dry_run integer not null check (is_dry_run in (0, 1)),
  -- What the run was about; JSON.
  scope text not null check (json_valid(scope)),
  -- What the source remembered when the run began; JSON.
  state text not null default '{}' check (json_valid(state)),
  started_at integer not null,
  ended_at integer,
  outcome text check (outcome in ('done', 'unchanged', 'unreachable', 'not_understood', 'held_back', 'refused', 'failed')),
  -- Why nothing was imported, in one line.
  message text,
  requests integer not null default 0,
  not_modified integer not null default 0,
  -- Bytes received, after decompression.
  bytes integer not null default 0,
  -- The import's report with the most visible changes; JSON.
  report text check (report is null or json_valid(report)),
  check ((ended_at is null) = (outcome is null))
) strict;

create index catalogue_runs_source on catalogue_runs (source, id);

-- The answers of a run, stored in files next to the database: to resume, to examine a bad run, for conditional requests.
create table catalogue_answers (
  run_id integer not null references catalogue_runs (id) on delete cascade,
  -- From 1, in the order of requests.
  number integer not null,
  url text not null,
  -- The kind of answer.
  kind text not null,
  -- The body sent by POST; JSON.
  posted text,
  etag text,
  last_modified text,
  -- 1: the same as in an earlier run.
  is_unmodified integer not null default 0 check (is_unmodified in (0, 1)),
  -- Size of the compressed file.
  bytes integer not null,
  primary key (run_id, number)
) strict, without rowid;

-- Requests to each host by all processes: the buckets that keep the declared pace.
create table source_hosts (
  host text primary key,
  -- When the next request may be sent.
  free_at integer not null,
  hour_began_at integer not null,
  in_hour integer not null,
  day_began_at integer not null,
  in_day integer not null
) strict, without rowid;
