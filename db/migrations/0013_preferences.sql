-- How somebody wants pages to be. Null: as is usual in the language of the page.

alter table users add column title_language text check (title_language in ('native', 'romaji', 'english'));
alter table users add column rating_display text not null default 'words'
  check (rating_display in ('words', 'stars', 'ten'));
-- an IANA name; null: as the browser says
alter table users add column time_zone text check (length(time_zone) between 1 and 64);
-- 0 is Sunday
alter table users add column week_start integer check (week_start in (0, 1, 6));
-- hours until 29:59
alter table users add column has_long_nights integer check (has_long_nights in (0, 1));
alter table users add column theme text not null default 'auto' check (theme in ('auto', 'light', 'dark'));
alter table users add column guards_spoilers integer not null default 1 check (guards_spoilers in (0, 1));
alter table users add column has_keys integer not null default 1 check (has_keys in (0, 1));
