-- Presses that were answered: one that is sent again gets the first answer (D107). In place of the column of `acts`, which
-- knew neither what is no act nor acts that are gone.

drop index acts_form;
alter table acts drop column form_id;

create table form_receipts (
  user_id integer not null references users (id),
  -- 128 random bits, made by the page for one press.
  form_id blob not null check (length(form_id) = 16),
  -- Null for what is no act, and for what had been done before.
  act_id integer,
  result text not null check (result in ('done', 'before')),
  created_at integer not null,
  primary key (user_id, form_id)
) strict, without rowid;

create index form_receipts_age on form_receipts (user_id, created_at);
