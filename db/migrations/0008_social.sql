-- Who follows and mutes whom, and notifications.

create table follows (
  id integer primary key autoincrement,
  follower_id integer not null references users (id),
  followed_id integer not null references users (id),
  created_at integer not null,
  version integer not null default 1,
  unique (follower_id, followed_id),
  check (follower_id <> followed_id)
) strict;

create index follows_follower on follows (follower_id, id);
create index follows_followed on follows (followed_id, id);

create table mutes (
  user_id integer not null references users (id),
  muted_id integer not null references users (id),
  created_at integer not null,
  primary key (user_id, muted_id),
  check (user_id <> muted_id)
) strict, without rowid;

create index mutes_muted on mutes (muted_id);

-- Tells a user of a like or a new follower, and is deleted with it.
create table notifications (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  actor_id integer not null references users (id),
  like_id integer references likes (id) on delete cascade,
  follow_id integer references follows (id) on delete cascade,
  read_at integer,
  created_at integer not null,
  version integer not null default 1,
  check ((like_id is null) <> (follow_id is null))
) strict;

create index notifications_user on notifications (user_id, id);
create index notifications_unread on notifications (user_id, (read_at is null), id);
create unique index notifications_like on notifications (like_id) where like_id is not null;
create unique index notifications_follow on notifications (follow_id) where follow_id is not null;
create index notifications_actor on notifications (actor_id);
