-- Deleted accounts are not among the users, whether comments stay under them or they are still being deleted: totals and
-- ranks count the users without a row in deletions. When such a user goes for good, that row goes first, by cascade.

create trigger deletions_users_begin after insert on deletions begin
  update totals set n = n - 1 where name = 'users';
  update ranks set n = n - 1 where list = 'users' and key = 0 and block in (new.user_id >> 12, -1);
end;

create trigger deletions_users_end after delete on deletions begin
  update totals set n = n + 1 where name = 'users';
  update ranks set n = n + 1 where list = 'users' and key = 0 and block in (old.user_id >> 12, -1);
end;

-- The deletions there are already.
update totals set n = n - (select count(*) from deletions) where name = 'users';
update ranks set n = n - (select count(*) from deletions where user_id >> 12 = block)
where list = 'users' and key = 0 and block >= 0;
update ranks set n = n - (select count(*) from deletions) where list = 'users' and key = 0 and block = -1;
