-- Where people are told of news elsewhere (D85, D86). Their addresses and tokens are sent on, so they cannot be hashes.
create table destinations (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  kind text not null check (kind in ('webhook', 'ntfy', 'gotify', 'discord')),
  url text not null,
  -- Of the address: only one message at a time is sent to each.
  host text not null,
  token text not null default '',
  -- Signs what a webhook gets.
  secret text not null default '',
  -- Words with commas between them: episode, notification, record.
  events text not null,
  is_on integer not null default 1 check (is_on in (0, 1)),
  -- Messages that failed since the last one that did not.
  failures integer not null default 0,
  last_ok_at integer,
  created_at integer not null
) strict;

create index destinations_user on destinations (user_id, id);

-- What was, or is to be, sent there.
create table outgoing (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  destination_id integer not null references destinations (id) on delete cascade,
  kind text not null check (kind in ('episode', 'notification', 'record')),
  -- JSON of src/delivery/items.ts, at most 20; `more` counts those that did not fit.
  items text not null check (json_valid(items)),
  more integer not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'dropped')),
  tries integer not null default 0,
  next_at integer not null,
  created_at integer not null,
  ended_at integer,
  http_status integer,
  why text
) strict;

create index outgoing_due on outgoing (next_at) where state = 'waiting';
create index outgoing_waiting on outgoing (user_id, id) where state = 'waiting';
create index outgoing_destination on outgoing (destination_id, kind, id);
create index outgoing_user on outgoing (user_id, id);
create index outgoing_ended on outgoing (ended_at) where ended_at is not null;

-- When nothing is sent to one: minutes since midnight in one's own zone; null for always.
alter table users add column quiet_from integer default 1380 check (quiet_from between 0 and 1439);
alter table users add column quiet_to integer default 480 check (quiet_to between 0 and 1439);
