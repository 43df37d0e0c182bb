-- Printed from db/facts by `bun run triggers`, and not to be changed by hand.

-- Columns that count the rows of another table.

create trigger episodes_counts_insert after insert on episodes begin
  update works set episodes_count = episodes_count + 1, version = version + 1
  where id = new.work_id and new.hidden = 0;
end;

create trigger episodes_counts_delete after delete on episodes begin
  update works set episodes_count = episodes_count - 1, version = version + 1
  where id = old.work_id and old.hidden = 0;
end;

create trigger episodes_counts_update_work_id after update of work_id, hidden on episodes
when old.work_id is not new.work_id or (old.hidden = 0) is not (new.hidden = 0) begin
  update works set episodes_count = episodes_count - 1, version = version + 1
  where id = old.work_id and old.hidden = 0;
  update works set episodes_count = episodes_count + 1, version = version + 1
  where id = new.work_id and new.hidden = 0;
end;

create trigger statuses_counts_insert after insert on statuses begin
  update works set watchers_count = watchers_count + 1, version = version + 1
  where id = new.work_id and new.kind in ('wanna_watch', 'watching', 'watched');
  update users set wanna_watch_count = wanna_watch_count + (new.kind = 'wanna_watch'),
    watching_count = watching_count + (new.kind = 'watching'),
    watched_count = watched_count + (new.kind = 'watched'),
    on_hold_count = on_hold_count + (new.kind = 'on_hold'),
    stop_watching_count = stop_watching_count + (new.kind = 'stop_watching'),
    version = version + 1
  where id = new.user_id;
end;

create trigger statuses_counts_delete after delete on statuses begin
  update works set watchers_count = watchers_count - 1, version = version + 1
  where id = old.work_id and old.kind in ('wanna_watch', 'watching', 'watched');
  update users set wanna_watch_count = wanna_watch_count - (old.kind = 'wanna_watch'),
    watching_count = watching_count - (old.kind = 'watching'),
    watched_count = watched_count - (old.kind = 'watched'),
    on_hold_count = on_hold_count - (old.kind = 'on_hold'),
    stop_watching_count = stop_watching_count - (old.kind = 'stop_watching'),
    version = version + 1
  where id = old.user_id;
end;

create trigger statuses_counts_update_work_id after update of work_id, kind on statuses
when old.work_id is not new.work_id
    or (old.kind in ('wanna_watch', 'watching', 'watched')) is not (new.kind in ('wanna_watch', 'watching', 'watched')) begin
  update works set watchers_count = watchers_count - 1, version = version + 1
  where id = old.work_id and old.kind in ('wanna_watch', 'watching', 'watched');
  update works set watchers_count = watchers_count + 1, version = version + 1
  where id = new.work_id and new.kind in ('wanna_watch', 'watching', 'watched');
end;

create trigger statuses_counts_update_user_id after update of user_id, kind on statuses
when old.user_id is not new.user_id or old.kind is not new.kind begin
  update users set wanna_watch_count = wanna_watch_count - (old.kind = 'wanna_watch'),
    watching_count = watching_count - (old.kind = 'watching'),
    watched_count = watched_count - (old.kind = 'watched'),
    on_hold_count = on_hold_count - (old.kind = 'on_hold'),
    stop_watching_count = stop_watching_count - (old.kind = 'stop_watching'),
    version = version + 1
  where id = old.user_id;
  update users set wanna_watch_count = wanna_watch_count + (new.kind = 'wanna_watch'),
    watching_count = watching_count + (new.kind = 'watching'),
    watched_count = watched_count + (new.kind = 'watched'),
    on_hold_count = on_hold_count + (new.kind = 'on_hold'),
    stop_watching_count = stop_watching_count + (new.kind = 'stop_watching'),
    version = version + 1
  where id = new.user_id;
end;

create trigger reviews_counts_insert after insert on reviews begin
  update works set reviews_count = reviews_count + 1, version = version + 1
  where id = new.work_id and new.body <> '';
end;

create trigger reviews_counts_delete after delete on reviews begin
  update works set reviews_count = reviews_count - 1, version = version + 1
  where id = old.work_id and old.body <> '';
end;

create trigger reviews_counts_update_work_id after update of work_id, body on reviews
when old.work_id is not new.work_id or (old.body <> '') is not (new.body <> '') begin
  update works set reviews_count = reviews_count - 1, version = version + 1
  where id = old.work_id and old.body <> '';
  update works set reviews_count = reviews_count + 1, version = version + 1
  where id = new.work_id and new.body <> '';
end;

create trigger records_counts_insert after insert on records begin
  update episodes set records_count = records_count + 1,
    record_comments_count = record_comments_count + (new.comment <> ''),
    version = version + 1
  where id = new.episode_id;
  update users set records_count = records_count + 1, version = version + 1
  where id = new.user_id;
end;

create trigger records_counts_delete after delete on records begin
  update episodes set records_count = records_count - 1,
    record_comments_count = record_comments_count - (old.comment <> ''),
    version = version + 1
  where id = old.episode_id;
  update users set records_count = records_count - 1, version = version + 1
  where id = old.user_id;
end;

