-- Every counter the API shows, kept in the transaction of the row it counts (D40), and the ranks that let a list
-- find its n-th row without walking there.

create trigger records_insert after insert on records begin
  update users set records_count = records_count + 1, version = version + 1 where id = new.user_id;
  update episodes set records_count = records_count + 1,
    record_comments_count = record_comments_count + (new.comment <> ''), version = version + 1 where id = new.episode_id;
end;

create trigger records_delete after delete on records begin
  update users set records_count = records_count - 1, version = version + 1 where id = old.user_id;
  update episodes set records_count = records_count - 1,
    record_comments_count = record_comments_count - (old.comment <> ''), version = version + 1 where id = old.episode_id;
end;

create trigger records_comment_change after update of comment on records when (old.comment <> '') <> (new.comment <> '') begin
  update episodes set record_comments_count = record_comments_count + (new.comment <> '') - (old.comment <> ''),
    version = version + 1 where id = new.episode_id;
end;

create trigger records_move after update of episode_id on records when old.episode_id <> new.episode_id begin
  update episodes set records_count = records_count - 1,
    record_comments_count = record_comments_count - (new.comment <> ''), version = version + 1 where id = old.episode_id;
  update episodes set records_count = records_count + 1,
    record_comments_count = record_comments_count + (new.comment <> ''), version = version + 1 where id = new.episode_id;
end;

-- A record and what tells of it are about the work that its episode belongs to.

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

create trigger reviews_insert after insert on reviews begin
  update works set reviews_count = reviews_count + 1, version = version + 1 where id = new.work_id;
end;

create trigger reviews_delete after delete on reviews begin
  update works set reviews_count = reviews_count - 1, version = version + 1 where id = old.work_id;
end;

create trigger reviews_move after update of work_id on reviews when old.work_id <> new.work_id begin
  update works set reviews_count = reviews_count - 1, version = version + 1 where id = old.work_id;
  update works set reviews_count = reviews_count + 1, version = version + 1 where id = new.work_id;
end;

-- A work is watched by those who want to watch it, watch it, or have watched it (D37).

create trigger statuses_insert after insert on statuses begin
  update users set wanna_watch_count = wanna_watch_count + (new.kind = 'wanna_watch'), watching_count = watching_count + (new.kind = 'watching'), watched_count = watched_count + (new.kind = 'watched'), on_hold_count = on_hold_count + (new.kind = 'on_hold'), stop_watching_count = stop_watching_count + (new.kind = 'stop_watching'),
    version = version + 1 where id = new.user_id;
  update works set watchers_count = watchers_count + 1, version = version + 1
  where id = new.work_id and new.kind in ('wanna_watch', 'watching', 'watched');
end;

create trigger statuses_delete after delete on statuses begin
  update users set wanna_watch_count = wanna_watch_count - (old.kind = 'wanna_watch'), watching_count = watching_count - (old.kind = 'watching'), watched_count = watched_count - (old.kind = 'watched'), on_hold_count = on_hold_count - (old.kind = 'on_hold'), stop_watching_count = stop_watching_count - (old.kind = 'stop_watching'),
    version = version + 1 where id = old.user_id;
  update works set watchers_count = watchers_count - 1, version = version + 1
  where id = old.work_id and old.kind in ('wanna_watch', 'watching', 'watched');
end;

create trigger statuses_change after update of kind, work_id on statuses begin
  update users set wanna_watch_count = wanna_watch_count - (old.kind = 'wanna_watch'), watching_count = watching_count - (old.kind = 'watching'), watched_count = watched_count - (old.kind = 'watched'), on_hold_count = on_hold_count - (old.kind = 'on_hold'), stop_watching_count = stop_watching_count - (old.kind = 'stop_watching'),
    version = version + 1 where id = old.user_id;
  update works set watchers_count = watchers_count - 1, version = version + 1
  where id = old.work_id and old.kind in ('wanna_watch', 'watching', 'watched');
  update users set wanna_watch_count = wanna_watch_count + (new.kind = 'wanna_watch'), watching_count = watching_count + (new.kind = 'watching'), watched_count = watched_count + (new.kind = 'watched'), on_hold_count = on_hold_count + (new.kind = 'on_hold'), stop_watching_count = stop_watching_count + (new.kind = 'stop_watching'),
    version = version + 1 where id = new.user_id;
  update works set watchers_count = watchers_count + 1, version = version + 1
  where id = new.work_id and new.kind in ('wanna_watch', 'watching', 'watched');
end;

create trigger likes_insert after insert on likes begin
  update records set likes_count = likes_count + 1, version = version + 1 where id = new.record_id;
  update reviews set likes_count = likes_count + 1, version = version + 1 where id = new.review_id;
end;

