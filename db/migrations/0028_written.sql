-- What an application wrote, by its token or with a personal one, is in its user's history by the activity about it (D122).
-- Null for what was done on a page. Applications and tokens may be gone.
alter table activities add column token_id integer;
alter table activities add column application_id integer;
-- JSON of the status that an application replaced, 'null' if there was none; null also if the work never had one. It takes no
-- other text: where SQLite moves rows of people who stay, bytes of those deleted beside them may remain.
alter table activities add column former text check (former = 'null' or iif(json_valid(former),
  ifnull(former ->> 'kind' in ('wanna_watch', 'watching', 'watched', 'on_hold', 'stop_watching'), false), former is null));

-- Also finds what was written without reading the rest.
drop index activities_user;
create index activities_user on activities (user_id, id, action, token_id);
