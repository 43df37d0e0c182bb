-- Comments and what a profile says can be reported and hidden, and whole accounts suspended (`people.md` §8).
alter table reports add column comment_id integer check (comment_id is null or (record_id is null and review_id is null));

drop index reports_once;
create unique index reports_once
  on reports (reporter_id, user_id, ifnull(record_id, 0), ifnull(review_id, 0), ifnull(comment_id, 0))
  where closed_at is null;

-- The administrator who hid the description and the address of a profile, who may be gone.
alter table users add column profile_hidden_by integer;
-- The administrator who hid everything that somebody wrote; the profile is private meanwhile. 0: the command line.
alter table users add column all_hidden_by integer;

create table new_moderations (
  id integer primary key autoincrement,
  -- `hide`, `suspend`.
  kind text not null,
  -- The administrator, who may be gone; 0 for the command line.
  moderator_id integer not null,
  -- Whose it is.
  user_id integer not null references users (id),
  -- What is hidden, which may be gone since; without one, what the profile says.
  record_id integer,
  review_id integer,
  comment_id integer,
  -- Of a suspension that hides everything: who saw the profile before.
  privacy text check (privacy in ('public', 'members', 'private')),
  -- Its writer reads it.
  reason text not null check (length(reason) <= 1000),
  created_at integer not null,
  undone_at integer,
  undone_by integer,
  check ((undone_at is null) = (undone_by is null))
) strict;

insert into new_moderations (id, kind, moderator_id, user_id, record_id, review_id, reason, created_at, undone_at, undone_by)
select id, kind, moderator_id, user_id, record_id, review_id, reason, created_at, undone_at, undone_by from moderations;

-- Ids are never used again.
update sqlite_sequence set seq = (select seq from sqlite_sequence where name = 'moderations')
where name = 'new_moderations' and exists (select 1 from sqlite_sequence where name = 'moderations');

drop table moderations;
alter table new_moderations rename to moderations;

create unique index moderations_record on moderations (record_id) where record_id is not null and undone_at is null;
create unique index moderations_review on moderations (review_id) where review_id is not null and undone_at is null;
create unique index moderations_comment on moderations (comment_id) where comment_id is not null and undone_at is null;
create index moderations_user on moderations (user_id);
