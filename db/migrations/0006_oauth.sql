-- Client applications, what they are granted (RFC 6749, RFC 7636, RFC 8628), and the tokens that act for users.

create table applications (
  id integer primary key autoincrement,
  owner_id integer not null references users (id) on delete cascade,
  -- the client_id
  uid text not null unique,
  name text not null,
  -- one per line
  redirect_uris text not null,
  scope text not null check (scope in ('read', 'write', 'read write')),
  is_confidential integer not null check (is_confidential in (0, 1)),
  has_device_grant integer not null default 0 check (has_device_grant in (0, 1)),
  created_at integer not null,
  updated_at integer not null
) strict;

create index applications_owner on applications (owner_id);

create table client_secrets (
  id integer primary key autoincrement,
  application_id integer not null references applications (id) on delete cascade,
  secret_hash blob not null unique check (length(secret_hash) = 32),
  created_at integer not null,
  -- null for the current one, the end of the overlap for one that was rotated
  expires_at integer
) strict;

create index client_secrets_application on client_secrets (application_id);

-- What a user is asked to consent to: the form carries nothing but its handle.
create table consent_requests (
  id integer primary key autoincrement,
  handle_hash blob not null unique check (length(handle_hash) = 32),
  session_id integer not null references sessions (id) on delete cascade,
  application_id integer not null references applications (id) on delete cascade,
  redirect_uri text not null,
  scope text not null check (scope in ('read', 'write', 'read write')),
  state text,
  -- S256
  code_challenge text,
  created_at integer not null,
  expires_at integer not null
) strict;

create index consent_requests_session on consent_requests (session_id);
create index consent_requests_expires on consent_requests (expires_at);
create index consent_requests_application on consent_requests (application_id);

-- Kept after their use, so that a second use is noticed.
create table authorization_codes (
  id integer primary key autoincrement,
  code_hash blob not null unique check (length(code_hash) = 32),
  application_id integer not null references applications (id) on delete cascade,
  user_id integer not null references users (id) on delete cascade,
  redirect_uri text not null,
  scope text not null check (scope in ('read', 'write', 'read write')),
  code_challenge text,
  created_at integer not null,
  expires_at integer not null,
  used_at integer
) strict;

create index authorization_codes_application on authorization_codes (application_id);
create index authorization_codes_user on authorization_codes (user_id);
create index authorization_codes_expires on authorization_codes (expires_at);

create table device_grants (
  id integer primary key autoincrement,
  device_code_hash blob not null unique check (length(device_code_hash) = 32),
  user_code_hash blob not null unique check (length(user_code_hash) = 32),
  application_id integer not null references applications (id) on delete cascade,
  scope text not null check (scope in ('read', 'write', 'read write')),
  -- who decided, and how
  user_id integer references users (id) on delete cascade,
  decision text check (decision in ('approve', 'deny')),
  created_at integer not null,
  expires_at integer not null,
  last_polled_at integer,
  -- seconds between polls
  interval integer not null default 5,
  check ((user_id is null) = (decision is null))
) strict;

create index device_grants_application on device_grants (application_id);
create index device_grants_expires on device_grants (expires_at);
create index device_grants_user on device_grants (user_id);

create table tokens (
  id integer primary key autoincrement,
  user_id integer not null references users (id) on delete cascade,
  description text not null,
  scope text not null check (scope in ('read', 'write', 'read write')),
  -- SHA-256 of the whole token; the token itself is not stored
  token_hash blob not null unique check (length(token_hash) = 32),
  created_at integer not null,
  -- epoch milliseconds; null for one that does not expire, or was never used
  expires_at integer,
  last_used_at integer,
  -- null for a personal access token
  application_id integer references applications (id) on delete cascade,
  -- the code that it was issued for, so that a replay of the code revokes it
  code_id integer references authorization_codes (id) on delete set null
) strict;

create index tokens_user on tokens (user_id);
create index tokens_application on tokens (application_id, user_id);
create index tokens_code on tokens (code_id);
