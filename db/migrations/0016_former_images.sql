-- The picture before the present one of each owner, to go back to for 30 days; columns as in `images`.

create table former_images (
  id integer primary key autoincrement,
  kind text not null check (kind in ('cover', 'avatar')),
  hash text not null check (length(hash) = 32),
  work_id integer references works (id),
  user_id integer references users (id) on delete cascade,
  origin text not null check (origin in ('upload', 'fetch')),
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  placeholder text not null,
  created_at integer not null,
  -- since when it is no longer shown
  replaced_at integer not null,
  check ((kind = 'cover') = (work_id is not null)),
  check (kind = 'cover' or user_id is not null)
) strict;

create unique index former_images_cover on former_images (work_id, ifnull(user_id, 0)) where work_id is not null;
create unique index former_images_avatar on former_images (user_id) where work_id is null;
create index former_images_user on former_images (user_id);
create index former_images_hash on former_images (hash);
create index former_images_replaced on former_images (replaced_at);
