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

create index ranks_keys on ranks (list, key, n) where block = -1;

create trigger records_ranks_insert after insert on records begin
  insert into ranks (list, key, block, n) values
    ('records by work', new.work_id, -1, 1),
    ('records by user', new.user_id, -1, 1),
    ('records', 0, new.id >> 12, 1),
    ('records', 0, -1, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment'), 0, new.id >> 12, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment'), 0, -1, 1),
    ('records' || ' by likes_count', new.likes_count, new.id >> 12, 1),
    ('records' || ' by likes_count', new.likes_count, -1, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment') || ' by likes_count', new.likes_count, new.id >> 12, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment') || ' by likes_count', new.likes_count, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger records_ranks_delete after delete on records begin
  update ranks set n = n - 1 where list = 'records by work' and key = old.work_id and block = -1;
  update ranks set n = n - 1 where list = 'records by user' and key = old.user_id and block = -1;
  update ranks set n = n - 1 where list = 'records' and key = 0 and block in (old.id >> 12, -1);
  update ranks set n = n - 1 where list = iif(old.comment <> '', 'records+comment', 'records-comment') and key = 0 and block in (old.id >> 12, -1);
  update ranks set n = n - 1 where list = 'records' || ' by likes_count' and key = old.likes_count and block in (old.id >> 12, -1);
  update ranks set n = n - 1 where list = iif(old.comment <> '', 'records+comment', 'records-comment') || ' by likes_count' and key = old.likes_count and block in (old.id >> 12, -1);
end;

create trigger reviews_ranks_insert after insert on reviews begin
  insert into ranks (list, key, block, n) values
    ('reviews by user', new.user_id, -1, 1),
    ('reviews', 0, new.id >> 12, 1),
    ('reviews', 0, -1, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body'), 0, new.id >> 12, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body'), 0, -1, 1),
    ('reviews' || ' by likes_count', new.likes_count, new.id >> 12, 1),
    ('reviews' || ' by likes_count', new.likes_count, -1, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body') || ' by likes_count', new.likes_count, new.id >> 12, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body') || ' by likes_count', new.likes_count, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger reviews_ranks_delete after delete on reviews begin
  update ranks set n = n - 1 where list = 'reviews by user' and key = old.user_id and block = -1;
  update ranks set n = n - 1 where list = 'reviews' and key = 0 and block in (old.id >> 12, -1);
  update ranks set n = n - 1 where list = iif(old.body <> '', 'reviews+body', 'reviews-body') and key = 0 and block in (old.id >> 12, -1);
  update ranks set n = n - 1 where list = 'reviews' || ' by likes_count' and key = old.likes_count and block in (old.id >> 12, -1);
  update ranks set n = n - 1 where list = iif(old.body <> '', 'reviews+body', 'reviews-body') || ' by likes_count' and key = old.likes_count and block in (old.id >> 12, -1);
end;