create trigger records_counts_update_episode_id after update of episode_id, comment on records
when old.episode_id is not new.episode_id or (old.comment <> '') is not (new.comment <> '') begin
  update episodes set records_count = records_count - 1,
    record_comments_count = record_comments_count - (old.comment <> ''),
    version = version + 1
  where id = old.episode_id;
  update episodes set records_count = records_count + 1,
    record_comments_count = record_comments_count + (new.comment <> ''),
    version = version + 1
  where id = new.episode_id;
end;

create trigger records_counts_update_user_id after update of user_id on records
when old.user_id is not new.user_id begin
  update users set records_count = records_count - 1, version = version + 1
  where id = old.user_id;
  update users set records_count = records_count + 1, version = version + 1
  where id = new.user_id;
end;

create trigger likes_counts_insert after insert on likes begin
  update records set likes_count = likes_count + 1, version = version + 1
  where id = new.record_id;
  update reviews set likes_count = likes_count + 1, version = version + 1
  where id = new.review_id;
end;

create trigger likes_counts_delete after delete on likes begin
  update records set likes_count = likes_count - 1, version = version + 1
  where id = old.record_id;
  update reviews set likes_count = likes_count - 1, version = version + 1
  where id = old.review_id;
end;

create trigger likes_counts_update_record_id after update of record_id on likes
when old.record_id is not new.record_id begin
  update records set likes_count = likes_count - 1, version = version + 1
  where id = old.record_id;
  update records set likes_count = likes_count + 1, version = version + 1
  where id = new.record_id;
end;

create trigger likes_counts_update_review_id after update of review_id on likes
when old.review_id is not new.review_id begin
  update reviews set likes_count = likes_count - 1, version = version + 1
  where id = old.review_id;
  update reviews set likes_count = likes_count + 1, version = version + 1
  where id = new.review_id;
end;

create trigger favorites_counts_insert after insert on favorites begin
  update characters set favorite_characters_count = favorite_characters_count + 1, version = version + 1
  where id = new.character_id;
  update people set favorite_people_count = favorite_people_count + 1, version = version + 1
  where id = new.person_id;
  update organizations set favorite_organizations_count = favorite_organizations_count + 1, version = version + 1
  where id = new.organization_id;
end;

create trigger favorites_counts_delete after delete on favorites begin
  update characters set favorite_characters_count = favorite_characters_count - 1, version = version + 1
  where id = old.character_id;
  update people set favorite_people_count = favorite_people_count - 1, version = version + 1
  where id = old.person_id;
  update organizations set favorite_organizations_count = favorite_organizations_count - 1, version = version + 1
  where id = old.organization_id;
end;

create trigger favorites_counts_update_character_id after update of character_id on favorites
when old.character_id is not new.character_id begin
  update characters set favorite_characters_count = favorite_characters_count - 1, version = version + 1
  where id = old.character_id;
  update characters set favorite_characters_count = favorite_characters_count + 1, version = version + 1
  where id = new.character_id;
end;

create trigger favorites_counts_update_person_id after update of person_id on favorites
when old.person_id is not new.person_id begin
  update people set favorite_people_count = favorite_people_count - 1, version = version + 1
  where id = old.person_id;
  update people set favorite_people_count = favorite_people_count + 1, version = version + 1
  where id = new.person_id;
end;

create trigger favorites_counts_update_organization_id after update of organization_id on favorites
when old.organization_id is not new.organization_id begin
  update organizations set favorite_organizations_count = favorite_organizations_count - 1, version = version + 1
  where id = old.organization_id;
  update organizations set favorite_organizations_count = favorite_organizations_count + 1, version = version + 1
  where id = new.organization_id;
end;

create trigger follows_counts_insert after insert on follows begin
  update users set followings_count = followings_count + 1, version = version + 1
  where id = new.follower_id;
  update users set followers_count = followers_count + 1, version = version + 1
  where id = new.followed_id;
end;

create trigger follows_counts_delete after delete on follows begin
  update users set followings_count = followings_count - 1, version = version + 1
  where id = old.follower_id;
  update users set followers_count = followers_count - 1, version = version + 1
  where id = old.followed_id;
end;

create trigger follows_counts_update_follower_id after update of follower_id on follows
when old.follower_id is not new.follower_id begin
  update users set followings_count = followings_count - 1, version = version + 1
  where id = old.follower_id;
  update users set followings_count = followings_count + 1, version = version + 1
  where id = new.follower_id;
end;

create trigger follows_counts_update_followed_id after update of followed_id on follows
when old.followed_id is not new.followed_id begin
  update users set followers_count = followers_count - 1, version = version + 1
  where id = old.followed_id;
  update users set followers_count = followers_count + 1, version = version + 1
  where id = new.followed_id;
end;

create trigger notifications_counts_insert after insert on notifications begin
  update users set notifications_count = notifications_count + 1, version = version + 1
  where id = new.user_id and new.read_at is null;
end;

create trigger notifications_counts_delete after delete on notifications begin
  update users set notifications_count = notifications_count - 1, version = version + 1
  where id = old.user_id and old.read_at is null;
end;

create trigger notifications_counts_update_user_id after update of user_id, read_at on notifications
when old.user_id is not new.user_id or (old.read_at is null) is not (new.read_at is null) begin
  update users set notifications_count = notifications_count - 1, version = version + 1
  where id = old.user_id and old.read_at is null;
  update users set notifications_count = notifications_count + 1, version = version + 1
  where id = new.user_id and new.read_at is null;
end;

