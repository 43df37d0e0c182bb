-- A browser is a destination, too (D86): `url` is what its maker's server gave it, `token` its key (p256dh), `secret` its
-- authentication secret (RFC 8291); it goes with its session. A `check` cannot be altered, so both tables are made anew.
create table new_destinations (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  kind text not null check (kind in ('webhook', 'ntfy', 'gotify', 'discord', 'push')),
  url text not null,
  -- Of the address: only one message at a time is sent to each.
  host text not null,
  token text not null default '',
  -- Signs what a webhook gets.
  secret text not null default '',
  -- Words of `newsWords` with commas between them.
  events text not null,
  is_on integer not null default 1 check (is_on in (0, 1)),
  -- Messages that failed since the last one that did not.
  failures integer not null default 0,
  last_ok_at integer,
  created_at integer not null,
  session_id integer references sessions (id) on delete cascade,
  check ((kind = 'push') = (session_id is not null))
) strict;

create table new_outgoing (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  destination_id integer not null references new_destinations (id) on delete cascade,
  kind text not null check (kind in ('episode', 'notification', 'record')),
  -- JSON of `NewsItem`, at most 20; `more` counts those that did not fit.
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

insert into new_destinations (
  id, user_id, kind, url, host, token, secret, events, is_on, failures, last_ok_at, created_at)
select id, user_id, kind, url, host, token, secret, events, is_on, failures, last_ok_at, created_at from destinations;

insert into new_outgoing (
  id, user_id, destination_id, kind, items, more, state, tries, next_at, created_at, ended_at, http_status, why)
select id, user_id, destination_id, kind, items, more, state, tries, next_at, created_at, ended_at, http_status, why
from outgoing;

-- Ids are never used again (D3).
update sqlite_sequence set seq = max(seq, (select old.seq from sqlite_sequence as old where old.name = 'destinations'))
where name = 'new_destinations' and exists (select 1 from sqlite_sequence as old where old.name = 'destinations');
update sqlite_sequence set seq = max(seq, (select old.seq from sqlite_sequence as old where old.name = 'outgoing'))
where name = 'new_outgoing' and exists (select 1 from sqlite_sequence as old where old.name = 'outgoing');

drop table outgoing;
drop table destinations;
alter table new_destinations rename to destinations;
alter table new_outgoing rename to outgoing;

create index destinations_user on destinations (user_id, id);
create unique index destinations_session on destinations (session_id) where session_id is not null;
create index outgoing_due on outgoing (next_at) where state = 'waiting';
create index outgoing_waiting on outgoing (user_id, id) where state = 'waiting';
create index outgoing_destination on outgoing (destination_id, kind, id);
create index outgoing_user on outgoing (user_id, id);
create index outgoing_ended on outgoing (ended_at) where ended_at is not null;
