-- People with an account, how they sign in, and what leads to an account: invitations, one-time links, second factors.

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
  version integer not null default 1,
  -- raised when whom the user follows or mutes changes: their feed is kept until then
  feed_version integer not null default 0,
  -- of the pages, by its tag (src/messages/languages.ts says which there are); null for the browser's
  language text
) strict;

create table sessions (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  -- SHA-256 of the cookie's value (ST-01)
  session_hash blob not null unique check (length(session_hash) = 32),
  -- 1 between the password and the second factor: good for nothing but that
  awaits_factor integer not null default 0 check (awaits_factor in (0, 1)),
  user_agent text not null,
  address text not null,
  created_at integer not null,
  last_used_at integer not null,
  -- when the user last proved to be there
  confirmed_at integer not null,
  -- digests of the last forms that made what is shown once, with spaces between: each makes it a single time
  sent_forms text not null default ''
) strict;

create index sessions_user on sessions (user_id);

-- Browsers that somebody has signed in with: guesses of others do not make these wait.
create table devices (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  device_hash blob not null unique check (length(device_hash) = 32),
  last_used_at integer not null
) strict;

create index devices_user on devices (user_id);

-- Failed sign-ins, by address and by account.
create table throttles (
  key text primary key,
  failures integer not null check (failures > 0),
  last_failed_at integer not null
) strict, without rowid;

create index throttles_last_failed on throttles (last_failed_at);

create table one_time_links (
  id integer primary key autoincrement,
  purpose text not null check (purpose in ('setup', 'sign_up', 'reset', 'email')),
  -- null for the links that make a user
  user_id integer references users (id) on delete cascade,
  -- the address a link proves
  email text,
  -- what a sign-up uses up
  invitation_id integer references invitations (id) on delete cascade,
  link_hash blob not null unique check (length(link_hash) = 32),
  created_at integer not null,
  expires_at integer not null,
  check ((user_id is null) = (purpose in ('setup', 'sign_up'))),
  check ((email is not null) = (purpose in ('sign_up', 'email')))
) strict;

create index one_time_links_user on one_time_links (user_id);
create index one_time_links_email on one_time_links (email);
create index one_time_links_invitation on one_time_links (invitation_id);

create table invitations (
  id integer primary key autoincrement,
  -- null when whoever invited is gone, or was the command line
  created_by integer references users (id) on delete set null,
  note text not null,
  code_hash blob not null unique check (length(code_hash) = 32),
  uses_left integer not null check (uses_left >= 0),
  used_count integer not null default 0 check (used_count >= 0),
  created_at integer not null,
  -- null: does not expire
  expires_at integer
) strict;

-- Time-based one-time passwords (RFC 6238).
create table second_factors (
  user_id integer primary key references users (id) on delete cascade,
  -- shared with the user's device, so it cannot be a hash
  secret blob not null check (length(secret) = 20),
  -- null until a first code proved that the device has it
  confirmed_at integer,
  -- the last time step whose code was taken: each is good once (ASVS 6.5.1)
  last_step integer not null default 0
) strict;

create table recovery_codes (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  code_hash blob not null unique check (length(code_hash) = 32)
) strict;

create index recovery_codes_user on recovery_codes (user_id);

-- Accounts their owners deleted. What is in them goes piece by piece, so an interruption has to be made up for; comments
-- that stay do so under an account without a name.
create table deletions (
  user_id integer primary key references users (id) on delete cascade,
  keeps_comments integer not null check (keeps_comments in (0, 1)),
  begun_at integer not null,
  -- null while something is left to delete
  finished_at integer
) strict;
