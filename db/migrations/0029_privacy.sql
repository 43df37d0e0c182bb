-- Who sees what somebody wrote (D72): everybody whom the profile lets in, their followers, or themselves alone.

alter table users add column privacy text not null default 'members' check (privacy in ('public', 'members', 'private'));
-- For entries that do not say it themselves.
alter table users add column private_by_default integer not null default 0 check (private_by_default in (0, 1));
alter table users add column comments_from text not null default 'everyone'
  check (comments_from in ('everyone', 'following', 'nobody'));
-- In the directory of members, and among suggestions.
alter table users add column listed integer not null default 1 check (listed in (0, 1));
-- For search engines, if the profile is public.
alter table users add column indexable integer not null default 0 check (indexable in (0, 1));

-- Profiles that are in no list but those that name them, which are few.
create index users_private on users (id) where privacy = 'private';

-- `private`: its writer keeps it to themselves. `hidden_by`: the administrator who hid it, who may be gone. `withheld` is the
-- level that follows from these and from the profile, kept by triggers (db/facts/withheld.ts): 0 shared, 1 for followers,
-- 2 its owner's own.
alter table records add column private integer not null default 0 check (private in (0, 1));
alter table records add column hidden_by integer;
alter table records add column withheld integer not null default 0 check (withheld between 0 and 2);
alter table reviews add column private integer not null default 0 check (private in (0, 1));
alter table reviews add column hidden_by integer;
alter table reviews add column withheld integer not null default 0 check (withheld between 0 and 2);
alter table statuses add column private integer not null default 0 check (private in (0, 1));
alter table statuses add column hidden_by integer;
alter table statuses add column withheld integer not null default 0 check (withheld between 0 and 2);

-- Of an activity about a status, whether that was private: the status itself may be gone.
alter table activities add column private integer not null default 0 check (private in (0, 1));
alter table activities add column withheld integer not null default 0 check (withheld between 0 and 2);
alter table follows add column withheld integer not null default 0 check (withheld between 0 and 2);
alter table favorites add column withheld integer not null default 0 check (withheld between 0 and 2);

-- How many rows of a table are not shared: lists take them from all rows, which SQLite counts by the page.
create table withheld_rows (
  id integer primary key,
  table_name text not null unique,
  number integer not null default 0 check (number >= 0)
) strict;

insert into withheld_rows (table_name) values ('records'), ('reviews'), ('activities'), ('follows');

-- Profiles whose rows are being moved to another level, in pieces: until then they are seen as at the higher of both.
create table privacy_moves (
  user_id integer primary key references users (id) on delete cascade,
  level integer not null check (level between 0 and 2),
  began_at integer not null
) strict;

-- Neither of the two sees anything of the other.
create table blocks (
  user_id integer not null references users (id),
  blocked_id integer not null references users (id),
  created_at integer not null,
  primary key (user_id, blocked_id),
  check (user_id <> blocked_id)
) strict, without rowid;

create index blocks_blocked on blocks (blocked_id, user_id);

-- Of private profiles (D76). One that was declined is kept for a while, so that it is not made again.
create table follow_requests (
  id integer primary key autoincrement,
  follower_id integer not null references users (id),
  followed_id integer not null references users (id),
  created_at integer not null,
  declined_at integer,
  unique (follower_id, followed_id),
  check (follower_id <> followed_id)
) strict;

create index follow_requests_followed on follow_requests (followed_id, id);

-- Whether a row is withheld stands in each index, so that rows are passed over without being read. Lists of everybody's rows
-- hold shared ones only (D73), and so do the indexes that serve nothing else.

drop index records_episode;
drop index records_work;
drop index records_user;
drop index records_work_liked;
drop index records_user_episode;
drop index records_user_work;
drop index records_keys;
drop index records_commented;
drop index records_liked;
drop index records_liked_desc;
create index records_episode on records (episode_id, id, likes_count, has_comment, user_id, withheld);
create index records_work on records (work_id, id, likes_count, has_comment, user_id, episode_id, withheld);
create index records_user on records (user_id, id, likes_count, has_comment, work_id, withheld);
create index records_work_liked on records (work_id, likes_count, id, withheld) where likes_count > 0;
create index records_user_episode on records (user_id, episode_id, lap, withheld);
create index records_user_work on records (user_id, work_id, watched_at, watched_at_precision, lap, rating_state, withheld);
create index records_keys on records (id, likes_count, has_comment) where withheld = 0;
create index records_commented on records (id, likes_count) where comment <> '' and withheld = 0;
create index records_liked on records (likes_count, id, has_comment) where likes_count > 0 and withheld = 0;
create index records_liked_desc on records (likes_count desc, id, has_comment) where likes_count > 0 and withheld = 0;

drop index reviews_work;
drop index reviews_user;
drop index reviews_user_work;
drop index reviews_bodied;
drop index reviews_liked;
drop index reviews_liked_desc;
create index reviews_work on reviews (work_id, id, likes_count, has_body, user_id, withheld);
create index reviews_user on reviews (user_id, id, likes_count, has_body, work_id, withheld);
create index reviews_user_work on reviews (user_id, work_id, withheld);
create index reviews_keys on reviews (id, likes_count, has_body) where withheld = 0;
create index reviews_bodied on reviews (id, likes_count) where body <> '' and withheld = 0;
create index reviews_liked on reviews (likes_count, id, has_body) where likes_count > 0 and withheld = 0;
create index reviews_liked_desc on reviews (likes_count desc, id, has_body) where likes_count > 0 and withheld = 0;

drop index statuses_work;
drop index statuses_kind;
create index statuses_work on statuses (work_id, kind, withheld);
create index statuses_kind on statuses (user_id, kind, work_id, withheld);

drop index activities_user;
drop index activities_action;
drop index activities_record;
drop index activities_review;
create index activities_user on activities (user_id, id, action, token_id, withheld);
create index activities_action on activities (action, id) where withheld = 0;
create index activities_record on activities (record_id, withheld) where record_id is not null;
create index activities_review on activities (review_id, withheld) where review_id is not null;
create index activities_keys on activities (id) where withheld = 0;

drop index follows_follower;
drop index follows_followed;
create index follows_follower on follows (follower_id, id, followed_id, withheld);
create index follows_followed on follows (followed_id, id, follower_id, withheld);
create index follows_keys on follows (id) where withheld = 0;
