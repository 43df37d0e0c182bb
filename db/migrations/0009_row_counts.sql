-- How many rows lists have, so that nobody counts them: a list's total, and how many of its rows lie in each block of 4,096
-- ids, so that its n-th row is found by adding up a few hundred numbers. Triggers keep it (0010_triggers.sql).

create table row_counts (
  -- which rows are counted (db/facts/row-counts.ts)
  list text not null,
  -- what the list is sorted by before the id, or whose rows are counted; 0 for a list by id alone
  key integer not null,
  -- id >> 12; -1 for the total
  block integer not null,
  n integer not null check (n >= 0),
  primary key (list, key, block)
) strict, without rowid;

-- Without n, which changes with every write.
create index row_counts_keys on row_counts (list, key) where block = -1;

-- The rows of one work, user or episode are counted by key: in all, and from 2,048 rows on also by block, and by likes under
-- the list '<list> <key> by likes_count'. Fewer rows are walked, so what is written about most of what there is costs one
-- number. Inserting into one of the views below is a call of a procedure; keyed_rows (0010_triggers.sql) has all rows.

-- One row more or less in a list: insert a step of 1 or -1. likes is null where rows have none. New rows do the same at
-- less cost.
create view row_count_steps (list, key, likes, id, step) as select '', 0, 0, 0, 0 where false;

create trigger row_count_steps_add instead of insert on row_count_steps when new.step = 1 begin
  insert into row_counts (list, key, block, n) values (new.list, new.key, -1, 1) on conflict do update set n = n + 1;
  insert into row_count_splits (list, key, likes, id, step, n)
  select list, key, new.likes, new.id, 1, n from row_counts
  where list = new.list and key = new.key and block = -1 and n >= 2048;
end;

create trigger row_count_steps_remove instead of insert on row_count_steps when new.step = -1 begin
  update row_counts set n = n - 1 where list = new.list and key = new.key and block = -1;
  insert into row_count_splits (list, key, likes, id, step, n)
  select list, key, new.likes, new.id, -1, n from row_counts
  where list = new.list and key = new.key and block = -1 and n >= 2047;
end;

-- The same step in the blocks of a key that has 2048 rows, or had them just before; n: its rows now.
create view row_count_splits (list, key, likes, id, step, n) as select '', 0, 0, 0, 0, 0 where false;

create trigger row_count_splits_make instead of insert on row_count_splits when new.step = 1 and new.n = 2048 begin
  insert into row_counts (list, key, block, n)
  select list, key, id >> 12, count(*) from keyed_rows where list = new.list and key = new.key group by 3;
  insert into row_counts (list, key, block, n)
  select list || ' ' || key || ' by likes_count', likes, id >> 12, count(*) from keyed_rows
  where list = new.list and key = new.key and likes is not null group by 2, 3;
  insert into row_counts (list, key, block, n)
  select list || ' ' || key || ' by likes_count', likes, -1, count(*) from keyed_rows
  where list = new.list and key = new.key and likes is not null group by 2;
end;

create trigger row_count_splits_add instead of insert on row_count_splits when new.step = 1 and new.n > 2048 begin
  insert into row_counts (list, key, block, n) values (new.list, new.key, new.id >> 12, 1)
  on conflict do update set n = n + 1;
  insert into row_count_likes (list, key, new_likes, id)
  select new.list, new.key, new.likes, new.id where new.likes is not null;
end;

create trigger row_count_splits_remove instead of insert on row_count_splits when new.step = -1 and new.n >= 2048 begin
  update row_counts set n = n - 1 where list = new.list and key = new.key and block = new.id >> 12;
  insert into row_count_likes (list, key, old_likes, id)
  select new.list, new.key, new.likes, new.id where new.likes is not null;
end;

create trigger row_count_splits_drop instead of insert on row_count_splits when new.step = -1 and new.n = 2047 begin
  delete from row_counts where list = new.list and key = new.key and block >= 0;
  delete from row_counts where list = new.list || ' ' || new.key || ' by likes_count';
end;

-- A row of a split key that had, has, or had and has so many likes.
create view row_count_likes (list, key, old_likes, new_likes, id) as select '', 0, 0, 0, 0 where false;

create trigger row_count_likes_old instead of insert on row_count_likes when new.old_likes is not null begin
  update row_counts set n = n - 1
  where list = new.list || ' ' || new.key || ' by likes_count' and key = new.old_likes and block in (new.id >> 12, -1);
end;

create trigger row_count_likes_new instead of insert on row_count_likes when new.new_likes is not null begin
  insert into row_counts (list, key, block, n) values
    (new.list || ' ' || new.key || ' by likes_count', new.new_likes, new.id >> 12, 1),
    (new.list || ' ' || new.key || ' by likes_count', new.new_likes, -1, 1)
  on conflict do update set n = n + 1;
end;
