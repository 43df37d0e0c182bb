-- The catalogue by hand (catalogue-editing.md): who may, what was changed, and what sources say instead.

-- Beside administrators, who edit too (D93).
alter table users add column is_editor integer not null default 0 check (is_editor in (0, 1));

-- Whether the list of episodes is what sources say, or by hand: grows though some are listed, or is complete.
alter table works add column list_state text not null default '' check (list_state in ('', 'grows', 'complete'));

-- From 1; null for the place by date.
alter table series_works add column position integer;

-- What a person removed by hand (D94): no source adds it to the work again. `value` is a title in `work_aliases`, an id in
-- `series_works`, a site, a line feed and an id in `streams`.
create table removed_parts (
  work_id integer not null references works (id),
  table_name text not null check (table_name in ('work_aliases', 'series_works', 'streams')),
  value text not null,
  primary key (work_id, table_name, value)
) strict, without rowid;

-- What a source last said about a field that is by hand. `kind` and `field` as in catalogue_change_fields.
create table source_values (
  kind text not null,
  row_id integer not null,
  field text not null,
  source_id integer not null references sources (id),
  -- JSON
  value text not null,
  seen_at integer not null,
  primary key (kind, row_id, field, source_id)
) strict, without rowid;

-- What somebody would change who may only suggest it. The author and editors see it.
create table catalogue_proposals (
  id integer primary key autoincrement,
  -- The form it came from; that of the change it becomes.
  kind text not null,
  -- 0: about no work.
  work_id integer not null,
  subject_kind text not null,
  -- 0: of a row that is not there yet.
  subject_id integer not null,
  user_id integer not null references users (id),
  state text not null default 'open' check (state in ('open', 'accepted', 'rejected', 'withdrawn')),
  -- The changes of fields: JSON of src/catalogue/edit.
  content text not null check (json_valid(content)),
  source_url text not null,
  reason text not null default '',
  -- Why it was rejected.
  answer text not null default '',
  -- The editor, who may be gone.
  decided_by integer,
  decided_at integer,
  created_at integer not null,
  -- Also when its author changes it.
  updated_at integer not null,
  check ((state = 'open') = (decided_at is null))
) strict;

create index catalogue_proposals_open on catalogue_proposals (id) where state = 'open';
create index catalogue_proposals_user on catalogue_proposals (user_id, created_at);
create index catalogue_proposals_work on catalogue_proposals (work_id, id) where state = 'open';

-- A change of the catalogue by a person, or of a described row by a source (D95).
create table catalogue_changes (
  id integer primary key autoincrement,
  kind text not null check (kind in (
    'edit', 'create', 'hide', 'show', 'episodes', 'programs', 'credits', 'merge', 'split', 'undo', 'source')),
  -- The work whose history it is in, also after that was merged into another; 0: none.
  work_id integer not null,
  -- The row that the form was about.
  subject_kind text not null check (subject_kind in (
    'series', 'work', 'episode', 'channel_group', 'channel', 'program', 'person', 'organization', 'character', 'cast', 'staff')),
  subject_id integer not null,
  -- Null: a former member, or a source.
  user_id integer references users (id) on delete set null,
  -- The editor who accepted it from a proposal; may be gone.
  accepted_by integer,
  -- Null: by a person.
  source_id integer references sources (id),
  run_id integer references catalogue_runs (id) on delete set null,
  proposal_id integer references catalogue_proposals (id) on delete set null,
  undoes_id integer references catalogue_changes (id) on delete set null,
  source_url text not null default '',
  reason text not null default '',
  created_at integer not null
) strict;

create index catalogue_changes_work on catalogue_changes (work_id, id);
create index catalogue_changes_subject on catalogue_changes (subject_kind, subject_id, id);
create index catalogue_changes_user on catalogue_changes (user_id, created_at) where user_id is not null;
create index catalogue_changes_by_hand on catalogue_changes (id) where source_id is null;
create index catalogue_changes_age on catalogue_changes (created_at) where source_id is not null;
create index catalogue_changes_undoes on catalogue_changes (undoes_id) where undoes_id is not null;
create index catalogue_changes_run on catalogue_changes (run_id) where run_id is not null;
create index catalogue_changes_proposal on catalogue_changes (proposal_id) where proposal_id is not null;

-- A field of a row: a column; `ids.` and a namespace; `aliases.` and a title, `series.` and an id, `streams.` and a site, a line
-- feed and an id; `hidden`; or `*` for the whole row, null where it was not there.
create table catalogue_change_fields (
  change_id integer not null references catalogue_changes (id) on delete cascade,
  kind text not null,
  row_id integer not null,
  field text not null,
  -- JSON. Of `aliases.`, `series.` and `streams.`: the sources that list it.
  before text,
  after text,
  -- The entry in `owners`; null: none, so that it was the row's own source.
  owner_before integer,
  owner_after integer,
  primary key (change_id, kind, row_id, field)
) strict, without rowid;

create index catalogue_change_fields_row on catalogue_change_fields (kind, row_id, change_id);

-- What a merge or a split moved, for its undo within 30 days (D97).
create table catalogue_moves (
  id integer primary key autoincrement,
  change_id integer not null references catalogue_changes (id) on delete cascade,
  table_name text not null,
  column_name text not null,
  from_id integer not null,
  to_id integer not null,
  -- JSON: a list of the keys of moved rows.
  keys text not null default '[]' check (json_valid(keys)),
  -- JSON: dropped or joined rows, whole, as they were.
  rows text not null default '[]' check (json_valid(rows))
) strict;

create index catalogue_moves_change on catalogue_moves (change_id, id);

-- A broadcast by hand that comes back: its programmes are rows of source 1.
create table program_slots (
  id integer primary key autoincrement,
  work_id integer not null references works (id),
  channel_id integer not null references channels (id),
  -- `YYYY-MM-DD` and `HH:MM` in Japan, up to 29:59.
  begins_on text not null,
  at text not null,
  -- Days from one to the next.
  every integer not null default 7 check (every between 1 and 366),
  -- Null: until the list ends.
  weeks integer check (weeks between 1 and 400),
  -- Weeks without a broadcast: JSON, numbers from 1.
  skips text not null default '[]' check (json_valid(skips)),
  -- The place in the list of episodes, from 1, of the first; and how many come at once on the first day.
  first_episode integer not null default 1,
  at_once integer not null default 1 check (at_once >= 1),
  is_rebroadcast integer not null default 0 check (is_rebroadcast in (0, 1)),
  created_at integer not null
) strict;

create index program_slots_work on program_slots (work_id);
create index program_slots_channel on program_slots (channel_id);

alter table programs add column slot_id integer references program_slots (id) on delete set null;
create index programs_of_slot on programs (slot_id) where slot_id is not null;

-- Works that look like one, found when an import ends or a title changes. The smaller id comes first.
create table twin_works (
  work_id integer not null,
  other_id integer not null,
  -- 1: a person said that they are not the same.
  is_denied integer not null default 0 check (is_denied in (0, 1)),
  -- Who said so; may be gone.
  denied_by integer,
  denied_at integer,
  found_at integer not null,
  primary key (work_id, other_id),
  check (work_id < other_id)
) strict, without rowid;

create index twin_works_other on twin_works (other_id);

alter table notifications add column proposal_id integer references catalogue_proposals (id) on delete cascade;
create index notifications_proposal on notifications (proposal_id) where proposal_id is not null;
