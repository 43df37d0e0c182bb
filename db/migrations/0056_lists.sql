-- Lists of works that people make (D88). A private profile narrows who sees them.
create table lists (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  name text not null check (length(name) between 1 and 100),
  text text not null default '' check (length(text) <= 2000),
  visibility text not null check (visibility in ('public', 'members', 'private')),
  is_ordered integer not null default 0 check (is_ordered in (0, 1)),
  -- Of works that are shown.
  items_count integer not null default 0 check (items_count >= 0),
  withheld integer not null default 0,
  created_at integer not null,
  -- Also when its works change.
  updated_at integer not null,
  version integer not null default 1
) strict;

create index lists_user on lists (user_id, id, withheld);

create table list_works (
  id integer primary key autoincrement,
  list_id integer not null references lists (id) on delete cascade,
  -- Whose list it is.
  user_id integer not null references users (id),
  work_id integer not null references works (id),
  -- A move takes the middle of its neighbours.
  place real not null,
  -- Up to 500 characters, and more where a merge joined two.
  note text not null default '',
  added_at integer not null,
  unique (list_id, work_id)
) strict;

create index list_works_place on list_works (list_id, place, id);
create index list_works_work on list_works (work_id, list_id);
create index list_works_user on list_works (user_id, id);

insert into withheld_rows (table_name) values ('lists');

-- What an act on a list was about; 0 for none. An act on a list alone has no work.
alter table acts add column list_id integer not null default 0;
