-- Addresses to which players report what was watched (src/scrobble). They allow nothing else.
create table hooks (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  player text not null check (player in ('jellyfin', 'plex', 'emby', 'kodi', 'tautulli', 'trakt', 'generic')),
  name text not null check (name <> ''),
  secret_hash blob not null unique check (length(secret_hash) = 32),
  -- Only plays of this user of the player; '' for any.
  player_user text not null default '',
  -- Who spoke first.
  heard_user text not null default '',
  -- Percent of an episode from which on it counts as watched, where the player does not say so itself.
  threshold integer not null default 80 check (threshold between 1 and 100),
  set_status integer not null default 1 check (set_status in (0, 1)),
  dry_run integer not null default 0 check (dry_run in (0, 1)),
  activity integer not null default 0 check (activity in (0, 1)),
  created_at integer not null,
  last_used_at integer,
  revoked_at integer
) strict;

create index hooks_user on hooks (user_id, id);

-- What they reported, for 30 days. Works may have been merged or deleted since.
create table deliveries (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  -- Null for what came with a token.
  hook_id integer references hooks (id) on delete cascade,
  received_at integer not null,
  -- As it came, of the newest ones.
  body text,
  -- JSON of src/scrobble/report.ts; what is decided again.
  report text not null check (json_valid(report)),
  -- The first of the keys of its series and season, where choices are kept.
  series_key text,
  result text not null check (result in ('recorded', 'duplicate', 'rated', 'ignored', 'unmatched')),
  reason text,
  rule text,
  work_id integer,
  episode integer,
  -- JSON arrays of ids.
  record_ids text not null default '[]' check (json_valid(record_ids)),
  proposals text not null default '[]' check (json_valid(proposals)),
  dry_run integer not null default 0 check (dry_run in (0, 1)),
  act_id integer references acts (id) on delete set null
) strict;

create index deliveries_user on deliveries (user_id, id);
create index deliveries_hook on deliveries (hook_id, received_at);
create index deliveries_act on deliveries (act_id) where act_id is not null;
create index deliveries_waiting on deliveries (user_id, series_key, id) where result = 'unmatched' and dry_run = 0;

-- Series of which nothing is to be recorded.
create table left_out_series (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  series_key text not null check (series_key <> ''),
  title text not null,
  unique (user_id, series_key)
) strict;

-- A choice that was made in an act, which recorded all that waited for it, goes with its undo; what waited waits again.
alter table list_choices add column act_id integer references acts (id) on delete set null;
create index list_choices_act on list_choices (act_id) where act_id is not null;

create trigger acts_undo_choices after update of undone_at on acts when new.undone_at is not null
begin
  update deliveries set result = 'unmatched', act_id = null, rule = null, work_id = null, episode = null, record_ids = '[]'
    where act_id = new.id and reason is not null;
  delete from list_choices where act_id = new.id;
end;
