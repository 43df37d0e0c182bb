-- Merges and splits by hand, which take several writes and can be undone for 30 days (D97).
create table catalogue_merges (
  change_id integer primary key references catalogue_changes (id) on delete cascade,
  task text not null check (task in ('merge', 'split')),
  -- Of both rows, as in redirects.
  kind text not null,
  from_id integer not null,
  to_id integer not null,
  state text not null default 'moving' check (state in ('moving', 'moved', 'parting', 'parted')),
  -- How many rows were to move when it began.
  total integer not null default 0,
  -- The change that undoes it.
  undo_id integer references catalogue_changes (id) on delete set null,
  -- Of a split: JSON of the ids of the episodes that go.
  episode_ids text not null default '[]' check (json_valid(episode_ids))
) strict;

create index catalogue_merges_open on catalogue_merges (change_id) where state in ('moving', 'parting');
create index catalogue_merges_from on catalogue_merges (kind, from_id);
create index catalogue_merges_to on catalogue_merges (kind, to_id);

-- Whose row it is that a merge dropped or joined: it goes with the account.
alter table catalogue_moves add column user_id integer references users (id);
create index catalogue_moves_user on catalogue_moves (user_id) where user_id is not null;
