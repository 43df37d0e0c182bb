-- Pictures that were uploaded or fetched; their files lie in `images` in the data directory, named by hash and width.

create table images (
  id integer primary key autoincrement,
  kind text not null check (kind in ('cover', 'avatar')),
  -- of the largest file, in hexadecimal: the same picture is stored once, whoever sent it
  hash text not null check (length(hash) = 32),
  work_id integer references works (id),
  -- whose it is; null: for all
  user_id integer references users (id) on delete cascade,
  origin text not null check (origin in ('upload', 'fetch')),
  -- of the largest file, in pixels
  width integer not null check (width > 0),
  height integer not null check (height > 0),
  -- a data URL of a few hundred bytes, to show until the picture has arrived
  placeholder text not null,
  created_at integer not null,
  check ((kind = 'cover') = (work_id is not null)),
  check (kind = 'cover' or user_id is not null)
) strict;

create unique index images_cover on images (work_id, ifnull(user_id, 0)) where work_id is not null;
create unique index images_avatar on images (user_id) where work_id is null;
create index images_user on images (user_id);
create index images_hash on images (hash);

-- When the official site of a work was last asked for a picture, and what came of it.
create table cover_fetches (
  work_id integer primary key references works (id),
  asked_at integer not null,
  outcome text not null
) strict;

-- What servers said of a document, for conditional requests (RFC 9110 §13).
create table fetched_documents (
  url text primary key,
  etag text,
  last_modified text,
  fetched_at integer not null
) strict, without rowid;
