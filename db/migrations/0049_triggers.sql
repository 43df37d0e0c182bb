-- Printed from db/facts by `bun run triggers`, and not to be changed by hand.

drop trigger follows_counts_update_follower_id;
drop trigger follows_counts_update_followed_id;
drop trigger records_withheld_move;
drop trigger reviews_withheld_move;
drop trigger activities_withheld_insert;
drop trigger activities_withheld_move;
drop trigger follows_withheld_move;
drop trigger favorites_withheld_move;
drop trigger activity_records_withheld_insert;
drop trigger activity_records_withheld_delete;
drop trigger reviews_counts_insert;
drop trigger reviews_counts_delete;
drop trigger reviews_counts_update_work_id;
drop trigger records_counts_insert;
drop trigger records_counts_delete;
drop trigger records_counts_update_episode_id;
drop trigger records_counts_update_user_id;
drop trigger favorites_counts_insert;
drop trigger favorites_counts_delete;
drop trigger favorites_counts_update_character_id;
drop trigger favorites_counts_update_person_id;
drop trigger favorites_counts_update_organization_id;
drop trigger follows_counts_insert;
drop trigger follows_counts_delete;
drop trigger statuses_withheld_move;
drop trigger statuses_counts_insert;
drop trigger statuses_counts_delete;
drop trigger statuses_counts_update_work_id;
drop trigger statuses_counts_update_user_id;

-- Who sees what people wrote (D72).

create trigger records_withheld_move after update of user_id, private, hidden_by on records
when old.user_id is not new.user_id
    or old.private is not new.private
    or old.hidden_by is not new.hidden_by begin
  update records set withheld = iif((new.private = 1 or new.hidden_by is not null), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id))
  where id = new.id;
  update activities set withheld = iif(activities.private = 1
    or exists (select 1 from records where id = activities.record_id and (records.private = 1 or records.hidden_by is not null))
    or exists (select 1 from reviews where id = activities.review_id and (reviews.private = 1 or reviews.hidden_by is not null))
    or (activities.action = 'create_multiple_records' and exists (select 1 from activity_records where activity_id = activities.id)
      and not exists (
        select 1 from activity_records join records on records.id = activity_records.record_id
        where activity_id = activities.id and not (records.private = 1 or records.hidden_by is not null))), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = activities.user_id))
  where record_id = new.id and withheld <> iif(activities.private = 1
    or exists (select 1 from records where id = activities.record_id and (records.private = 1 or records.hidden_by is not null))
    or exists (select 1 from reviews where id = activities.review_id and (reviews.private = 1 or reviews.hidden_by is not null))
    or (activities.action = 'create_multiple_records' and exists (select 1 from activity_records where activity_id = activities.id)
      and not exists (
        select 1 from activity_records join records on records.id = activity_records.record_id
        where activity_id = activities.id and not (records.private = 1 or records.hidden_by is not null))), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = activities.user_id));
  update activities set withheld = iif(activities.private = 1
    or exists (select 1 from records where id = activities.record_id and (records.private = 1 or records.hidden_by is not null))
    or exists (select 1 from reviews where id = activities.review_id and (reviews.private = 1 or reviews.hidden_by is not null))
    or (activities.action = 'create_multiple_records' and exists (select 1 from activity_records where activity_id = activities.id)
      and not exists (
        select 1 from activity_records join records on records.id = activity_records.record_id
        where activity_id = activities.id and not (records.private = 1 or records.hidden_by is not null))), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = activities.user_id))
  where id in (select activity_id from activity_records where record_id = new.id) and withheld <> iif(activities.private = 1
    or exists (select 1 from records where id = activities.record_id and (records.private = 1 or records.hidden_by is not null))
    or exists (select 1 from reviews where id = activities.review_id and (reviews.private = 1 or reviews.hidden_by is not null))
    or (activities.action = 'create_multiple_records' and exists (select 1 from activity_records where activity_id = activities.id)
      and not exists (
        select 1 from activity_records join records on records.id = activity_records.record_id
        where activity_id = activities.id and not (records.private = 1 or records.hidden_by is not null))), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = activities.user_id));
end;

