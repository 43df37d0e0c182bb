-- What users write: records of episodes, reviews and statuses of works, and the activities about them.

create table records (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  work_id integer not null references works (id),
  episode_id integer not null references episodes (id),
  comment text not null default '',
  rating real check (rating between 0 and 5),
  rating_state text check (rating_state in ('bad', 'average', 'good', 'great')),
  is_modified integer not null default 0 check (is_modified in (0, 1)),
  likes_count integer not null default 0 check (likes_count >= 0),
  comments_count integer not null default 0 check (comments_count >= 0),
  share_twitter integer not null default 0 check (share_twitter in (0, 1)),
  share_facebook integer not null default 0 check (share_facebook in (0, 1)),
  has_comment integer generated always as (comment <> '') stored,
  -- When it was watched, how exactly that is known (D61), and when it was written; epoch milliseconds.
  watched_at integer not null,
  watched_at_precision text not null default 'time'
    check (watched_at_precision in ('time', 'day', 'month', 'year', 'none')),
  created_at integer not null,
  version integer not null default 1
) strict;

-- These cover what else a list is filtered or sorted by, so that rows are passed over without being read. The indexes by
-- likes have only rows that somebody likes, which are few: a new record costs nothing there.
create index records_episode on records (episode_id, id, likes_count, has_comment, user_id);
create index records_work on records (work_id, id, likes_count, has_comment, user_id, episode_id);
create index records_user on records (user_id, id, likes_count, has_comment, work_id);
create index records_episode_liked on records (episode_id, likes_count, id) where likes_count > 0;
create index records_work_liked on records (work_id, likes_count, id) where likes_count > 0;
create index records_user_liked on records (user_id, likes_count, id) where likes_count > 0;
create index records_user_episode on records (user_id, episode_id);
create index records_likes on records (likes_count, id);
create index records_likes_desc on records (likes_count desc, id);
create index records_comment on records (has_comment, id);
create index records_comment_likes on records (has_comment, likes_count, id);
create index records_comment_likes_desc on records (has_comment, likes_count desc, id);

create table reviews (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  work_id integer not null references works (id),
  body text not null default '',
  rating_animation_state text check (rating_animation_state in ('bad', 'average', 'good', 'great')),
  rating_music_state text check (rating_music_state in ('bad', 'average', 'good', 'great')),
  rating_story_state text check (rating_story_state in ('bad', 'average', 'good', 'great')),
  rating_character_state text check (rating_character_state in ('bad', 'average', 'good', 'great')),
  rating_overall_state text check (rating_overall_state in ('bad', 'average', 'good', 'great')),
  likes_count integer not null default 0 check (likes_count >= 0),
  impressions_count integer not null default 0 check (impressions_count >= 0),
  share_twitter integer not null default 0 check (share_twitter in (0, 1)),
  share_facebook integer not null default 0 check (share_facebook in (0, 1)),
  has_body integer generated always as (body <> '') stored,
  -- Both are there for a viewing, which is a review of a work without episodes whose body may be blank (D60).
  watched_at integer,
  watched_at_precision text check (watched_at_precision in ('time', 'day', 'month', 'year', 'none')),
  modified_at integer,
  created_at integer not null,
  version integer not null default 1,
  check ((watched_at is null) = (watched_at_precision is null))
) strict;

create index reviews_work on reviews (work_id, id, likes_count, has_body, user_id);
create index reviews_user on reviews (user_id, id, likes_count, has_body, work_id);
create index reviews_work_liked on reviews (work_id, likes_count, id) where likes_count > 0;
create index reviews_user_liked on reviews (user_id, likes_count, id) where likes_count > 0;
create index reviews_likes on reviews (likes_count, id);
create index reviews_likes_desc on reviews (likes_count desc, id);
create index reviews_body on reviews (has_body, id);
create index reviews_body_likes on reviews (has_body, likes_count, id);
create index reviews_body_likes_desc on reviews (has_body, likes_count desc, id);