create trigger casts_counts_insert after insert on casts begin
  update people set casts_count = casts_count + 1, version = version + 1
  where id = new.person_id
    and new.hidden = 0 and (select hidden from characters where id = new.character_id) = 0
    and not exists (select 1 from casts as row where row.person_id = new.person_id
    and row.work_id = new.work_id
    and row.hidden = 0 and (select hidden from characters where id = row.character_id) = 0
    and row.id <> new.id);
end;

create trigger casts_counts_delete after delete on casts begin
  update people set casts_count = casts_count - 1, version = version + 1
  where id = old.person_id
    and old.hidden = 0 and (select hidden from characters where id = old.character_id) = 0
    and not exists (select 1 from casts as row where row.person_id = old.person_id
    and row.work_id = old.work_id
    and row.hidden = 0 and (select hidden from characters where id = row.character_id) = 0
    and row.id <> old.id);
end;

create trigger casts_counts_update_person_id after update of person_id, work_id, hidden, character_id on casts
when old.person_id is not new.person_id
    or old.work_id is not new.work_id
    or old.hidden is not new.hidden
    or old.character_id is not new.character_id begin
  update people set casts_count = (select count(distinct row.work_id) from casts as row
    where row.person_id = people.id and row.hidden = 0 and (select hidden from characters where id = row.character_id) = 0),
    version = version + 1
  where id in (old.person_id, new.person_id)
    and casts_count <> (select count(distinct row.work_id) from casts as row
    where row.person_id = people.id and row.hidden = 0 and (select hidden from characters where id = row.character_id) = 0);
end;

create trigger characters_counts_casts after update of hidden on characters
when old.hidden is not new.hidden begin
  update people set casts_count = (select count(distinct row.work_id) from casts as row
    where row.person_id = people.id and row.hidden = 0 and (select hidden from characters where id = row.character_id) = 0),
    version = version + 1
  where id in (select person_id from casts where character_id = new.id)
    and casts_count <> (select count(distinct row.work_id) from casts as row
    where row.person_id = people.id and row.hidden = 0 and (select hidden from characters where id = row.character_id) = 0);
end;

create trigger staffs_counts_insert after insert on staffs begin
  update people set staffs_count = staffs_count + 1, version = version + 1
  where id = new.person_id
    and new.hidden = 0
    and not exists (select 1 from staffs as row where row.person_id = new.person_id
    and row.work_id = new.work_id
    and row.hidden = 0
    and row.id <> new.id);
  update organizations set staffs_count = staffs_count + 1, version = version + 1
  where id = new.organization_id
    and new.hidden = 0
    and not exists (select 1 from staffs as row where row.organization_id = new.organization_id
    and row.work_id = new.work_id
    and row.hidden = 0
    and row.id <> new.id);
end;

create trigger staffs_counts_delete after delete on staffs begin
  update people set staffs_count = staffs_count - 1, version = version + 1
  where id = old.person_id
    and old.hidden = 0
    and not exists (select 1 from staffs as row where row.person_id = old.person_id
    and row.work_id = old.work_id
    and row.hidden = 0
    and row.id <> old.id);
  update organizations set staffs_count = staffs_count - 1, version = version + 1
  where id = old.organization_id
    and old.hidden = 0
    and not exists (select 1 from staffs as row where row.organization_id = old.organization_id
    and row.work_id = old.work_id
    and row.hidden = 0
    and row.id <> old.id);
end;

create trigger staffs_counts_update_person_id after update of person_id, work_id, hidden on staffs
when old.person_id is not new.person_id
    or old.work_id is not new.work_id
    or (old.hidden = 0) is not (new.hidden = 0) begin
  update people set staffs_count = (select count(distinct row.work_id) from staffs as row
    where row.person_id = people.id and row.hidden = 0),
    version = version + 1
  where id in (old.person_id, new.person_id)
    and staffs_count <> (select count(distinct row.work_id) from staffs as row
    where row.person_id = people.id and row.hidden = 0);
end;

create trigger staffs_counts_update_organization_id after update of organization_id, work_id, hidden on staffs
when old.organization_id is not new.organization_id
    or old.work_id is not new.work_id
    or (old.hidden = 0) is not (new.hidden = 0) begin
  update organizations set staffs_count = (select count(distinct row.work_id) from staffs as row
    where row.organization_id = organizations.id and row.hidden = 0),
    version = version + 1
  where id in (old.organization_id, new.organization_id)
    and staffs_count <> (select count(distinct row.work_id) from staffs as row
    where row.organization_id = organizations.id and row.hidden = 0);
end;

-- Rows of a work are hidden with it: the guards refuse a row that disagrees with its work.

create trigger works_hide after update of hidden on works when old.hidden <> new.hidden begin
  update episodes set hidden = (hidden & 1) | (new.hidden * 2), version = version + 1 where work_id = new.id;
  update casts set hidden = (hidden & 1) | (new.hidden * 2), version = version + 1 where work_id = new.id;
  update staffs set hidden = (hidden & 1) | (new.hidden * 2), version = version + 1 where work_id = new.id;
  update programs set hidden = (hidden & 1) | (new.hidden * 2), version = version + 1 where work_id = new.id;
end;

create trigger episodes_guard_insert before insert on episodes
when (new.hidden >> 1) <> (select hidden from works where id = new.work_id) begin
  select raise(abort, 'episodes.hidden disagrees with its work');