create trigger reviews_withheld_move after update of user_id, private, hidden_by on reviews
when old.user_id is not new.user_id
    or old.private is not new.private
    or old.hidden_by is not new.hidden_by begin
  update reviews set withheld = iif((new.private = 1 or new.hidden_by is not null), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id))
  where id = new.id;
  update activities set withheld = iif(activities.private = 1
    or exists (select 1 from records where id = activities.record_id and (records.private = 1 or records.hidden_by is not null))
    or exists (select 1 from reviews where id = activities.review_id and (reviews.private = 1 or reviews.hidden_by is not null))
    or (activities.action = 'create_multiple_records' and exists (select 1 from activity_records where activity_id = activities.id)
      and not exists (
        select 1 from activity_records join records on records.id = activity_records.record_id
        where activity_id = activities.id and not (records.private = 1 or records.hidden_by is not null))), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = activities.user_id))
  where review_id = new.id and withheld <> iif(activities.private = 1
    or exists (select 1 from records where id = activities.record_id and (records.private = 1 or records.hidden_by is not null))
    or exists (select 1 from reviews where id = activities.review_id and (reviews.private = 1 or reviews.hidden_by is not null))
    or (activities.action = 'create_multiple_records' and exists (select 1 from activity_records where activity_id = activities.id)
      and not exists (
        select 1 from activity_records join records on records.id = activity_records.record_id
        where activity_id = activities.id and not (records.private = 1 or records.hidden_by is not null))), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = activities.user_id));
end;

create trigger statuses_withheld_move after update of user_id, private, hidden_by on statuses
when old.user_id is not new.user_id
    or old.private is not new.private
    or old.hidden_by is not new.hidden_by begin
  update statuses set withheld = iif((new.private = 1 or new.hidden_by is not null), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id))
  where user_id = new.user_id and work_id = new.work_id;
  update activities set private = new.private or new.hidden_by is not null
  where user_id = new.user_id and +work_id = new.work_id and action = 'create_status' and id >= new.first_activity_id
    and private <> (new.private or new.hidden_by is not null);
end;

create trigger activities_withheld_insert after insert on activities begin
  update withheld_rows set number = number + 1
  where table_name = 'activities' and new.withheld <> 0;
  update activities set withheld = iif(new.private = 1
    or exists (select 1 from records where id = new.record_id and (records.private = 1 or records.hidden_by is not null))
    or exists (select 1 from reviews where id = new.review_id and (reviews.private = 1 or reviews.hidden_by is not null))
    or (new.action = 'create_multiple_records' and exists (select 1 from activity_records where activity_id = new.id)
      and not exists (
        select 1 from activity_records join records on records.id = activity_records.record_id
        where activity_id = new.id and not (records.private = 1 or records.hidden_by is not null))), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id))
  where id = new.id and iif(new.private = 1
    or exists (select 1 from records where id = new.record_id and (records.private = 1 or records.hidden_by is not null))
    or exists (select 1 from reviews where id = new.review_id and (reviews.private = 1 or reviews.hidden_by is not null))
    or (new.action = 'create_multiple_records' and exists (select 1 from activity_records where activity_id = new.id)
      and not exists (
        select 1 from activity_records join records on records.id = activity_records.record_id
        where activity_id = new.id and not (records.private = 1 or records.hidden_by is not null))), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id)) <> new.withheld;
end;

create trigger activities_withheld_move after update of user_id, private, record_id, review_id on activities
when old.user_id is not new.user_id
    or old.private is not new.private
    or old.record_id is not new.record_id
    or old.review_id is not new.review_id begin
  update activities set withheld = iif(new.private = 1
    or exists (select 1 from records where id = new.record_id and (records.private = 1 or records.hidden_by is not null))
    or exists (select 1 from reviews where id = new.review_id and (reviews.private = 1 or reviews.hidden_by is not null))
    or (new.action = 'create_multiple_records' and exists (select 1 from activity_records where activity_id = new.id)
      and not exists (
        select 1 from activity_records join records on records.id = activity_records.record_id
        where activity_id = new.id and not (records.private = 1 or records.hidden_by is not null))), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id))
  where id = new.id;
end;

create trigger follows_withheld_move after update of follower_id, followed_id on follows
when old.follower_id is not new.follower_id or old.followed_id is not new.followed_id begin
  update follows set withheld = (select max(((users.privacy = 'private') + (users.all_hidden_by is not null))) from users where id in (new.follower_id, new.followed_id))
  where id = new.id;
end;

create trigger favorites_withheld_move after update of user_id on favorites
when old.user_id is not new.user_id begin
  update favorites set withheld = (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id)
  where id = new.id;
end;

