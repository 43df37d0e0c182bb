-- How many rows of a list lie in each stretch of 4,096 ids, so that its n-th row is found by adding up a few hundred
-- numbers instead of walking there. list names the rows counted; key is what the list is sorted by before the id, 0 where
-- it is sorted by the id alone; block is id >> 12, and -1 holds the total of the key.

create table ranks (
  list text not null,
  key integer not null,
  block integer not null,
  n integer not null check (n >= 0),
  primary key (list, key, block)
) strict, without rowid;

-- Without n, which changes with every write.
create index ranks_keys on ranks (list, key) where block = -1;

-- What a filter leaves: the rows of one work, user or episode. Each has its total; a key with 2,048 rows and more has
-- its stretches too, and those by likes under the list '<list> <key> by likes_count'. Fewer rows are walked, so that
-- what is written about most of what there is costs one number.

create view ranked (list, key, likes, id) as
  select 'records by work', work_id, likes_count, id from records union all
  select 'records by user', user_id, likes_count, id from records union all
  select 'records by episode', episode_id, likes_count, id from records union all
  select 'reviews by work', work_id, likes_count, id from reviews union all
  select 'reviews by user', user_id, likes_count, id from reviews union all
  select 'activities by user', user_id, null, id from activities union all
  select 'follows by follower', follower_id, null, id from follows union all
  select 'follows by followed', followed_id, null, id from follows;

-- One row more or less: insert a step of 1 or -1. likes is null where rows have none. New rows do the same at less cost.
create view rank_steps (list, key, likes, id, step) as select '', 0, 0, 0, 0 where false;

create trigger rank_steps_add instead of insert on rank_steps when new.step = 1 begin
  insert into ranks (list, key, block, n) values (new.list, new.key, -1, 1) on conflict do update set n = n + 1;
  insert into rank_splits (list, key, likes, id, step, n)
  select list, key, new.likes, new.id, 1, n from ranks
  where list = new.list and key = new.key and block = -1 and n >= 2048;
end;

create trigger rank_steps_remove instead of insert on rank_steps when new.step = -1 begin
  update ranks set n = n - 1 where list = new.list and key = new.key and block = -1;
  insert into rank_splits (list, key, likes, id, step, n)
  select list, key, new.likes, new.id, -1, n from ranks
  where list = new.list and key = new.key and block = -1 and n >= 2047;
end;

-- The same step in the stretches of a key that has 2,048 rows, or had them just before; n: its rows now.
create view rank_splits (list, key, likes, id, step, n) as select '', 0, 0, 0, 0, 0 where false;

create trigger rank_splits_make instead of insert on rank_splits when new.step = 1 and new.n = 2048 begin
  insert into ranks (list, key, block, n)
  select list, key, id >> 12, count(*) from ranked where list = new.list and key = new.key group by 3;
  insert into ranks (list, key, block, n)
  select list || ' ' || key || ' by likes_count', likes, id >> 12, count(*) from ranked
  where list = new.list and key = new.key and likes is not null group by 2, 3;
  insert into ranks (list, key, block, n)
  select list || ' ' || key || ' by likes_count', likes, -1, count(*) from ranked
  where list = new.list and key = new.key and likes is not null group by 2;
end;

create trigger rank_splits_add instead of insert on rank_splits when new.step = 1 and new.n > 2048 begin
  insert into ranks (list, key, block, n) values (new.list, new.key, new.id >> 12, 1)
  on conflict do update set n = n + 1;
  insert into rank_likes (list, key, new_likes, id)
  select new.list, new.key, new.likes, new.id where new.likes is not null;
end;

create trigger rank_splits_remove instead of insert on rank_splits when new.step = -1 and new.n >= 2048 begin
  update ranks set n = n - 1 where list = new.list and key = new.key and block = new.id >> 12;
  insert into rank_likes (list, key, old_likes, id)
  select new.list, new.key, new.likes, new.id where new.likes is not null;
end;

create trigger rank_splits_drop instead of insert on rank_splits when new.step = -1 and new.n = 2047 begin
  delete from ranks where list = new.list and key = new.key and block >= 0;
  delete from ranks where list = new.list || ' ' || new.key || ' by likes_count';
end;

-- A row of a split key that had, has, or had and has so many likes.
create view rank_likes (list, key, old_likes, new_likes, id) as select '', 0, 0, 0, 0 where false;

create trigger rank_likes_old instead of insert on rank_likes when new.old_likes is not null begin
  update ranks set n = n - 1
  where list = new.list || ' ' || new.key || ' by likes_count' and key = new.old_likes and block in (new.id >> 12, -1);
end;