create trigger follows_insert after insert on follows begin
  update users set followings_count = followings_count + 1, version = version + 1 where id = new.follower_id;
  update users set followers_count = followers_count + 1, version = version + 1 where id = new.followed_id;
end;

create trigger favorites_insert after insert on favorites begin
  update characters set favorite_characters_count = favorite_characters_count + 1, version = version + 1
  where id = new.character_id;
  update people set favorite_people_count = favorite_people_count + 1, version = version + 1 where id = new.person_id;
  update organizations set favorite_organizations_count = favorite_organizations_count + 1, version = version + 1
  where id = new.organization_id;
end;

create trigger favorites_move after update of character_id, person_id, organization_id on favorites begin
  update characters set favorite_characters_count = favorite_characters_count - 1, version = version + 1
  where id = old.character_id;
  update people set favorite_people_count = favorite_people_count - 1, version = version + 1 where id = old.person_id;
  update organizations set favorite_organizations_count = favorite_organizations_count - 1, version = version + 1
  where id = old.organization_id;
  update characters set favorite_characters_count = favorite_characters_count + 1, version = version + 1
  where id = new.character_id;
  update people set favorite_people_count = favorite_people_count + 1, version = version + 1 where id = new.person_id;
  update organizations set favorite_organizations_count = favorite_organizations_count + 1, version = version + 1
  where id = new.organization_id;
end;

create trigger notifications_insert after insert on notifications when new.read_at is null begin
  update users set notifications_count = notifications_count + 1, version = version + 1 where id = new.user_id;
end;

create trigger likes_delete after delete on likes begin
  update records set likes_count = likes_count - 1, version = version + 1 where id = old.record_id;
  update reviews set likes_count = likes_count - 1, version = version + 1 where id = old.review_id;
end;

create trigger follows_delete after delete on follows begin
  update users set followings_count = followings_count - 1, version = version + 1 where id = old.follower_id;
  update users set followers_count = followers_count - 1, version = version + 1 where id = old.followed_id;
end;

create trigger favorites_delete after delete on favorites begin
  update characters set favorite_characters_count = favorite_characters_count - 1, version = version + 1
  where id = old.character_id;
  update people set favorite_people_count = favorite_people_count - 1, version = version + 1 where id = old.person_id;
  update organizations set favorite_organizations_count = favorite_organizations_count - 1, version = version + 1
  where id = old.organization_id;
end;

create trigger notifications_delete after delete on notifications when old.read_at is null begin
  update users set notifications_count = notifications_count - 1, version = version + 1 where id = old.user_id;
end;

-- What a feed of followed users is kept up to date by: whom its owner follows and mutes, and what was deleted.

alter table users add column feed_version integer not null default 0;

create table activity_deletions (
  id integer primary key autoincrement,
  activity_id integer not null
) strict;

create trigger activities_delete after delete on activities begin
  insert into activity_deletions (activity_id) values (old.id);
  delete from activity_deletions where id <= (select max(id) from activity_deletions) - 10000;
end;

create trigger follows_feed_insert after insert on follows begin
  update users set feed_version = feed_version + 1, version = version + 1 where id = new.follower_id;
end;

create trigger follows_feed_delete after delete on follows begin
  update users set feed_version = feed_version + 1, version = version + 1 where id = old.follower_id;
end;

create trigger mutes_feed_insert after insert on mutes begin
  update users set feed_version = feed_version + 1, version = version + 1 where id = new.user_id;
end;

create trigger mutes_feed_delete after delete on mutes begin
  update users set feed_version = feed_version + 1, version = version + 1 where id = old.user_id;
end;

create trigger notifications_read after update of read_at on notifications
when (old.read_at is null) <> (new.read_at is null) begin
  update users set notifications_count = notifications_count + iif(new.read_at is null, 1, -1), version = version + 1
  where id = new.user_id;
end;

-- An activity about several records goes with the last of them (D42).
create trigger activity_records_delete after delete on activity_records begin
  delete from activities where id = old.activity_id and action = 'create_multiple_records'
    and not exists (select 1 from activity_records where activity_id = old.activity_id);
end;

-- See 0008_versions.

create trigger records_version after update on records when new.version = old.version begin
  update records set version = old.version + 1 where id = new.id;
end;

create trigger reviews_version after update on reviews when new.version = old.version begin
  update reviews set version = old.version + 1 where id = new.id;
end;

create trigger activities_version after update on activities when new.version = old.version begin
  update activities set version = old.version + 1 where id = new.id;
end;

create trigger follows_version after update on follows when new.version = old.version begin
  update follows set version = old.version + 1 where id = new.id;
end;

create trigger notifications_version after update on notifications when new.version = old.version begin
  update notifications set version = old.version + 1 where id = new.id;
end;