create trigger activities_ranks_insert after insert on activities begin
  insert into ranks (list, key, block, n) values
    ('activities by user', new.user_id, -1, 1),
    ('activities', 0, new.id >> 12, 1),
    ('activities', 0, -1, 1),
    ('activities=' || new.action, 0, new.id >> 12, 1),
    ('activities=' || new.action, 0, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger activities_ranks_delete after delete on activities begin
  update ranks set n = n - 1 where list = 'activities by user' and key = old.user_id and block = -1;
  update ranks set n = n - 1 where list = 'activities' and key = 0 and block in (old.id >> 12, -1);
  update ranks set n = n - 1 where list = 'activities=' || old.action and key = 0 and block in (old.id >> 12, -1);
end;

create trigger follows_ranks_insert after insert on follows begin
  insert into ranks (list, key, block, n) values
    ('follows', 0, new.id >> 12, 1),
    ('follows', 0, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger follows_ranks_delete after delete on follows begin
  update ranks set n = n - 1 where list = 'follows' and key = 0 and block in (old.id >> 12, -1);
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

create trigger records_ranks_move after update of work_id, user_id on records when old.work_id <> new.work_id or old.user_id <> new.user_id begin
  update ranks set n = n - 1 where list = 'records by work' and key = old.work_id and block = -1;
  update ranks set n = n - 1 where list = 'records by user' and key = old.user_id and block = -1;
  insert into ranks (list, key, block, n) values
    ('records by work', new.work_id, -1, 1),
    ('records by user', new.user_id, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger reviews_ranks_move after update of user_id on reviews when old.user_id <> new.user_id begin
  update ranks set n = n - 1 where list = 'reviews by user' and key = old.user_id and block = -1;
  insert into ranks (list, key, block, n) values
    ('reviews by user', new.user_id, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger activities_ranks_move after update of user_id on activities when old.user_id <> new.user_id begin
  update ranks set n = n - 1 where list = 'activities by user' and key = old.user_id and block = -1;
  insert into ranks (list, key, block, n) values
    ('activities by user', new.user_id, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger records_ranks_change after update of likes_count, comment on records
when old.likes_count <> new.likes_count or (old.comment <> '') <> (new.comment <> '') begin
  update ranks set n = n - 1 where list = 'records' and key = 0 and block in (old.id >> 12, -1);
  update ranks set n = n - 1 where list = iif(old.comment <> '', 'records+comment', 'records-comment') and key = 0 and block in (old.id >> 12, -1);
  update ranks set n = n - 1 where list = 'records' || ' by likes_count' and key = old.likes_count and block in (old.id >> 12, -1);
  update ranks set n = n - 1 where list = iif(old.comment <> '', 'records+comment', 'records-comment') || ' by likes_count' and key = old.likes_count and block in (old.id >> 12, -1);
  insert into ranks (list, key, block, n) values
    ('records', 0, new.id >> 12, 1),
    ('records', 0, -1, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment'), 0, new.id >> 12, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment'), 0, -1, 1),
    ('records' || ' by likes_count', new.likes_count, new.id >> 12, 1),
    ('records' || ' by likes_count', new.likes_count, -1, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment') || ' by likes_count', new.likes_count, new.id >> 12, 1),
    (iif(new.comment <> '', 'records+comment', 'records-comment') || ' by likes_count', new.likes_count, -1, 1)
  on conflict do update set n = n + 1;
end;

create trigger reviews_ranks_change after update of likes_count, body on reviews
when old.likes_count <> new.likes_count or (old.body <> '') <> (new.body <> '') begin
  update ranks set n = n - 1 where list = 'reviews' and key = 0 and block in (old.id >> 12, -1);
  update ranks set n = n - 1 where list = iif(old.body <> '', 'reviews+body', 'reviews-body') and key = 0 and block in (old.id >> 12, -1);
  update ranks set n = n - 1 where list = 'reviews' || ' by likes_count' and key = old.likes_count and block in (old.id >> 12, -1);
  update ranks set n = n - 1 where list = iif(old.body <> '', 'reviews+body', 'reviews-body') || ' by likes_count' and key = old.likes_count and block in (old.id >> 12, -1);
  insert into ranks (list, key, block, n) values
    ('reviews', 0, new.id >> 12, 1),
    ('reviews', 0, -1, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body'), 0, new.id >> 12, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body'), 0, -1, 1),
    ('reviews' || ' by likes_count', new.likes_count, new.id >> 12, 1),
    ('reviews' || ' by likes_count', new.likes_count, -1, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body') || ' by likes_count', new.likes_count, new.id >> 12, 1),
    (iif(new.body <> '', 'reviews+body', 'reviews-body') || ' by likes_count', new.likes_count, -1, 1)
  on conflict do update set n = n + 1;
end;

-- The users there are already.
insert into ranks (list, key, block, n) select 'users', 0, id >> 12, count(*) from users group by 3;
insert into ranks (list, key, block, n) select 'users', 0, -1, count(*) from users having count(*) > 0;
