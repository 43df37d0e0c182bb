-- A date on which several people watch the same together (D79).
create table meetings (
  id integer primary key autoincrement,
  -- Who invites.
  user_id integer not null references users (id),
  work_id integer not null references works (id),
  begins_at integer not null,
  location text not null check (length(location) <= 200),
  body text not null check (length(body) <= 1000),
  -- Whether all members may come, or those who are named.
  is_open integer not null check (is_open in (0, 1)),
  -- The date before, of which this is the same again.
  after_id integer unique references meetings (id) on delete set null,
  created_at integer not null,
  -- When the time or the place changed, or it was cancelled.
  changed_at integer not null,
  cancelled_at integer,
  -- When somebody pressed that they watched it, and who, who may be gone.
  done_at integer,
  done_by integer,
  -- Whether somebody for whom it is to be recorded still waits for that.
  marks_open integer not null default 0 check (marks_open in (0, 1)),
  -- When people were told that it begins within an hour.
  reminded_at integer,
  check ((done_at is null) = (done_by is null))
) strict;

create index meetings_user on meetings (user_id, begins_at);
create index meetings_work on meetings (work_id, begins_at);
create index meetings_due on meetings (begins_at)
  where reminded_at is null and done_at is null and cancelled_at is null;

create index meetings_marks_open on meetings (id) where marks_open = 1;

create table meeting_episodes (
  meeting_id integer not null references meetings (id) on delete cascade,
  episode_id integer not null references episodes (id),
  primary key (meeting_id, episode_id)
) strict, without rowid;

create index meeting_episodes_episode on meeting_episodes (episode_id);

create table meeting_people (
  meeting_id integer not null references meetings (id) on delete cascade,
  user_id integer not null references users (id),
  -- Null: asked, and not answered yet.
  answer text check (answer in ('in', 'maybe', 'out')),
  -- Whether it is recorded for them when somebody presses that they watched it.
  marks_too integer not null default 0 check (marks_too in (0, 1)),
  answered_at integer,
  -- When it was recorded for them, and the activity of that, which may be gone.
  marked_at integer,
  activity_id integer,
  primary key (meeting_id, user_id)
) strict, without rowid;

create index meeting_people_user on meeting_people (user_id, meeting_id);
create index meeting_people_activity on meeting_people (activity_id) where activity_id is not null;

-- What members write under a date, besides records and reviews. The table is made anew, as its condition changes; what tells of
-- a comment would be deleted with it.
create temp table told_comments as select id, comment_id from notifications where comment_id is not null;
update notifications set comment_id = null where comment_id is not null;

create table new_comments (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  -- Whose record, review or date it is.
  owner_id integer not null references users (id),
  record_id integer references records (id) on delete cascade,
  review_id integer references reviews (id) on delete cascade,
  meeting_id integer references meetings (id) on delete cascade,
  body text not null check (length(body) between 1 and 1000),
  -- The administrator who hid it, who may be gone.
  hidden_by integer,
  created_at integer not null,
  version integer not null default 1,
  check ((record_id is not null) + (review_id is not null) + (meeting_id is not null) = 1)
) strict;

insert into new_comments (id, user_id, owner_id, record_id, review_id, body, hidden_by, created_at, version)
select id, user_id, owner_id, record_id, review_id, body, hidden_by, created_at, version from comments;

-- Ids are never used again.
update sqlite_sequence set seq = (select seq from sqlite_sequence where name = 'comments')
where name = 'new_comments' and exists (select 1 from sqlite_sequence where name = 'comments');

drop table comments;
alter table new_comments rename to comments;

create index comments_record on comments (record_id, id) where record_id is not null;
create index comments_review on comments (review_id, id) where review_id is not null;
create index comments_meeting on comments (meeting_id, id) where meeting_id is not null;
create index comments_user on comments (user_id, created_at);
create index comments_owner on comments (owner_id, id);

update notifications set comment_id = (select comment_id from told_comments where told_comments.id = notifications.id)
where id in (select id from told_comments);
drop table told_comments;

-- What a notification of a date says: `asked`, `moved`, `cancelled`, `soon`, `watched`.
alter table notifications add column meeting_id integer references meetings (id) on delete cascade;
alter table notifications add column meeting_step text;
create unique index notifications_meeting on notifications (meeting_id, user_id, meeting_step) where meeting_id is not null;
