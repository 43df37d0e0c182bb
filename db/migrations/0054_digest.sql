-- The e-mail of the morning (people.md §7): words of `noticeKinds` with commas between them; '' for none.
alter table users add column digest text not null default '';
-- When the next one is due, in epoch milliseconds; 0 if that has to be found out.
alter table users add column digest_at integer not null default 0;
-- The last notification that one told of.
alter table users add column digest_told integer not null default 0;
-- In the address that ends them; it is sent in each, so it cannot be a hash.
alter table users add column digest_secret text;

create index users_digest on users (digest_at) where digest <> '';
create unique index users_digest_secret on users (digest_secret) where digest_secret is not null;

create trigger users_digest_changed after update of digest, time_zone on users when new.digest_at <> 0 begin
  update users set digest_at = 0 where id = new.id;
end;

-- Nothing that was told before somebody wants it is news.
create trigger users_digest_began after update of digest on users when old.digest = '' and new.digest <> '' begin
  update users set digest_told = ifnull((select max(id) from notifications), 0) where id = new.id;
end;