create trigger activity_records_withheld_insert after insert on activity_records
when ((select withheld from activities where id = new.activity_id) = 2)
  <> (select (records.private = 1 or records.hidden_by is not null) from records where id = new.record_id) begin
  update activities set withheld = iif(activities.private = 1
    or exists (select 1 from records where id = activities.record_id and (records.private = 1 or records.hidden_by is not null))
    or exists (select 1 from reviews where id = activities.review_id and (reviews.private = 1 or reviews.hidden_by is not null))
    or (activities.action = 'create_multiple_records' and exists (select 1 from activity_records where activity_id = activities.id)
      and not exists (
        select 1 from activity_records join records on records.id = activity_records.record_id
        where activity_id = activities.id and not (records.private = 1 or records.hidden_by is not null))), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = activities.user_id))
  where id = new.activity_id and withheld <> iif(activities.private = 1
    or exists (select 1 from records where id = activities.record_id and (records.private = 1 or records.hidden_by is not null))
    or exists (select 1 from reviews where id = activities.review_id and (reviews.private = 1 or reviews.hidden_by is not null))
    or (activities.action = 'create_multiple_records' and exists (select 1 from activity_records where activity_id = activities.id)
      and not exists (
        select 1 from activity_records join records on records.id = activity_records.record_id
        where activity_id = activities.id and not (records.private = 1 or records.hidden_by is not null))), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = activities.user_id));
end;

create trigger activity_records_withheld_delete after delete on activity_records begin
  update activities set withheld = iif(activities.private = 1
    or exists (select 1 from records where id = activities.record_id and (records.private = 1 or records.hidden_by is not null))
    or exists (select 1 from reviews where id = activities.review_id and (reviews.private = 1 or reviews.hidden_by is not null))
    or (activities.action = 'create_multiple_records' and exists (select 1 from activity_records where activity_id = activities.id)
      and not exists (
        select 1 from activity_records join records on records.id = activity_records.record_id
        where activity_id = activities.id and not (records.private = 1 or records.hidden_by is not null))), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = activities.user_id))
  where id = old.activity_id and withheld <> iif(activities.private = 1
    or exists (select 1 from records where id = activities.record_id and (records.private = 1 or records.hidden_by is not null))
    or exists (select 1 from reviews where id = activities.review_id and (reviews.private = 1 or reviews.hidden_by is not null))
    or (activities.action = 'create_multiple_records' and exists (select 1 from activity_records where activity_id = activities.id)
      and not exists (
        select 1 from activity_records join records on records.id = activity_records.record_id
        where activity_id = activities.id and not (records.private = 1 or records.hidden_by is not null))), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = activities.user_id));
end;

-- Columns that count the rows of another table.

create trigger statuses_counts_insert after insert on statuses begin
  update works set watchers_count = watchers_count + 1, version = version + 1
  where id = new.work_id
    and new.kind in ('wanna_watch', 'watching', 'watched') and new.withheld = 0;
  update users set wanna_watch_count = wanna_watch_count + (new.kind = 'wanna_watch' and new.withheld < 2),
    watching_count = watching_count + (new.kind = 'watching' and new.withheld < 2),
    watched_count = watched_count + (new.kind = 'watched' and new.withheld < 2),
    on_hold_count = on_hold_count + (new.kind = 'on_hold' and new.withheld < 2),
    stop_watching_count = stop_watching_count + (new.kind = 'stop_watching' and new.withheld < 2),
    version = version + 1
  where id = new.user_id;
  update statuses set withheld = iif((new.private = 1 or new.hidden_by is not null), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id))
  where user_id = new.user_id and work_id = new.work_id and iif((new.private = 1 or new.hidden_by is not null), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id)) <> new.withheld;
end;

create trigger statuses_counts_delete after delete on statuses begin
  update works set watchers_count = watchers_count - 1, version = version + 1
  where id = old.work_id
    and old.kind in ('wanna_watch', 'watching', 'watched') and old.withheld = 0;
  update users set wanna_watch_count = wanna_watch_count - (old.kind = 'wanna_watch' and old.withheld < 2),
    watching_count = watching_count - (old.kind = 'watching' and old.withheld < 2),
    watched_count = watched_count - (old.kind = 'watched' and old.withheld < 2),
    on_hold_count = on_hold_count - (old.kind = 'on_hold' and old.withheld < 2),
    stop_watching_count = stop_watching_count - (old.kind = 'stop_watching' and old.withheld < 2),
    version = version + 1
  where id = old.user_id;
end;

