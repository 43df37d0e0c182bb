-- Users, how they sign in (sessions, second factors), and how accounts are made (invitations, one-time links).

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
  -- email in lower case; null until the address is verified: nobody signs in with it before
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
  -- grows when the user follows or mutes somebody, or no longer does: their feed is cached until then
  feed_version integer not null default 0,
  -- of the pages, by its tag (src/messages/languages.ts has them); null for the browser's
  language text
) strict;

create table sessions (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  -- SHA-256 of the cookie's value
  session_hash blob not null unique check (length(session_hash) = 32),
  -- 1 between the password and the second factor: such a session can do nothing else
  awaits_factor integer not null default 0 check (awaits_factor in (0, 1)),
  user_agent text not null,
  address text not null,
  created_at integer not null,
  last_used_at integer not null,
  -- when the user last signed in or entered the password
  confirmed_at integer not null,
  -- digests of the last forms that made a secret which is shown once, separated by spaces: each form makes one
  sent_forms text not null default ''
) strict;

create index sessions_user on sessions (user_id);

-- Browsers that a user has signed in with: they do not have to wait because of failed attempts elsewhere.
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
  -- null for links that make a user
  user_id integer references users (id) on delete cascade,
  -- the address that a link verifies
  email text,
  -- the invitation that a sign-up uses
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
  -- null for invitations by the command line, or by users who were deleted since
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
  -- shared with the user's device, so it cannot be hashed
  secret blob not null check (length(secret) = 20),
  -- null until a first code proved that the device has it
  confirmed_at integer,
  -- the last time step whose code was accepted: each code is good once (ASVS 6.5.1)
  last_step integer not null default 0
) strict;

create table recovery_codes (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  code_hash blob not null unique check (length(code_hash) = 32)
) strict;

create index recovery_codes_user on recovery_codes (user_id);

-- Accounts that were deleted by their owners. Their rows are deleted piece by piece, and an interrupted deletion continues;
-- comments that are kept stay under an account without a name.
create table deletions (
  user_id integer primary key references users (id) on delete cascade,
  keeps_comments integer not null check (keeps_comments in (0, 1)),
  begun_at integer not null,
  -- null while something is left to delete
  finished_at integer
) strict;