create trigger rank_likes_new instead of insert on rank_likes when new.new_likes is not null begin
  insert into ranks (list, key, block, n) values
    (new.list || ' ' || new.key || ' by likes_count', new.new_likes, new.id >> 12, 1),
    (new.list || ' ' || new.key || ' by likes_count', new.new_likes, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger records_ranks_insert after insert on records begin
  insert into ranks (list, key, block, n) values
    ('records by work', new.work_id, -1, 1),
    ('records by user', new.user_id, -1, 1),
    ('records by episode', new.episode_id, -1, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment'), 0, new.id >> 12, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment'), 0, -1, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment') || ' by likes_count', new.likes_count, new.id >> 12, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment') || ' by likes_count', new.likes_count, -1, 1)
  on conflict do update set n = n + 1;
  insert into rank_splits (list, key, likes, id, step, n)
  select list, key, new.likes_count, new.id, 1, n from ranks
  where block = -1 and n >= 2048 and (list = 'records by work' and key = new.work_id
    or list = 'records by user' and key = new.user_id
    or list = 'records by episode' and key = new.episode_id);
end;

create trigger records_ranks_delete after delete on records begin
  update ranks set n = n - 1 where list = iif(old.comment <> '', 'records+comment', 'records-comment') and key = 0 and block in (old.id >> 12, -1);
  update ranks set n = n - 1 where list = iif(old.comment <> '', 'records+comment', 'records-comment') || ' by likes_count' and key = old.likes_count and block in (old.id >> 12, -1);
  insert into rank_steps (list, key, likes, id, step) values
    ('records by work', old.work_id, old.likes_count, old.id, -1),
    ('records by user', old.user_id, old.likes_count, old.id, -1),
    ('records by episode', old.episode_id, old.likes_count, old.id, -1);
end;

create trigger reviews_ranks_insert after insert on reviews begin
  insert into ranks (list, key, block, n) values
    ('reviews by work', new.work_id, -1, 1),
    ('reviews by user', new.user_id, -1, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body'), 0, new.id >> 12, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body'), 0, -1, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body') || ' by likes_count', new.likes_count, new.id >> 12, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body') || ' by likes_count', new.likes_count, -1, 1)
  on conflict do update set n = n + 1;
  insert into rank_splits (list, key, likes, id, step, n)
  select list, key, new.likes_count, new.id, 1, n from ranks
  where block = -1 and n >= 2048 and (list = 'reviews by work' and key = new.work_id
    or list = 'reviews by user' and key = new.user_id);
end;

create trigger reviews_ranks_delete after delete on reviews begin
  update ranks set n = n - 1 where list = iif(old.body <> '', 'reviews+body', 'reviews-body') and key = 0 and block in (old.id >> 12, -1);
  update ranks set n = n - 1 where list = iif(old.body <> '', 'reviews+body', 'reviews-body') || ' by likes_count' and key = old.likes_count and block in (old.id >> 12, -1);
  insert into rank_steps (list, key, likes, id, step) values
    ('reviews by work', old.work_id, old.likes_count, old.id, -1),
    ('reviews by user', old.user_id, old.likes_count, old.id, -1);
end;

create trigger activities_ranks_insert after insert on activities begin
  insert into ranks (list, key, block, n) values
    ('activities by user', new.user_id, -1, 1),
    ('activities=' || new.action, 0, new.id >> 12, 1),
    ('activities=' || new.action, 0, -1, 1)
  on conflict do update set n = n + 1;
  insert into rank_splits (list, key, likes, id, step, n)
  select list, key, null, new.id, 1, n from ranks
  where block = -1 and n >= 2048 and list = 'activities by user' and key = new.user_id;
end;

create trigger activities_ranks_delete after delete on activities begin
  update ranks set n = n - 1 where list = 'activities=' || old.action and key = 0 and block in (old.id >> 12, -1);
  insert into rank_steps (list, key, likes, id, step) values
    ('activities by user', old.user_id, null, old.id, -1);
end;

create trigger follows_ranks_insert after insert on follows begin
  insert into ranks (list, key, block, n) values
    ('follows by follower', new.follower_id, -1, 1),
    ('follows by followed', new.followed_id, -1, 1),
    ('follows', 0, new.id >> 12, 1),
    ('follows', 0, -1, 1)
  on conflict do update set n = n + 1;
  insert into rank_splits (list, key, likes, id, step, n)
  select list, key, null, new.id, 1, n from ranks
  where block = -1 and n >= 2048 and (list = 'follows by follower' and key = new.follower_id
    or list = 'follows by followed' and key = new.followed_id);
end;

create trigger follows_ranks_delete after delete on follows begin
  update ranks set n = n - 1 where list = 'follows' and key = 0 and block in (old.id >> 12, -1);
  insert into rank_steps (list, key, likes, id, step) values
    ('follows by follower', old.follower_id, null, old.id, -1),
    ('follows by followed', old.followed_id, null, old.id, -1);
end;

