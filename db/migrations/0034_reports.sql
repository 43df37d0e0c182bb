-- What members reported to the administrators (`people.md` §8).
create table reports (
  id integer primary key autoincrement,
  reporter_id integer not null references users (id),
  -- Whose profile, record or review it is.
  user_id integer not null references users (id),
  -- At most one of them; null for a profile. It may be gone since.
  record_id integer,
  review_id integer,
  reason text not null check (reason in ('spam', 'harassment', 'spoiler', 'other')),
  text text not null check (length(text) <= 1000),
  -- What it said when it was reported.
  copy text not null,
  created_at integer not null,
  -- Null while nobody has decided.
  closed_at integer,
  -- The administrator, who may be gone.
  closed_by integer,
  outcome text check (outcome in ('dismissed', 'hidden', 'suspended')),
  check (record_id is null or review_id is null),
  check (reporter_id <> user_id),
  check ((closed_at is null) = (outcome is null))
) strict;

-- Reporting the same again while nobody has decided is reporting it once.
create unique index reports_once on reports (reporter_id, user_id, ifnull(record_id, 0), ifnull(review_id, 0))
  where closed_at is null;
create index reports_reporter on reports (reporter_id, created_at);
create index reports_user on reports (user_id, id);
create index reports_open on reports (id) where closed_at is null;
