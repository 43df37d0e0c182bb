-- Years that people share (D91): a copy of the figures of that moment.
create table shares (
  id integer primary key autoincrement,
  user_id integer not null references users (id),
  -- `2026`, or `2025-04` for twelve months from that one.
  period text not null,
  -- A private profile narrows it to approved followers.
  audience text not null check (audience in ('public', 'members')),
  -- JSON of src/library/counting/year.ts.
  figures text not null check (json_valid(figures)),
  withheld integer not null default 0 check (withheld between 0 and 2),
  created_at integer not null,
  unique (user_id, period)
) strict;