-- The status a user has set on a work; no row is no_select (D36).
create table statuses (
  user_id integer not null references users (id),
  work_id integer not null references works (id),
  kind text not null check (kind in ('wanna_watch', 'watching', 'watched', 'on_hold', 'stop_watching')),
  changed_at integer not null,
  primary key (user_id, work_id)
) strict, without rowid;

create index statuses_work on statuses (work_id, kind);
create index statuses_kind on statuses (user_id, kind, work_id);

create table activities (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  work_id integer not null references works (id),
  action text not null check (action in ('create_record', 'create_review', 'create_multiple_records', 'create_status')),
  record_id integer references records (id) on delete cascade,
  review_id integer references reviews (id) on delete cascade,
  -- The kind the status activity was made with, whatever the status is since (D36).
  status_kind text check (status_kind in ('wanna_watch', 'watching', 'watched', 'on_hold', 'stop_watching')),
  created_at integer not null,
  version integer not null default 1,
  check ((action = 'create_record') = (record_id is not null)),
  check ((action = 'create_review') = (review_id is not null)),
  check ((action = 'create_status') = (status_kind is not null))
) strict;

create index activities_user on activities (user_id, id, action);
create index activities_action on activities (action, id);
create index activities_work on activities (work_id);
create index activities_record on activities (record_id) where record_id is not null;
create index activities_review on activities (review_id) where review_id is not null;

-- The records of a create_multiple_records activity, in their order.
create table activity_records (
  activity_id integer not null references activities (id) on delete cascade,
  record_id integer not null references records (id) on delete cascade,
  primary key (activity_id, record_id)
) strict, without rowid;

create index activity_records_record on activity_records (record_id);

create table likes (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  record_id integer references records (id) on delete cascade,
  review_id integer references reviews (id) on delete cascade,
  created_at integer not null,
  check ((record_id is null) <> (review_id is null))
) strict;

create unique index likes_record on likes (record_id, user_id) where record_id is not null;
create unique index likes_review on likes (review_id, user_id) where review_id is not null;
create index likes_user on likes (user_id);

-- The channels a user watches, for their programs (D39).
create table user_channels (
  user_id integer not null references users (id),
  channel_id integer not null references channels (id),
  primary key (user_id, channel_id)
) strict, without rowid;

create table favorites (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  character_id integer references characters (id),
  person_id integer references people (id),
  organization_id integer references organizations (id),
  created_at integer not null,
  check ((character_id is not null) + (person_id is not null) + (organization_id is not null) = 1)
) strict;

create unique index favorites_character on favorites (character_id, user_id) where character_id is not null;
create unique index favorites_person on favorites (person_id, user_id) where person_id is not null;
create unique index favorites_organization on favorites (organization_id, user_id) where organization_id is not null;
create index favorites_user on favorites (user_id);

-- An activity about several records is deleted with the last of them (D42).
create trigger activity_records_delete after delete on activity_records begin
  delete from activities where id = old.activity_id and action = 'create_multiple_records'
    and not exists (select 1 from activity_records where activity_id = old.activity_id);
end;

-- The last 10,000 activities that were deleted: cached feeds drop them.
create table activity_deletions (
  id integer primary key autoincrement,
  activity_id integer not null
) strict;

create trigger activities_delete after delete on activities begin
  insert into activity_deletions (activity_id) values (old.id);
  delete from activity_deletions where id <= (select max(id) from activity_deletions) - 10000;
end;

-- A record and the activities about it belong to the work of its episode.

create trigger episodes_move_records after update of work_id on episodes when old.work_id <> new.work_id begin
  update records set work_id = new.work_id, version = version + 1 where episode_id = new.id and work_id <> new.work_id;
end;

create trigger records_follow_episode after update of episode_id on records when old.episode_id <> new.episode_id begin
  update records set work_id = (select work_id from episodes where id = new.episode_id), version = version + 1
  where id = new.id;
end;

create trigger records_told after update of work_id on records when old.work_id <> new.work_id begin
  update activities set work_id = new.work_id, version = version + 1 where record_id = new.id;
end;
