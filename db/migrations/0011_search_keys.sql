-- Ranked search (`filter_query`). src/catalogue/search, the only module that reads or writes these tables, makes keys of a
-- row's texts: as they are written, as they sound, their initials, and addresses. The id of a key is 2,048 times that of
-- its row, and some more; …_key_search has its terms under the same id. What 0004_search.sql holds is made anew as well,
-- since its fold drops marks: 'search_rules' in instance tells by which rules both were made, and an upgrade remakes them.

alter table works add column popularity integer not null default 0;

-- Names and readings that only a search reads, as sources gave them.
create table search_names (
  work_id integer not null references works (id),
  source_id integer not null references sources (id),
  -- 1: the reading of one of its titles, in kana with spaces between words
  is_reading integer not null check (is_reading in (0, 1)),
  title text not null,
  primary key (work_id, source_id, is_reading, title)
) strict, without rowid;

create table works_search_keys (
  id integer primary key,
  -- 0 a title, 1 another name, 2 initials, 3 an address
  kind integer not null,
  key text not null,
  -- The key's words with spaces between them, where there are several.
  words text not null
) strict;
create index works_search_keys_key on works_search_keys (key, kind);
create virtual table works_key_search using fts5 (terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_^'");

create table characters_search_keys (id integer primary key, kind integer not null, key text not null, words text not null) strict;
create index characters_search_keys_key on characters_search_keys (key, kind);
create virtual table characters_key_search using fts5 (terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_^'");

create table people_search_keys (id integer primary key, kind integer not null, key text not null, words text not null) strict;
create index people_search_keys_key on people_search_keys (key, kind);
create virtual table people_key_search using fts5 (terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_^'");

create table organizations_search_keys (id integer primary key, kind integer not null, key text not null, words text not null) strict;
create index organizations_search_keys_key on organizations_search_keys (key, kind);
create virtual table organizations_key_search using fts5 (terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_^'");

create table series_search_keys (id integer primary key, kind integer not null, key text not null, words text not null) strict;
create index series_search_keys_key on series_search_keys (key, kind);
create virtual table series_key_search using fts5 (terms, content = '', contentless_delete = 1, detail = none, tokenize = "ascii tokenchars '_^'");
