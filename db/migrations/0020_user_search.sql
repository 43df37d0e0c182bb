-- Search for users (`filter_query`). src/accounts/name-index.ts folds a user's names and cuts them into hexadecimal bigrams,
-- as those of titles in 0004_search.sql; rowid is the id of the user. What a deleted account was called goes at once.
create virtual table users_search using fts5 (grams, tokenize = 'ascii', prefix = '4');
insert into users_search (users_search, rank) values ('secure-delete', 1);

-- Users whose names are new: users_search has none of theirs, and a search compares them one by one. Whoever writes names
-- indexes them afterwards, and the upgrade those of today.
create table unindexed_users (id integer primary key) strict;

insert into unindexed_users (id) select id from users;

create trigger users_search_insert after insert on users begin
  insert into unindexed_users (id) values (new.id);
end;

create trigger users_search_rename after update of username_key, name on users
when new.username_key <> old.username_key or new.name <> old.name begin
  delete from users_search where rowid = new.id;
  insert into unindexed_users (id) values (new.id) on conflict do nothing;
end;

create trigger users_search_delete after delete on users begin
  delete from users_search where rowid = old.id;
  delete from unindexed_users where id = old.id;
end;
