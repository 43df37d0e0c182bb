-- Characters, people and organizations, and what they did for works.

create table prefectures (
  id integer primary key,
  name text not null unique
) strict;

-- ids are the JIS X 0401 codes
insert into prefectures (id, name) values
  (1, '北海道'), (2, '青森県'), (3, '岩手県'), (4, '宮城県'), (5, '秋田県'), (6, '山形県'), (7, '福島県'), (8, '茨城県'),
  (9, '栃木県'), (10, '群馬県'), (11, '埼玉県'), (12, '千葉県'), (13, '東京都'), (14, '神奈川県'), (15, '新潟県'), (16, '富山県'),
  (17, '石川県'), (18, '福井県'), (19, '山梨県'), (20, '長野県'), (21, '岐阜県'), (22, '静岡県'), (23, '愛知県'), (24, '三重県'),
  (25, '滋賀県'), (26, '京都府'), (27, '大阪府'), (28, '兵庫県'), (29, '奈良県'), (30, '和歌山県'), (31, '鳥取県'), (32, '島根県'),
  (33, '岡山県'), (34, '広島県'), (35, '山口県'), (36, '徳島県'), (37, '香川県'), (38, '愛媛県'), (39, '高知県'), (40, '福岡県'),
  (41, '佐賀県'), (42, '長崎県'), (43, '熊本県'), (44, '大分県'), (45, '宮崎県'), (46, '鹿児島県'), (47, '沖縄県');

create table characters (
  id integer primary key autoincrement,
  name text not null,
  name_kana text not null default '',
  name_en text not null default '',
  nickname text not null default '',
  nickname_en text not null default '',
  birthday text not null default '',
  birthday_en text not null default '',
  age text not null default '',
  age_en text not null default '',
  blood_type text not null default '',
  blood_type_en text not null default '',
  height text not null default '',
  height_en text not null default '',
  weight text not null default '',
  weight_en text not null default '',
  nationality text not null default '',
  nationality_en text not null default '',
  occupation text not null default '',
  occupation_en text not null default '',
  description text not null default '',
  description_en text not null default '',
  description_source text not null default '',
  description_source_en text not null default '',
  series_id integer references series (id),
  favorite_characters_count integer not null default 0 check (favorite_characters_count >= 0),
  hidden integer not null default 0 check (hidden in (0, 1)),
  version integer not null default 1,
  source_id integer not null references sources (id),
  owners text not null default '{}'
) strict;

create index characters_shown on characters (id) where hidden = 0;
create index characters_hidden on characters (id) where hidden <> 0;
create index characters_series on characters (series_id);

create table people (
  id integer primary key autoincrement,
  name text not null,
  name_kana text not null default '',
  name_en text not null default '',
  nickname text not null default '',
  nickname_en text not null default '',
  gender text not null default '' check (gender in ('', 'male', 'female')),
  url text not null default '',
  url_en text not null default '',
  wikipedia_url text not null default '',
  wikipedia_url_en text not null default '',
  twitter_username text not null default '',
  twitter_username_en text not null default '',
  birthday text not null default '',
  blood_type text not null default '',
  -- centimetres
  height integer,
  prefecture_id integer references prefectures (id),
  favorite_people_count integer not null default 0 check (favorite_people_count >= 0),
  casts_count integer not null default 0 check (casts_count >= 0),
  staffs_count integer not null default 0 check (staffs_count >= 0),
  hidden integer not null default 0 check (hidden in (0, 1)),
  version integer not null default 1,
  source_id integer not null references sources (id),
  owners text not null default '{}'
) strict;

create index people_shown on people (id) where hidden = 0;
create index people_hidden on people (id) where hidden <> 0;

