-- Works, their series and episodes, and the channels that broadcast them.
--
-- In every catalogue table: hidden is 0 when shown, 1 when hidden itself, 2 when its work is hidden, 3 when both;
-- version grows with every change of the row, so that a rendering of it can be kept by (id, version);
-- source_id made the row, owners maps a field to the source that set it since ({"title":1}).

create table series (
  id integer primary key autoincrement,
  name text not null,
  name_ro text not null default '',
  name_en text not null default '',
  hidden integer not null default 0 check (hidden between 0 and 3),
  version integer not null default 1,
  source_id integer not null references sources (id),
  owners text not null default '{}'
) strict;

create index series_hidden on series (id) where hidden <> 0;

create table works (
  id integer primary key autoincrement,
  title text not null,
  title_kana text not null default '',
  title_en text not null default '',
  title_ro text not null default '',
  media text not null check (media in ('tv', 'ova', 'movie', 'web', 'other')),
  season_year integer check (season_year between 1000 and 9999),
  season text check (season is null or season in ('winter', 'spring', 'summer', 'autumn') and season_year is not null),
  -- Chronological; a work of which only the year is known comes after the year's autumn. Null without a year.
  season_rank integer generated always as (
    season_year * 10 + case season when 'winter' then 1 when 'spring' then 2 when 'summer' then 3 when 'autumn' then 4 else 5 end
  ) virtual,
  released_on text not null default '',
  released_on_about text not null default '',
  official_site_url text not null default '',
  wikipedia_url text not null default '',
  twitter_username text not null default '',
  twitter_hashtag text not null default '',
  syobocal_tid text not null default '',
  mal_anime_id text not null default '',
  recommended_url text not null default '',
  og_image_url text not null default '',
  twitter_image_url text not null default '',
  avatar_mini_url text not null default '',
  avatar_normal_url text not null default '',
  avatar_bigger_url text not null default '',
  avatar_original_url text not null default '',
  no_episodes integer not null default 0 check (no_episodes in (0, 1)),
  -- The broadcast's first and last start (epoch milliseconds) and its interval (ISO 8601 duration), as far as known.
  broadcast_begin integer,
  broadcast_end integer,
  broadcast_interval text not null default '',
  -- How many episodes a source expects; null when nobody knows.
  episodes_estimate integer check (episodes_estimate between 0 and 2000),
  episodes_count integer not null default 0 check (episodes_count >= 0),
  watchers_count integer not null default 0 check (watchers_count >= 0),
  reviews_count integer not null default 0 check (reviews_count >= 0),
  hidden integer not null default 0 check (hidden in (0, 1)),
  version integer not null default 1,
  source_id integer not null references sources (id),
  owners text not null default '{}'
) strict;

-- The order of each sort, in both directions.
create index works_shown on works (id) where hidden = 0;
create index works_hidden on works (id) where hidden <> 0;
create index works_season on works (season_rank, id) where hidden = 0;
create index works_season_desc on works (season_rank desc, id) where hidden = 0;
create index works_watchers on works (watchers_count, id) where hidden = 0;
create index works_watchers_desc on works (watchers_count desc, id) where hidden = 0;
-- What works are sorted and narrowed by, for lists that find them by their ids: those of a user, and what a search finds.
create index works_keys on works (id, season_rank, watchers_count);

create table work_aliases (
  work_id integer not null references works (id),
  source_id integer not null references sources (id),
  title text not null,
  primary key (work_id, source_id, title)
) strict, without rowid;

create table series_works (
  series_id integer not null references series (id),
  work_id integer not null references works (id),
  source_id integer not null references sources (id),
  primary key (series_id, work_id)
) strict, without rowid;

create index series_works_work on series_works (work_id);

-- Where a work can be streamed; begin_at is the first episode's time there, in epoch milliseconds.
create table streams (
  work_id integer not null references works (id),
  site text not null,
  external_id text not null default '',
  begin_at integer,
  interval text not null default '',
  source_id integer not null references sources (id),
  primary key (work_id, site, external_id)
) strict, without rowid;

create table episodes (
  id integer primary key autoincrement,
  work_id integer not null references works (id),
  number text,
  number_text text not null default '',
  sort_number integer not null default 0,
  title text not null default '',
  -- 1: nobody listed this episode; it follows from the work's dates.
  estimated integer not null default 0 check (estimated in (0, 1)),
  records_count integer not null default 0 check (records_count >= 0),
  record_comments_count integer not null default 0 check (record_comments_count >= 0),
  hidden integer not null default 0 check (hidden between 0 and 3),
  version integer not null default 1,
  source_id integer not null references sources (id),
  owners text not null default '{}'
) strict;

create index episodes_shown on episodes (id) where hidden = 0;
create index episodes_hidden on episodes (id) where hidden <> 0;
create index episodes_work on episodes (work_id, sort_number, id) where hidden = 0;
-- An imported line without a known id is compared with the rows of its work: these two find them without reading them all.
create index episodes_work_all on episodes (work_id, number);
create index episodes_work_place on episodes (work_id, sort_number);
create index episodes_sort on episodes (sort_number, id) where hidden = 0;
create index episodes_sort_desc on episodes (sort_number desc, id) where hidden = 0;

create table channel_groups (
  id integer primary key autoincrement,
  name text not null,
  sort_number integer not null default 0,
  hidden integer not null default 0 check (hidden in (0, 1)),
  version integer not null default 1,
  source_id integer not null references sources (id),
  owners text not null default '{}'
) strict;

create table channels (
  id integer primary key autoincrement,
  channel_group_id integer references channel_groups (id),
  name text not null,
  -- 1: video on demand
  vod integer not null default 0 check (vod in (0, 1)),
  sort_number integer not null default 0,
  hidden integer not null default 0 check (hidden in (0, 1)),
  version integer not null default 1,
  source_id integer not null references sources (id),
  owners text not null default '{}'
) strict;

create index channels_hidden on channels (id) where hidden <> 0;

create table programs (
  id integer primary key autoincrement,
  channel_id integer not null references channels (id),
  work_id integer not null references works (id),
  episode_id integer references episodes (id),
  -- epoch milliseconds
  started_at integer not null,
  is_rebroadcast integer not null default 0 check (is_rebroadcast in (0, 1)),
  -- 1: nobody listed this broadcast; it follows from the work's broadcast rule.
  estimated integer not null default 0 check (estimated in (0, 1)),
  hidden integer not null default 0 check (hidden between 0 and 3),
  version integer not null default 1,
  source_id integer not null references sources (id),
  owners text not null default '{}'
) strict;

create index programs_started on programs (started_at, id) where hidden = 0;
-- Covers what decides whether a program is in a user's list.
create index programs_work on programs (work_id, started_at, id, channel_id, episode_id) where hidden = 0;
create index programs_work_all on programs (work_id);
create index programs_slot on programs (channel_id, started_at, episode_id, work_id);
create index programs_episode on programs (episode_id);
