-- Works are favourites too, in an order of their own. The check that exactly one thing is named cannot be altered.
create table new_favorites (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  work_id integer references works (id),
  character_id integer references characters (id),
  person_id integer references people (id),
  organization_id integer references organizations (id),
  -- Of a work among those of its user, the first one first; gaps and ties are allowed.
  position integer,
  created_at integer not null,
  withheld integer not null default 0 check (withheld between 0 and 2),
  check (
    (work_id is not null) + (character_id is not null) + (person_id is not null) + (organization_id is not null) = 1
  ),
  check ((position is null) = (work_id is null))
) strict;

insert into new_favorites (id, user_id, character_id, person_id, organization_id, created_at, withheld)
select id, user_id, character_id, person_id, organization_id, created_at, withheld from favorites;

-- Ids are never used again.
update sqlite_sequence set seq = (select seq from sqlite_sequence where name = 'favorites')
where name = 'new_favorites' and exists (select 1 from sqlite_sequence where name = 'favorites');

drop table favorites;
alter table new_favorites rename to favorites;

create unique index favorites_work on favorites (work_id, user_id) where work_id is not null;
create unique index favorites_character on favorites (character_id, user_id) where character_id is not null;
create unique index favorites_person on favorites (person_id, user_id) where person_id is not null;
create unique index favorites_organization on favorites (organization_id, user_id) where organization_id is not null;
create index favorites_user on favorites (user_id);