create trigger statuses_counts_update_work_id after update of work_id, kind, withheld on statuses
when old.work_id is not new.work_id
    or (old.kind in ('wanna_watch', 'watching', 'watched') and old.withheld = 0) is not (new.kind in ('wanna_watch', 'watching', 'watched') and new.withheld = 0) begin
  update works set watchers_count = watchers_count - 1, version = version + 1
  where id = old.work_id
    and old.kind in ('wanna_watch', 'watching', 'watched') and old.withheld = 0;
  update works set watchers_count = watchers_count + 1, version = version + 1
  where id = new.work_id
    and new.kind in ('wanna_watch', 'watching', 'watched') and new.withheld = 0;
end;

create trigger statuses_counts_update_user_id after update of user_id, kind, withheld on statuses
when old.user_id is not new.user_id
    or old.kind is not new.kind
    or old.withheld is not new.withheld begin
  update users set wanna_watch_count = wanna_watch_count - (old.kind = 'wanna_watch' and old.withheld < 2),
    watching_count = watching_count - (old.kind = 'watching' and old.withheld < 2),
    watched_count = watched_count - (old.kind = 'watched' and old.withheld < 2),
    on_hold_count = on_hold_count - (old.kind = 'on_hold' and old.withheld < 2),
    stop_watching_count = stop_watching_count - (old.kind = 'stop_watching' and old.withheld < 2),
    version = version + 1
  where id = old.user_id;
  update users set wanna_watch_count = wanna_watch_count + (new.kind = 'wanna_watch' and new.withheld < 2),
    watching_count = watching_count + (new.kind = 'watching' and new.withheld < 2),
    watched_count = watched_count + (new.kind = 'watched' and new.withheld < 2),
    on_hold_count = on_hold_count + (new.kind = 'on_hold' and new.withheld < 2),
    stop_watching_count = stop_watching_count + (new.kind = 'stop_watching' and new.withheld < 2),
    version = version + 1
  where id = new.user_id;
end;

create trigger reviews_counts_insert after insert on reviews begin
  update works set reviews_count = reviews_count + 1, version = version + 1
  where id = new.work_id and new.body <> '' and new.withheld = 0;
  update withheld_rows set number = number + 1
  where table_name = 'reviews' and new.withheld <> 0;
  update reviews set withheld = iif((new.private = 1 or new.hidden_by is not null), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id))
  where id = new.id and iif((new.private = 1 or new.hidden_by is not null), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id)) <> new.withheld;
end;

create trigger reviews_counts_delete after delete on reviews begin
  update works set reviews_count = reviews_count - 1, version = version + 1
  where id = old.work_id and old.body <> '' and old.withheld = 0;
  update withheld_rows set number = number - 1
  where table_name = 'reviews' and old.withheld <> 0;
end;

create trigger reviews_counts_update_work_id after update of work_id, body, withheld on reviews
when old.work_id is not new.work_id
    or (old.body <> '' and old.withheld = 0) is not (new.body <> '' and new.withheld = 0) begin
  update works set reviews_count = reviews_count - 1, version = version + 1
  where id = old.work_id and old.body <> '' and old.withheld = 0;
  update works set reviews_count = reviews_count + 1, version = version + 1
  where id = new.work_id and new.body <> '' and new.withheld = 0;
end;

create trigger records_counts_insert after insert on records begin
  update episodes set records_count = records_count + (new.withheld = 0),
    record_comments_count = record_comments_count + (new.comment <> '' and new.withheld = 0),
    version = version + 1
  where id = new.episode_id;
  update users set records_count = records_count + 1, version = version + 1
  where id = new.user_id and new.withheld < 2;
  update withheld_rows set number = number + 1
  where table_name = 'records' and new.withheld <> 0;
  update records set withheld = iif((new.private = 1 or new.hidden_by is not null), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id))
  where id = new.id and iif((new.private = 1 or new.hidden_by is not null), 2, (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id)) <> new.withheld;
end;

create trigger records_counts_delete after delete on records begin
  update episodes set records_count = records_count - (old.withheld = 0),
    record_comments_count = record_comments_count - (old.comment <> '' and old.withheld = 0),
    version = version + 1
  where id = old.episode_id;
  update users set records_count = records_count - 1, version = version + 1
  where id = old.user_id and old.withheld < 2;
  update withheld_rows set number = number - 1
  where table_name = 'records' and old.withheld <> 0;
end;