end;

create trigger episodes_guard_update before update of work_id, hidden on episodes
when (new.hidden >> 1) <> (select hidden from works where id = new.work_id) begin
  select raise(abort, 'episodes.hidden disagrees with its work');
end;

create trigger casts_guard_insert before insert on casts
when (new.hidden >> 1) <> (select hidden from works where id = new.work_id) begin
  select raise(abort, 'casts.hidden disagrees with its work');
end;

create trigger casts_guard_update before update of work_id, hidden on casts
when (new.hidden >> 1) <> (select hidden from works where id = new.work_id) begin
  select raise(abort, 'casts.hidden disagrees with its work');
end;

create trigger staffs_guard_insert before insert on staffs
when (new.hidden >> 1) <> (select hidden from works where id = new.work_id) begin
  select raise(abort, 'staffs.hidden disagrees with its work');
end;

create trigger staffs_guard_update before update of work_id, hidden on staffs
when (new.hidden >> 1) <> (select hidden from works where id = new.work_id) begin
  select raise(abort, 'staffs.hidden disagrees with its work');
end;

create trigger programs_guard_insert before insert on programs
when (new.hidden >> 1) <> (select hidden from works where id = new.work_id) begin
  select raise(abort, 'programs.hidden disagrees with its work');
end;

create trigger programs_guard_update before update of work_id, hidden on programs
when (new.hidden >> 1) <> (select hidden from works where id = new.work_id) begin
  select raise(abort, 'programs.hidden disagrees with its work');
end;

-- A change that does not raise the version of its row has it raised here.

create trigger series_version after update on series when new.version = old.version begin
  update series set version = old.version + 1 where id = new.id;
end;

create trigger works_version after update on works when new.version = old.version begin
  update works set version = old.version + 1 where id = new.id;
end;

create trigger episodes_version after update on episodes when new.version = old.version begin
  update episodes set version = old.version + 1 where id = new.id;
end;

create trigger characters_version after update on characters when new.version = old.version begin
  update characters set version = old.version + 1 where id = new.id;
end;

create trigger people_version after update on people when new.version = old.version begin
  update people set version = old.version + 1 where id = new.id;
end;

create trigger organizations_version after update on organizations when new.version = old.version begin
  update organizations set version = old.version + 1 where id = new.id;
end;

create trigger casts_version after update on casts when new.version = old.version begin
  update casts set version = old.version + 1 where id = new.id;
end;

create trigger staffs_version after update on staffs when new.version = old.version begin
  update staffs set version = old.version + 1 where id = new.id;
end;

create trigger channel_groups_version after update on channel_groups when new.version = old.version begin
  update channel_groups set version = old.version + 1 where id = new.id;
end;

create trigger channels_version after update on channels when new.version = old.version begin
  update channels set version = old.version + 1 where id = new.id;
end;

create trigger programs_version after update on programs when new.version = old.version begin
  update programs set version = old.version + 1 where id = new.id;
end;

create trigger users_version after update on users when new.version = old.version begin
  update users set version = old.version + 1 where id = new.id;
end;

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

-- Versions that grow with a change of another table.

create trigger series_version_of_characters after update of name, hidden on series
when old.name is not new.name or old.hidden is not new.hidden begin
  update characters set version = version + 1 where series_id = new.id;
end;

create trigger follows_feed_version_insert after insert on follows begin
  update users set feed_version = feed_version + 1, version = version + 1 where id = new.follower_id;
end;

create trigger follows_feed_version_delete after delete on follows begin
  update users set feed_version = feed_version + 1, version = version + 1 where id = old.follower_id;
end;

create trigger mutes_feed_version_insert after insert on mutes begin
  update users set feed_version = feed_version + 1, version = version + 1 where id = new.user_id;
end;

create trigger mutes_feed_version_delete after delete on mutes begin
  update users set feed_version = feed_version + 1, version = version + 1 where id = old.user_id;
end;

-- How many rows lists have (0009_row_counts.sql).

create view keyed_rows (list, key, likes, id) as
  select 'records by work', work_id, likes_count, id from records union all
  select 'records by user', user_id, likes_count, id from records union all
  select 'records by episode', episode_id, likes_count, id from records union all
  select 'reviews by work', work_id, likes_count, id from reviews union all
  select 'reviews by user', user_id, likes_count, id from reviews union all
  select 'activities by user', user_id, null, id from activities union all
  select 'follows by follower', follower_id, null, id from follows union all
  select 'follows by followed', followed_id, null, id from follows union all
  select 'notifications by user', user_id, null, id from notifications;