create table organizations (
  id integer primary key autoincrement,
  name text not null,
  name_kana text not null default '',
  name_en text not null default '',
  url text not null default '',
  url_en text not null default '',
  wikipedia_url text not null default '',
  wikipedia_url_en text not null default '',
  twitter_username text not null default '',
  twitter_username_en text not null default '',
  favorite_organizations_count integer not null default 0 check (favorite_organizations_count >= 0),
  staffs_count integer not null default 0 check (staffs_count >= 0),
  hidden integer not null default 0 check (hidden in (0, 1)),
  version integer not null default 1,
  source_id integer not null references sources (id),
  owners text not null default '{}'
) strict;

create index organizations_shown on organizations (id) where hidden = 0;
create index organizations_hidden on organizations (id) where hidden <> 0;

create table casts (
  id integer primary key autoincrement,
  work_id integer not null references works (id),
  character_id integer not null references characters (id),
  person_id integer not null references people (id),
  name text not null,
  name_en text not null default '',
  sort_number integer not null default 0,
  hidden integer not null default 0 check (hidden between 0 and 3),
  version integer not null default 1,
  source_id integer not null references sources (id),
  owners text not null default '{}',
  -- Whether anything is hidden that it refers to: such rows are in no list (0011_withheld.sql).
  withheld integer not null default 0 check (withheld in (0, 1))
) strict;

create index casts_shown on casts (id) where hidden = 0 and withheld = 0;
create index casts_work on casts (work_id, sort_number, id) where hidden = 0 and withheld = 0;
create index casts_work_all on casts (work_id, character_id, person_id);
create index casts_person on casts (person_id, work_id, hidden);
create index casts_character on casts (character_id);
create index casts_sort on casts (sort_number, id) where hidden = 0 and withheld = 0;
create index casts_sort_desc on casts (sort_number desc, id) where hidden = 0 and withheld = 0;
create index casts_withheld on casts (id) where hidden = 0 and withheld = 1;

create table staffs (
  id integer primary key autoincrement,
  work_id integer not null references works (id),
  person_id integer references people (id),
  organization_id integer references organizations (id),
  name text not null,
  name_en text not null default '',
  role text not null check (role in (
    'original_creator', 'chief_director', 'director', 'series_composition', 'script', 'original_character_design',
    'character_design', 'chief_animation_director', 'animation_director', 'art_director', 'sound_director', 'music',
    'studio', 'other')),
  -- The source's own wording of the role; blank where the role's usual label serves.
  role_text text not null default '',
  role_other text not null default '',
  role_other_en text not null default '',
  sort_number integer not null default 0,
  hidden integer not null default 0 check (hidden between 0 and 3),
  version integer not null default 1,
  source_id integer not null references sources (id),
  owners text not null default '{}',
  -- Whether anything is hidden that it refers to: such rows are in no list (0011_withheld.sql).
  withheld integer not null default 0 check (withheld in (0, 1)),
  check ((person_id is null) <> (organization_id is null))
) strict;

create index staffs_shown on staffs (id) where hidden = 0 and withheld = 0;
create index staffs_work on staffs (work_id, sort_number, id) where hidden = 0 and withheld = 0;
create index staffs_work_all on staffs (work_id, person_id, organization_id, role, role_other);
create index staffs_person on staffs (person_id, work_id, hidden) where person_id is not null;
create index staffs_organization on staffs (organization_id, work_id, hidden) where organization_id is not null;
create index staffs_sort on staffs (sort_number, id) where hidden = 0 and withheld = 0;
create index staffs_sort_desc on staffs (sort_number desc, id) where hidden = 0 and withheld = 0;
create index staffs_withheld on staffs (id) where hidden = 0 and withheld = 1;

-- Rows that Annict knows keep their ids; ids of our own start above those, in every table of the catalogue (D3).
insert into sqlite_sequence (name, seq) values
  ('series', 10000000), ('works', 10000000), ('episodes', 10000000), ('characters', 10000000), ('people', 10000000),
  ('organizations', 10000000), ('casts', 10000000), ('staffs', 10000000), ('channel_groups', 10000000),
  ('channels', 10000000), ('programs', 10000000);
