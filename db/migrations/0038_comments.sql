-- What members write under a record or a review (D77), seen by whoever sees that.
create table comments (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  -- Whose record or review it is.
  owner_id integer not null references users (id),
  record_id integer references records (id) on delete cascade,
  review_id integer references reviews (id) on delete cascade,
  body text not null check (length(body) between 1 and 1000),
  -- The administrator who hid it, who may be gone.
  hidden_by integer,
  created_at integer not null,
  version integer not null default 1,
  check ((record_id is null) <> (review_id is null))
) strict;

create index comments_record on comments (record_id, id) where record_id is not null;
create index comments_review on comments (review_id, id) where review_id is not null;
create index comments_user on comments (user_id, created_at);
create index comments_owner on comments (owner_id, id);

alter table reviews add column comments_count integer not null default 0 check (comments_count >= 0);

-- What was deleted with something of somebody else: a comment that its writer took back stays away.
create index changes_fallen on changes (work_id) where fallen is not null;

-- One row for each thing that a person is told of, deleted with it (D118). `kind` is the API's `action`; a check would cost a
-- new table for each kind that is added. Without one are those of likes that an undo of an earlier version brings back. The
-- system tells of some things: then nobody is the actor.
create table new_notifications (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  kind text not null default 'like',
  actor_id integer references users (id),
  like_id integer references likes (id) on delete cascade,
  follow_id integer references follows (id) on delete cascade,
  comment_id integer references comments (id) on delete cascade,
  read_at integer,
  created_at integer not null,
  version integer not null default 1
) strict;

insert into new_notifications (id, user_id, kind, actor_id, like_id, follow_id, read_at, created_at, version)
select id, user_id, iif(follow_id is null, 'like', 'follow'), actor_id, like_id, follow_id, read_at, created_at, version
from notifications;

-- Ids are never used again.
update sqlite_sequence set seq = (select seq from sqlite_sequence where name = 'notifications')
where name = 'new_notifications' and exists (select 1 from sqlite_sequence where name = 'notifications');

drop table notifications;
alter table new_notifications rename to notifications;

create index notifications_user on notifications (user_id, id);
create index notifications_unread on notifications (user_id, (read_at is null), id);
create unique index notifications_like on notifications (like_id) where like_id is not null;
create unique index notifications_follow on notifications (follow_id) where follow_id is not null;
create index notifications_comment on notifications (comment_id) where comment_id is not null;
create index notifications_actor on notifications (actor_id);
