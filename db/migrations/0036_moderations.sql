-- What administrators did about what people wrote (`people.md` §8). What is hidden is its writer's own until that is undone.
create table moderations (
  id integer primary key autoincrement,
  kind text not null,
  -- The administrator, who may be gone.
  moderator_id integer not null,
  -- Whose it is.
  user_id integer not null references users (id),
  -- It may be gone since.
  record_id integer,
  review_id integer,
  -- Its writer reads it.
  reason text not null check (length(reason) between 1 and 1000),
  created_at integer not null,
  undone_at integer,
  undone_by integer,
  check ((undone_at is null) = (undone_by is null))
) strict;

create unique index moderations_record on moderations (record_id) where record_id is not null and undone_at is null;
create unique index moderations_review on moderations (review_id) where review_id is not null and undone_at is null;
create index moderations_user on moderations (user_id);
