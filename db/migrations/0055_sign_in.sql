-- Ways to sign in besides a password (D100). An empty `users.password_hash` means that there is none.

-- A person's keys (D101). `credential_id` is the key's name on every site, `public_key` a COSE key (RFC 9052).
create table passkeys (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  credential_id blob not null unique,
  public_key blob not null,
  -- The host that it was made for: it works nowhere else.
  rp_id text not null,
  name text not null,
  -- Of signatures; 0 if the key does not count. One that does not grow is of a copy.
  counter integer not null,
  -- Whether it may be on several devices, which never changes, and whether it is.
  is_eligible integer not null check (is_eligible in (0, 1)),
  is_backed_up integer not null check (is_backed_up in (0, 1)),
  -- Whether it has ever checked who holds it; if not, it serves as a second step alone.
  is_verified integer not null check (is_verified in (0, 1)),
  -- Words with commas between them, as the browser reported them: internal, hybrid, usb.
  transports text not null,
  created_at integer not null,
  last_used_at integer
) strict;

create index passkeys_user on passkeys (user_id, id);

-- Who a person is at a provider (D102): by issuer and subject, never by a name or address.
create table identities (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  issuer text not null,
  subject text not null,
  -- As whom, to be shown.
  name text not null default '',
  created_at integer not null,
  last_used_at integer
) strict;

create unique index identities_subject on identities (issuer, subject);
create unique index identities_user on identities (user_id, issuer);

-- Those of whoever left for a provider and is not back yet: ten minutes.
create table provider_attempts (
  id integer primary key autoincrement,
  state_hash blob not null unique check (length(state_hash) = 32),
  -- SHA-256 of the browser's session cookie.
  browser_hash blob not null check (length(browser_hash) = 32),
  nonce text not null,
  verifier text not null,
  provider text not null,
  purpose text not null check (purpose in ('sign_in', 'connect', 'confirm')),
  session_id integer references sessions (id) on delete cascade,
  invitation_id integer references invitations (id) on delete cascade,
  return_to text not null,
  network text not null,
  created_at integer not null
) strict;

create index provider_attempts_network on provider_attempts (network, id);
create index provider_attempts_age on provider_attempts (created_at);
create index provider_attempts_session on provider_attempts (session_id) where session_id is not null;
create index provider_attempts_invitation on provider_attempts (invitation_id) where invitation_id is not null;

-- Challenges of passkeys that were answered: each counts once, within five minutes.
create table spent_challenges (
  challenge_hash blob not null primary key check (length(challenge_hash) = 32),
  spent_at integer not null
) strict, without rowid;

create index spent_challenges_age on spent_challenges (spent_at);

-- What a person sees of the sign-ins to the account, for 90 days.
create table sign_ins (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  at integer not null,
  way text not null check (way in ('password', 'passkey', 'provider', 'link')),
  -- The id of the provider, and the name of the passkey; '' otherwise.
  provider text not null default '',
  passkey text not null default '',
  second_step text not null default '' check (second_step in ('', 'code', 'passkey')),
  -- new_browser: signed in from a browser that was not known, until the person has said that it was them.
  outcome text not null check (outcome in ('ok', 'new_browser', 'wrong', 'wrong_code', 'disabled')),
  user_agent text not null,
  address text not null
) strict;

create index sign_ins_user on sign_ins (user_id, id);
create index sign_ins_age on sign_ins (at);

-- 32 random bytes: who the person is to a passkey. null until the first one.
alter table users add column passkey_handle blob check (passkey_handle is null or length(passkey_handle) = 32);
-- Whether passkeys serve as the second step after the password.
alter table users add column has_passkey_step integer not null default 0 check (has_passkey_step in (0, 1));
create unique index users_passkey_handle on users (passkey_handle) where passkey_handle is not null;

-- How the session began: it ends with the passkey or the identity.
alter table sessions add column way text not null default 'password' check (way in ('password', 'passkey', 'provider', 'link'));
alter table sessions add column passkey_id integer references passkeys (id) on delete set null;
alter table sessions add column identity_id integer references identities (id) on delete set null;
create index sessions_passkey on sessions (passkey_id) where passkey_id is not null;
create index sessions_identity on sessions (identity_id) where identity_id is not null;

-- The operator's link signs in (D104): a constraint cannot be altered.
create table new_one_time_links (
  id integer primary key autoincrement,
  purpose text not null check (purpose in ('setup', 'sign_up', 'reset', 'email', 'sign_in')),
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

insert into new_one_time_links (id, purpose, user_id, email, invitation_id, link_hash, created_at, expires_at)
select id, purpose, user_id, email, invitation_id, link_hash, created_at, expires_at from one_time_links;
drop table one_time_links;
alter table new_one_time_links rename to one_time_links;

create index one_time_links_user on one_time_links (user_id);
create index one_time_links_email on one_time_links (email);
create index one_time_links_invitation on one_time_links (invitation_id);
