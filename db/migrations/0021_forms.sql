-- Forms that are sent twice, and forms that arrive after their session has ended.

-- 128 random bits in base64url, made by the page for one press: the same press sent again is answered, not done again.
alter table acts add column form_id text;
create unique index acts_form on acts (user_id, form_id) where form_id is not null;

-- What somebody who was signed out tried to save, until it is saved or dropped: JSON of src/web/kept-form.ts.
alter table sessions add column kept_form text;

-- An undone act whose change of a status stayed, because something later depended on it: it goes with that.
alter table acts add column leaves_aside integer not null default 0 check (leaves_aside in (0, 1));
create index acts_left on acts (user_id, id) where leaves_aside = 1;
