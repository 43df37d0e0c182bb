-- People with an account, and the tokens that act for them.

create table users (
  id integer primary key autoincrement,
  username text not null check (username not glob '*[^A-Za-z0-9_]*' and length(username) between 1 and 20),
  -- username in lower case: names are unique whatever their case (D50)
  username_key text not null unique,
  name text not null,
  description text not null default '',
  url text,
  avatar_url text not null default '',
  background_image_url text not null default '',
  email text not null,
  -- email in lower case; null while nobody proved that the address is theirs: then it signs nobody in
  email_key text unique,
  password_hash text not null,
  is_admin integer not null default 0 check (is_admin in (0, 1)),
  records_count integer not null default 0 check (records_count >= 0),
  followings_count integer not null default 0 check (followings_count >= 0),
  followers_count integer not null default 0 check (followers_count >= 0),
  wanna_watch_count integer not null default 0 check (wanna_watch_count >= 0),
  watching_count integer not null default 0 check (watching_count >= 0),
  watched_count integer not null default 0 check (watched_count >= 0),
  on_hold_count integer not null default 0 check (on_hold_count >= 0),
  stop_watching_count integer not null default 0 check (stop_watching_count >= 0),
  notifications_count integer not null default 0 check (notifications_count >= 0),
  -- epoch milliseconds; null while the account is in use
  disabled_at integer,
  created_at integer not null,
  version integer not null default 1
) strict;

create trigger users_total_insert after insert on users begin
  update totals set n = n + 1 where name = 'users';
end;

create trigger users_total_delete after delete on users begin
  update totals set n = n - 1 where name = 'users';
end;

create table tokens (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  description text not null,
  scope text not null check (scope in ('read', 'write', 'read write')),
  -- SHA-256 of the whole token; the token itself is kept nowhere.
  token_hash blob not null unique check (length(token_hash) = 32),
  created_at integer not null,
  -- epoch milliseconds; null: does not expire, was never used
  expires_at integer,
  last_used_at integer
) strict;

create index tokens_user on tokens (user_id);