create trigger records_counts_update_episode_id after update of episode_id, withheld, comment on records
when old.episode_id is not new.episode_id
    or old.withheld is not new.withheld
    or old.comment is not new.comment begin
  update episodes set records_count = records_count - (old.withheld = 0),
    record_comments_count = record_comments_count - (old.comment <> '' and old.withheld = 0),
    version = version + 1
  where id = old.episode_id;
  update episodes set records_count = records_count + (new.withheld = 0),
    record_comments_count = record_comments_count + (new.comment <> '' and new.withheld = 0),
    version = version + 1
  where id = new.episode_id;
end;

create trigger records_counts_update_user_id after update of user_id, withheld on records
when old.user_id is not new.user_id or (old.withheld < 2) is not (new.withheld < 2) begin
  update users set records_count = records_count - 1, version = version + 1
  where id = old.user_id and old.withheld < 2;
  update users set records_count = records_count + 1, version = version + 1
  where id = new.user_id and new.withheld < 2;
end;

create trigger favorites_counts_insert after insert on favorites begin
  update characters set favorite_characters_count = favorite_characters_count + 1, version = version + 1
  where id = new.character_id and new.withheld = 0;
  update people set favorite_people_count = favorite_people_count + 1, version = version + 1
  where id = new.person_id and new.withheld = 0;
  update organizations set favorite_organizations_count = favorite_organizations_count + 1, version = version + 1
  where id = new.organization_id and new.withheld = 0;
  update favorites set withheld = (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id)
  where id = new.id and (select ((users.privacy = 'private') + (users.all_hidden_by is not null)) from users where id = new.user_id) <> new.withheld;
end;

create trigger favorites_counts_delete after delete on favorites begin
  update characters set favorite_characters_count = favorite_characters_count - 1, version = version + 1
  where id = old.character_id and old.withheld = 0;
  update people set favorite_people_count = favorite_people_count - 1, version = version + 1
  where id = old.person_id and old.withheld = 0;
  update organizations set favorite_organizations_count = favorite_organizations_count - 1, version = version + 1
  where id = old.organization_id and old.withheld = 0;
end;

create trigger favorites_counts_update_character_id after update of character_id, withheld on favorites
when old.character_id is not new.character_id or (old.withheld = 0) is not (new.withheld = 0) begin
  update characters set favorite_characters_count = favorite_characters_count - 1, version = version + 1
  where id = old.character_id and old.withheld = 0;
  update characters set favorite_characters_count = favorite_characters_count + 1, version = version + 1
  where id = new.character_id and new.withheld = 0;
end;

create trigger favorites_counts_update_person_id after update of person_id, withheld on favorites
when old.person_id is not new.person_id or (old.withheld = 0) is not (new.withheld = 0) begin
  update people set favorite_people_count = favorite_people_count - 1, version = version + 1
  where id = old.person_id and old.withheld = 0;
  update people set favorite_people_count = favorite_people_count + 1, version = version + 1
  where id = new.person_id and new.withheld = 0;
end;

create trigger favorites_counts_update_organization_id after update of organization_id, withheld on favorites
when old.organization_id is not new.organization_id
    or (old.withheld = 0) is not (new.withheld = 0) begin
  update organizations set favorite_organizations_count = favorite_organizations_count - 1, version = version + 1
  where id = old.organization_id and old.withheld = 0;
  update organizations set favorite_organizations_count = favorite_organizations_count + 1, version = version + 1
  where id = new.organization_id and new.withheld = 0;
end;

create trigger follows_counts_insert after insert on follows begin
  update users set followings_count = followings_count + 1, version = version + 1
  where id = new.follower_id;
  update users set followers_count = followers_count + 1, version = version + 1
  where id = new.followed_id;
  update withheld_rows set number = number + 1
  where table_name = 'follows' and new.withheld <> 0;
  update follows set withheld = (select max(((users.privacy = 'private') + (users.all_hidden_by is not null))) from users where id in (new.follower_id, new.followed_id))
  where id = new.id and (select max(((users.privacy = 'private') + (users.all_hidden_by is not null))) from users where id in (new.follower_id, new.followed_id)) <> new.withheld;
end;

create trigger follows_counts_delete after delete on follows begin
  update users set followings_count = followings_count - 1, version = version + 1
  where id = old.follower_id;
  update users set followers_count = followers_count - 1, version = version + 1
  where id = old.followed_id;
  update withheld_rows set number = number - 1
  where table_name = 'follows' and old.withheld <> 0;
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