create trigger notifications_ranks_insert after insert on notifications begin
  insert into ranks (list, key, block, n) values ('notifications by user', new.user_id, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger notifications_ranks_delete after delete on notifications begin
  update ranks set n = n - 1 where list = 'notifications by user' and key = old.user_id and block = -1;
end;

create trigger users_ranks_insert after insert on users begin
  insert into ranks (list, key, block, n) values
    ('users', 0, new.id >> 12, 1),
    ('users', 0, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger users_ranks_delete after delete on users begin
  update ranks set n = n - 1 where list = 'users' and key = 0 and block in (old.id >> 12, -1);
end;

create trigger records_ranks_move after update of work_id, user_id, episode_id on records when old.work_id <> new.work_id or old.user_id <> new.user_id or old.episode_id <> new.episode_id begin
  insert into rank_steps (list, key, likes, id, step)
  select 'records by work', old.work_id, old.likes_count, old.id, -1 where old.work_id <> new.work_id
  union all select 'records by work', new.work_id, new.likes_count, new.id, 1 where old.work_id <> new.work_id
  union all select 'records by user', old.user_id, old.likes_count, old.id, -1 where old.user_id <> new.user_id
  union all select 'records by user', new.user_id, new.likes_count, new.id, 1 where old.user_id <> new.user_id
  union all select 'records by episode', old.episode_id, old.likes_count, old.id, -1 where old.episode_id <> new.episode_id
  union all select 'records by episode', new.episode_id, new.likes_count, new.id, 1 where old.episode_id <> new.episode_id;
end;

create trigger reviews_ranks_move after update of work_id, user_id on reviews when old.work_id <> new.work_id or old.user_id <> new.user_id begin
  insert into rank_steps (list, key, likes, id, step)
  select 'reviews by work', old.work_id, old.likes_count, old.id, -1 where old.work_id <> new.work_id
  union all select 'reviews by work', new.work_id, new.likes_count, new.id, 1 where old.work_id <> new.work_id
  union all select 'reviews by user', old.user_id, old.likes_count, old.id, -1 where old.user_id <> new.user_id
  union all select 'reviews by user', new.user_id, new.likes_count, new.id, 1 where old.user_id <> new.user_id;
end;

create trigger activities_ranks_move after update of user_id on activities when old.user_id <> new.user_id begin
  insert into rank_steps (list, key, likes, id, step)
  select 'activities by user', old.user_id, null, old.id, -1 where old.user_id <> new.user_id
  union all select 'activities by user', new.user_id, null, new.id, 1 where old.user_id <> new.user_id;
end;

create trigger records_ranks_liked after update of likes_count on records when old.likes_count <> new.likes_count begin
  insert into rank_likes (list, key, old_likes, new_likes, id)
  select split.list, split.key, old.likes_count, new.likes_count, new.id from (
    select 'records by work' as list, new.work_id as key where old.work_id = new.work_id
    union all select 'records by user', new.user_id where old.user_id = new.user_id
    union all select 'records by episode', new.episode_id where old.episode_id = new.episode_id) as split
  where exists (select 1 from ranks where ranks.list = split.list and ranks.key = split.key and block >= 0);
end;

create trigger reviews_ranks_liked after update of likes_count on reviews when old.likes_count <> new.likes_count begin
  insert into rank_likes (list, key, old_likes, new_likes, id)
  select split.list, split.key, old.likes_count, new.likes_count, new.id from (
    select 'reviews by work' as list, new.work_id as key where old.work_id = new.work_id
    union all select 'reviews by user', new.user_id where old.user_id = new.user_id) as split
  where exists (select 1 from ranks where ranks.list = split.list and ranks.key = split.key and block >= 0);
end;

create trigger records_ranks_change after update of likes_count, comment on records
when old.likes_count <> new.likes_count or (old.comment <> '') <> (new.comment <> '') begin
  update ranks set n = n - 1 where list = iif(old.comment <> '', 'records+comment', 'records-comment') and key = 0 and block in (old.id >> 12, -1);
  update ranks set n = n - 1 where list = iif(old.comment <> '', 'records+comment', 'records-comment') || ' by likes_count' and key = old.likes_count and block in (old.id >> 12, -1);
  insert into ranks (list, key, block, n) values
    (iif(new.comment <> '', 'records+comment', 'records-comment'), 0, new.id >> 12, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment'), 0, -1, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment') || ' by likes_count', new.likes_count, new.id >> 12, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment') || ' by likes_count', new.likes_count, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger reviews_ranks_change after update of likes_count, body on reviews
when old.likes_count <> new.likes_count or (old.body <> '') <> (new.body <> '') begin
  update ranks set n = n - 1 where list = iif(old.body <> '', 'reviews+body', 'reviews-body') and key = 0 and block in (old.id >> 12, -1);
  update ranks set n = n - 1 where list = iif(old.body <> '', 'reviews+body', 'reviews-body') || ' by likes_count' and key = old.likes_count and block in (old.id >> 12, -1);
  insert into ranks (list, key, block, n) values
    (iif(new.body <> '', 'reviews+body', 'reviews-body'), 0, new.id >> 12, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body'), 0, -1, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body') || ' by likes_count', new.likes_count, new.id >> 12, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body') || ' by likes_count', new.likes_count, -1, 1)
  on conflict do update set n = n + 1;
end;

-- The users there are already.
insert into ranks (list, key, block, n) select 'users', 0, id >> 12, count(*) from users group by 3;
insert into ranks (list, key, block, n) select 'users', 0, -1, count(*) from users having count(*) > 0;
