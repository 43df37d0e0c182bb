-- Who invited whom, and people who wait for an administrator to let them in (registration `approve`, D51).

-- Whose invitation the account was made with; null without one, and once that account is gone.
alter table users add column invited_by integer references users (id) on delete set null;
create index users_invited_by on users (invited_by) where invited_by is not null;

-- Not users yet: nothing that shows users has to leave them out. An accepted or declined request is deleted.
create table join_requests (
  id integer primary key autoincrement,
  username text not null,
  -- as in `users`, and unique in both tables together
  username_key text not null unique,
  email text not null,
  -- null unless the address is verified
  email_key text unique,
  password_hash text not null,
  -- as it was asked
  question text not null,
  answer text not null check (length(answer) between 1 and 500),
  -- of the page on which it was sent, and of the letters about it
  language text not null,
  created_at integer not null
) strict;