create trigger series_rows_insert after insert on series when new.hidden = 0 begin
  insert into row_counts (list, key, block, n) values
    ('series', 0, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger series_rows_delete after delete on series when old.hidden = 0 begin
  update row_counts set n = n - 1
  where list = 'series' and key = 0 and block = -1 and old.hidden = 0;
end;

create trigger series_rows_update after update of hidden on series
when (old.hidden = 0) is not (new.hidden = 0) begin
  update row_counts set n = n - 1
  where list = 'series' and key = 0 and block = -1 and old.hidden = 0;
  insert into row_counts (list, key, block, n) select 'series', 0, -1, 1 where new.hidden = 0
  on conflict do update set n = n + 1;
end;

create trigger works_rows_insert after insert on works when new.hidden = 0 begin
  insert into row_counts (list, key, block, n) values
    ('works', 0, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger works_rows_delete after delete on works when old.hidden = 0 begin
  update row_counts set n = n - 1
  where list = 'works' and key = 0 and block = -1 and old.hidden = 0;
end;

create trigger works_rows_update after update of hidden on works
when (old.hidden = 0) is not (new.hidden = 0) begin
  update row_counts set n = n - 1
  where list = 'works' and key = 0 and block = -1 and old.hidden = 0;
  insert into row_counts (list, key, block, n) select 'works', 0, -1, 1 where new.hidden = 0
  on conflict do update set n = n + 1;
end;

create trigger episodes_rows_insert after insert on episodes when new.hidden = 0 begin
  insert into row_counts (list, key, block, n) values
    ('episodes', 0, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger episodes_rows_delete after delete on episodes when old.hidden = 0 begin
  update row_counts set n = n - 1
  where list = 'episodes' and key = 0 and block = -1 and old.hidden = 0;
end;

create trigger episodes_rows_update after update of hidden on episodes
when (old.hidden = 0) is not (new.hidden = 0) begin
  update row_counts set n = n - 1
  where list = 'episodes' and key = 0 and block = -1 and old.hidden = 0;
  insert into row_counts (list, key, block, n) select 'episodes', 0, -1, 1 where new.hidden = 0
  on conflict do update set n = n + 1;
end;

create trigger programs_rows_insert after insert on programs when new.hidden = 0 begin
  insert into row_counts (list, key, block, n) values
    ('programs', 0, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger programs_rows_delete after delete on programs when old.hidden = 0 begin
  update row_counts set n = n - 1
  where list = 'programs' and key = 0 and block = -1 and old.hidden = 0;
end;

create trigger programs_rows_update after update of hidden on programs
when (old.hidden = 0) is not (new.hidden = 0) begin
  update row_counts set n = n - 1
  where list = 'programs' and key = 0 and block = -1 and old.hidden = 0;
  insert into row_counts (list, key, block, n) select 'programs', 0, -1, 1 where new.hidden = 0
  on conflict do update set n = n + 1;
end;

create trigger characters_rows_insert after insert on characters when new.hidden = 0 begin
  insert into row_counts (list, key, block, n) values
    ('characters', 0, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger characters_rows_delete after delete on characters when old.hidden = 0 begin
  update row_counts set n = n - 1
  where list = 'characters' and key = 0 and block = -1 and old.hidden = 0;
end;

create trigger characters_rows_update after update of hidden on characters
when (old.hidden = 0) is not (new.hidden = 0) begin
  update row_counts set n = n - 1
  where list = 'characters' and key = 0 and block = -1 and old.hidden = 0;
  insert into row_counts (list, key, block, n) select 'characters', 0, -1, 1 where new.hidden = 0
  on conflict do update set n = n + 1;
end;

create trigger people_rows_insert after insert on people when new.hidden = 0 begin
  insert into row_counts (list, key, block, n) values
    ('people', 0, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger people_rows_delete after delete on people when old.hidden = 0 begin
  update row_counts set n = n - 1
  where list = 'people' and key = 0 and block = -1 and old.hidden = 0;
end;

create trigger people_rows_update after update of hidden on people
when (old.hidden = 0) is not (new.hidden = 0) begin
  update row_counts set n = n - 1
  where list = 'people' and key = 0 and block = -1 and old.hidden = 0;
  insert into row_counts (list, key, block, n) select 'people', 0, -1, 1 where new.hidden = 0
  on conflict do update set n = n + 1;
end;

create trigger organizations_rows_insert after insert on organizations when new.hidden = 0 begin
  insert into row_counts (list, key, block, n) values
    ('organizations', 0, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger organizations_rows_delete after delete on organizations when old.hidden = 0 begin
  update row_counts set n = n - 1
  where list = 'organizations' and key = 0 and block = -1 and old.hidden = 0;
end;

create trigger organizations_rows_update after update of hidden on organizations
when (old.hidden = 0) is not (new.hidden = 0) begin
  update row_counts set n = n - 1
  where list = 'organizations' and key = 0 and block = -1 and old.hidden = 0;
  insert into row_counts (list, key, block, n) select 'organizations', 0, -1, 1 where new.hidden = 0
  on conflict do update set n = n + 1;
end;

create trigger casts_rows_insert after insert on casts when new.hidden = 0 begin
  insert into row_counts (list, key, block, n) values
    ('casts', 0, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger casts_rows_delete after delete on casts when old.hidden = 0 begin
  update row_counts set n = n - 1
  where list = 'casts' and key = 0 and block = -1 and old.hidden = 0;
end;

create trigger casts_rows_update after update of hidden on casts
when (old.hidden = 0) is not (new.hidden = 0) begin
  update row_counts set n = n - 1
  where list = 'casts' and key = 0 and block = -1 and old.hidden = 0;
  insert into row_counts (list, key, block, n) select 'casts', 0, -1, 1 where new.hidden = 0
  on conflict do update set n = n + 1;
end;

create trigger staffs_rows_insert after insert on staffs when new.hidden = 0 begin
  insert into row_counts (list, key, block, n) values
    ('staffs', 0, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger staffs_rows_delete after delete on staffs when old.hidden = 0 begin
  update row_counts set n = n - 1
  where list = 'staffs' and key = 0 and block = -1 and old.hidden = 0;
end;

create trigger staffs_rows_update after update of hidden on staffs
when (old.hidden = 0) is not (new.hidden = 0) begin
  update row_counts set n = n - 1
  where list = 'staffs' and key = 0 and block = -1 and old.hidden = 0;
  insert into row_counts (list, key, block, n) select 'staffs', 0, -1, 1 where new.hidden = 0
  on conflict do update set n = n + 1;
end;

create trigger records_rows_insert after insert on records begin
  insert into row_counts (list, key, block, n) values
    ('records by work', new.work_id, -1, 1),
    ('records by user', new.user_id, -1, 1),
    ('records by episode', new.episode_id, -1, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment'), 0, new.id >> 12, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment'), 0, -1, 1),
    (iif(new.comment <> '', 'records+comment by likes_count', 'records-comment by likes_count'), new.likes_count, new.id >> 12, 1),
    (iif(new.comment <> '', 'records+comment by likes_count', 'records-comment by likes_count'), new.likes_count, -1, 1)
  on conflict do update set n = n + 1;
  insert into row_count_splits (list, key, likes, id, step, n)
  select list, key, new.likes_count, new.id, 1, n from row_counts
  where block = -1 and n >= 2048 and (list = 'records by work' and key = new.work_id
    or list = 'records by user' and key = new.user_id
    or list = 'records by episode' and key = new.episode_id);
end;

create trigger records_rows_delete after delete on records begin
  update row_counts set n = n - 1
  where list = iif(old.comment <> '', 'records+comment', 'records-comment')
    and key = 0
    and block in (old.id >> 12, -1);
  update row_counts set n = n - 1
  where list = iif(old.comment <> '', 'records+comment by likes_count', 'records-comment by likes_count')
    and key = old.likes_count
    and block in (old.id >> 12, -1);
  insert into row_count_steps (list, key, likes, id, step) values
    ('records by work', old.work_id, old.likes_count, old.id, -1),
    ('records by user', old.user_id, old.likes_count, old.id, -1),
    ('records by episode', old.episode_id, old.likes_count, old.id, -1);
end;

create trigger records_rows_update after update of comment on records
when (old.comment <> '') is not (new.comment <> '') begin
  update row_counts set n = n - 1
  where list = iif(old.comment <> '', 'records+comment', 'records-comment')
    and key = 0
    and block in (old.id >> 12, -1);
  insert into row_counts (list, key, block, n) values
    (iif(new.comment <> '', 'records+comment', 'records-comment'), 0, new.id >> 12, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment'), 0, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger records_rows_update_likes_count after update of comment, likes_count on records
when (old.comment <> '') is not (new.comment <> '') or old.likes_count is not new.likes_count begin
  update row_counts set n = n - 1
  where list = iif(old.comment <> '', 'records+comment by likes_count', 'records-comment by likes_count')
    and key = old.likes_count
    and block in (old.id >> 12, -1);
  insert into row_counts (list, key, block, n) values
    (iif(new.comment <> '', 'records+comment by likes_count', 'records-comment by likes_count'), new.likes_count, new.id >> 12, 1),
    (iif(new.comment <> '', 'records+comment by likes_count', 'records-comment by likes_count'), new.likes_count, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger records_rows_move after update of work_id, user_id, episode_id on records
when old.work_id is not new.work_id
    or old.user_id is not new.user_id
    or old.episode_id is not new.episode_id begin
  insert into row_count_steps (list, key, likes, id, step)
  select 'records by work', old.work_id, old.likes_count, old.id, -1 where old.work_id is not new.work_id
  union all select 'records by work', new.work_id, new.likes_count, new.id, 1 where old.work_id is not new.work_id
  union all select 'records by user', old.user_id, old.likes_count, old.id, -1 where old.user_id is not new.user_id
  union all select 'records by user', new.user_id, new.likes_count, new.id, 1 where old.user_id is not new.user_id
  union all select 'records by episode', old.episode_id, old.likes_count, old.id, -1 where old.episode_id is not new.episode_id
  union all select 'records by episode', new.episode_id, new.likes_count, new.id, 1 where old.episode_id is not new.episode_id;
end;

create trigger records_rows_liked after update of likes_count on records
when old.likes_count <> new.likes_count begin
  insert into row_count_likes (list, key, old_likes, new_likes, id)
  select kept.list, kept.key, old.likes_count, new.likes_count, new.id from (
    select 'records by work' as list, new.work_id as key where old.work_id = new.work_id
    union all select 'records by user' as list, new.user_id as key where old.user_id = new.user_id
    union all select 'records by episode' as list, new.episode_id as key where old.episode_id = new.episode_id) as kept
  where exists (select 1 from row_counts where list = kept.list and key = kept.key and block >= 0);
end;

create trigger reviews_rows_insert after insert on reviews begin
  insert into row_counts (list, key, block, n) values
    ('reviews by work', new.work_id, -1, 1),
    ('reviews by user', new.user_id, -1, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body'), 0, new.id >> 12, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body'), 0, -1, 1),
    (iif(new.body <> '', 'reviews+body by likes_count', 'reviews-body by likes_count'), new.likes_count, new.id >> 12, 1),
    (iif(new.body <> '', 'reviews+body by likes_count', 'reviews-body by likes_count'), new.likes_count, -1, 1)
  on conflict do update set n = n + 1;
  insert into row_count_splits (list, key, likes, id, step, n)
  select list, key, new.likes_count, new.id, 1, n from row_counts
  where block = -1 and n >= 2048 and (list = 'reviews by work' and key = new.work_id
    or list = 'reviews by user' and key = new.user_id);
end;

create trigger reviews_rows_delete after delete on reviews begin
  update row_counts set n = n - 1
  where list = iif(old.body <> '', 'reviews+body', 'reviews-body')
    and key = 0
    and block in (old.id >> 12, -1);
  update row_counts set n = n - 1
  where list = iif(old.body <> '', 'reviews+body by likes_count', 'reviews-body by likes_count')
    and key = old.likes_count
    and block in (old.id >> 12, -1);
  insert into row_count_steps (list, key, likes, id, step) values
    ('reviews by work', old.work_id, old.likes_count, old.id, -1),
    ('reviews by user', old.user_id, old.likes_count, old.id, -1);
end;

create trigger reviews_rows_update after update of body on reviews
when (old.body <> '') is not (new.body <> '') begin
  update row_counts set n = n - 1
  where list = iif(old.body <> '', 'reviews+body', 'reviews-body')
    and key = 0
    and block in (old.id >> 12, -1);
  insert into row_counts (list, key, block, n) values
    (iif(new.body <> '', 'reviews+body', 'reviews-body'), 0, new.id >> 12, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body'), 0, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger reviews_rows_update_likes_count after update of body, likes_count on reviews
when (old.body <> '') is not (new.body <> '') or old.likes_count is not new.likes_count begin
  update row_counts set n = n - 1
  where list = iif(old.body <> '', 'reviews+body by likes_count', 'reviews-body by likes_count')
    and key = old.likes_count
    and block in (old.id >> 12, -1);
  insert into row_counts (list, key, block, n) values
    (iif(new.body <> '', 'reviews+body by likes_count', 'reviews-body by likes_count'), new.likes_count, new.id >> 12, 1),
    (iif(new.body <> '', 'reviews+body by likes_count', 'reviews-body by likes_count'), new.likes_count, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger reviews_rows_move after update of work_id, user_id on reviews
when old.work_id is not new.work_id or old.user_id is not new.user_id begin
  insert into row_count_steps (list, key, likes, id, step)
  select 'reviews by work', old.work_id, old.likes_count, old.id, -1 where old.work_id is not new.work_id
  union all select 'reviews by work', new.work_id, new.likes_count, new.id, 1 where old.work_id is not new.work_id
  union all select 'reviews by user', old.user_id, old.likes_count, old.id, -1 where old.user_id is not new.user_id
  union all select 'reviews by user', new.user_id, new.likes_count, new.id, 1 where old.user_id is not new.user_id;
end;

create trigger reviews_rows_liked after update of likes_count on reviews
when old.likes_count <> new.likes_count begin
  insert into row_count_likes (list, key, old_likes, new_likes, id)
  select kept.list, kept.key, old.likes_count, new.likes_count, new.id from (
    select 'reviews by work' as list, new.work_id as key where old.work_id = new.work_id
    union all select 'reviews by user' as list, new.user_id as key where old.user_id = new.user_id) as kept
  where exists (select 1 from row_counts where list = kept.list and key = kept.key and block >= 0);
end;

create trigger activities_rows_insert after insert on activities begin
  insert into row_counts (list, key, block, n) values
    ('activities by user', new.user_id, -1, 1),
    ('activities=' || new.action, 0, new.id >> 12, 1),
    ('activities=' || new.action, 0, -1, 1)
  on conflict do update set n = n + 1;
  insert into row_count_splits (list, key, likes, id, step, n)
  select list, key, null, new.id, 1, n from row_counts
  where block = -1 and n >= 2048 and (list = 'activities by user' and key = new.user_id);
end;

create trigger activities_rows_delete after delete on activities begin
  update row_counts set n = n - 1
  where list = 'activities=' || old.action and key = 0 and block in (old.id >> 12, -1);
  insert into row_count_steps (list, key, likes, id, step) values
    ('activities by user', old.user_id, null, old.id, -1);
end;

create trigger activities_rows_update after update of action on activities
when old.action is not new.action begin
  update row_counts set n = n - 1
  where list = 'activities=' || old.action and key = 0 and block in (old.id >> 12, -1);
  insert into row_counts (list, key, block, n) values
    ('activities=' || new.action, 0, new.id >> 12, 1),
    ('activities=' || new.action, 0, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger activities_rows_move after update of user_id on activities
when old.user_id is not new.user_id begin
  insert into row_count_steps (list, key, likes, id, step)
  select 'activities by user', old.user_id, null, old.id, -1 where old.user_id is not new.user_id
  union all select 'activities by user', new.user_id, null, new.id, 1 where old.user_id is not new.user_id;
end;

create trigger follows_rows_insert after insert on follows begin
  insert into row_counts (list, key, block, n) values
    ('follows by follower', new.follower_id, -1, 1),
    ('follows by followed', new.followed_id, -1, 1),
    ('follows', 0, new.id >> 12, 1),
    ('follows', 0, -1, 1)
  on conflict do update set n = n + 1;
  insert into row_count_splits (list, key, likes, id, step, n)
  select list, key, null, new.id, 1, n from row_counts
  where block = -1 and n >= 2048 and (list = 'follows by follower' and key = new.follower_id
    or list = 'follows by followed' and key = new.followed_id);
end;

create trigger follows_rows_delete after delete on follows begin
  update row_counts set n = n - 1
  where list = 'follows' and key = 0 and block in (old.id >> 12, -1);
  insert into row_count_steps (list, key, likes, id, step) values
    ('follows by follower', old.follower_id, null, old.id, -1),
    ('follows by followed', old.followed_id, null, old.id, -1);
end;

create trigger follows_rows_move after update of follower_id, followed_id on follows
when old.follower_id is not new.follower_id or old.followed_id is not new.followed_id begin
  insert into row_count_steps (list, key, likes, id, step)
  select 'follows by follower', old.follower_id, null, old.id, -1 where old.follower_id is not new.follower_id
  union all select 'follows by follower', new.follower_id, null, new.id, 1 where old.follower_id is not new.follower_id
  union all select 'follows by followed', old.followed_id, null, old.id, -1 where old.followed_id is not new.followed_id
  union all select 'follows by followed', new.followed_id, null, new.id, 1 where old.followed_id is not new.followed_id;
end;

create trigger users_rows_insert after insert on users begin
  insert into row_counts (list, key, block, n) values
    ('users', 0, new.id >> 12, 1),
    ('users', 0, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger users_rows_delete after delete on users begin
  update row_counts set n = n - 1
  where list = 'users' and key = 0 and block in (old.id >> 12, -1);
end;

create trigger deletions_rows_insert after insert on deletions begin
  update row_counts set n = n - 1
  where list = 'users' and key = 0 and block in (new.user_id >> 12, -1);
end;

create trigger deletions_rows_delete after delete on deletions begin
  insert into row_counts (list, key, block, n) values
    ('users', 0, old.user_id >> 12, 1),
    ('users', 0, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger notifications_rows_insert after insert on notifications begin
  insert into row_counts (list, key, block, n) values
    ('notifications by user', new.user_id, -1, 1)
  on conflict do update set n = n + 1;
  insert into row_count_splits (list, key, likes, id, step, n)
  select list, key, null, new.id, 1, n from row_counts
  where block = -1 and n >= 2048 and (list = 'notifications by user' and key = new.user_id);
end;

create trigger notifications_rows_delete after delete on notifications begin
  insert into row_count_steps (list, key, likes, id, step) values
    ('notifications by user', old.user_id, null, old.id, -1);
end;

create trigger notifications_rows_move after update of user_id on notifications
when old.user_id is not new.user_id begin
  insert into row_count_steps (list, key, likes, id, step)
  select 'notifications by user', old.user_id, null, old.id, -1 where old.user_id is not new.user_id
  union all select 'notifications by user', new.user_id, null, new.id, 1 where old.user_id is not new.user_id;
end;

-- Casts and staff are withheld while something they refer to is hidden.

create trigger casts_withheld_insert after insert on casts
when (exists (select 1 from people where id = new.person_id and hidden <> 0)
    or exists (select 1 from characters where id = new.character_id and hidden <> 0)) begin
  update casts set withheld = 1 where id = new.id;
end;

create trigger casts_withheld_move after update of person_id, character_id on casts
when old.person_id is not new.person_id or old.character_id is not new.character_id begin
  update casts set withheld = (exists (select 1 from people where id = new.person_id and hidden <> 0)
    or exists (select 1 from characters where id = new.character_id and hidden <> 0))
  where id = new.id;
end;

create trigger staffs_withheld_insert after insert on staffs
when (exists (select 1 from people where id = new.person_id and hidden <> 0)
    or exists (select 1 from organizations where id = new.organization_id and hidden <> 0)) begin
  update staffs set withheld = 1 where id = new.id;
end;

create trigger staffs_withheld_move after update of person_id, organization_id on staffs
when old.person_id is not new.person_id or old.organization_id is not new.organization_id begin
  update staffs set withheld = (exists (select 1 from people where id = new.person_id and hidden <> 0)
    or exists (select 1 from organizations where id = new.organization_id and hidden <> 0))
  where id = new.id;
end;

create trigger people_withhold after update of hidden on people
when (old.hidden = 0) is not (new.hidden = 0) begin
  update casts set withheld = (exists (select 1 from people where id = casts.person_id and hidden <> 0)
    or exists (select 1 from characters where id = casts.character_id and hidden <> 0))
  where person_id = new.id;
  update staffs set withheld = (exists (select 1 from people where id = staffs.person_id and hidden <> 0)
    or exists (select 1 from organizations where id = staffs.organization_id and hidden <> 0))
  where person_id = new.id;
end;

create trigger characters_withhold after update of hidden on characters
when (old.hidden = 0) is not (new.hidden = 0) begin
  update casts set withheld = (exists (select 1 from people where id = casts.person_id and hidden <> 0)
    or exists (select 1 from characters where id = casts.character_id and hidden <> 0))
  where character_id = new.id;
end;

create trigger organizations_withhold after update of hidden on organizations
when (old.hidden = 0) is not (new.hidden = 0) begin
  update staffs set withheld = (exists (select 1 from people where id = staffs.person_id and hidden <> 0)
    or exists (select 1 from organizations where id = staffs.organization_id and hidden <> 0))
  where organization_id = new.id;
end;
