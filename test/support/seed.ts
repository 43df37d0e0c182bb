import type { Insertable } from 'kysely'
import { reindexRows } from '../../src/catalogue/search/index-row'
import { type SearchKind, searchedColumns } from '../../src/catalogue/search/texts'
import type { Store } from '../../src/db/open'
import type { DB } from '../../src/db/schema'
import type { Tx } from '../../src/db/write'

/**
 * A made-up catalogue: every kind of row, hidden ones too, works with a season, just a year, or neither, and four
 * users.
 */
export const seedCatalogue = (store: Store) => fill(store, catalogue)

/** Rows by table, in an order in which each can refer to earlier ones. */
export type Rows = Readonly<Record<string, readonly object[]>>

/** Inserts rows and indexes their texts. */
export async function fill({ write, handle }: Store, rows: Rows): Promise<void> {
  await write(async (tx) => {
    for (const [table, some] of Object.entries(rows)) await add(tx, table as keyof DB, some)
  })
  const idsOf = (some: readonly object[] = []) => some.map((row) => (row as { id: number }).id)
  const kinds = Object.keys(searchedColumns) as SearchKind[]
  handle.transaction(() => {
    for (const kind of kinds) reindexRows(handle, kind, idsOf(rows[kind]))
  })()
}

/** Ids of the rows that lists show, in order, and of the others. */
export const held = {
  works: { shown: [1, 2, 3, 4, 5, 6, 7, 8, 10], hidden: [9] },
  episodes: { shown: [1, 2, 3, 4, 6], hidden: [5, 7] },
  series: { shown: [1, 2], hidden: [3] },
  characters: { shown: [1, 2], hidden: [3] },
  people: { shown: [1, 2], hidden: [3] },
  organizations: { shown: [1, 2], hidden: [3] },
  staffs: { shown: [1, 2, 3], hidden: [4, 5] },
  casts: { shown: [1, 2, 3], hidden: [4, 5] },
  users: { shown: [1, 2, 3, 4], hidden: [] },
} as const

/** Inserts rows one by one, so that fields left out get the table's own default. */
export async function add<T extends keyof DB>(tx: Tx, table: T, rows: readonly object[]): Promise<void> {
  for (const row of rows) {
    const values = hasSource.has(table) ? { source_id: 1, ...row } : row
    await tx
      .insertInto(table)
      .values(values as Insertable<DB[T]>)
      .execute()
  }
}

const hasSource: ReadonlySet<string> = new Set(
  (
    'series works work_aliases series_works episodes characters people organizations casts staffs channels ' +
    'programs'
  ).split(' '),
)

const works = [
  {
    id: 1,
    title: '星降る庭',
    title_kana: 'ほしふるにわ',
    title_en: 'Garden of Falling Stars',
    media: 'tv',
    season_year: 2021,
    season: 'spring',
    released_on: '2021-04-05',
    released_on_about: '2021年春',
    official_site_url: 'https://hoshi.example/',
    wikipedia_url: 'https://ja.wikipedia.example/hoshi',
    twitter_username: 'hoshi_anime',
    twitter_hashtag: 'hoshi',
    syobocal_tid: '9001',
    mal_anime_id: '40001',
    og_image_url: 'https://hoshi.example/og.png',
    avatar_mini_url: 'https://hoshi.example/mini.png',
    avatar_normal_url: 'https://hoshi.example/normal.png',
    avatar_bigger_url: 'https://hoshi.example/bigger.png',
    avatar_original_url: 'https://hoshi.example/original.png',
    twitter_image_url: 'https://hoshi.example/card.png',
    recommended_url: 'https://hoshi.example/bigger.png',
    watchers_count: 5,
    reviews_count: 2,
  },
  {
    id: 2,
    title: 'ガラスの汽車',
    title_kana: 'がらすのきしゃ',
    title_en: 'The Glass Train',
    media: 'ova',
    season_year: 2021,
    season: 'winter',
    watchers_count: 5,
  },
  {
    id: 3,
    title: '海のＡＢＣ',
    title_kana: 'うみのえーびーしー',
    media: 'movie',
    season_year: 2021,
    no_episodes: 1,
  },
  { id: 4, title: '無題', media: 'web', twitter_image_url: 'https://mudai.example/card.png' },
  { id: 5, title: '100%の恋', title_en: '100% Love', media: 'tv', season_year: 2020, season: 'autumn' },
  { id: 6, title: '100点の恋', media: 'tv', season_year: 2020, season: 'autumn', watchers_count: 7 },
  { id: 7, title: 'a_b', media: 'other', season_year: 2022, season: 'summer', watchers_count: 1 },
  { id: 8, title: 'axb', media: 'other', season_year: 2021, season: 'summer', watchers_count: 5 },
  { id: 9, title: '星の消えた庭', media: 'tv', season_year: 2021, season: 'spring', hidden: 1 },
  { id: 10, title: '{"a":1}', title_en: '"><script>', media: 'tv' },
]

const named = [
  { id: 1, name: '青井ミナト', name_kana: 'あおいみなと', name_en: 'Minato Aoi' },
  { id: 2, name: 'ﾊﾙ' },
  { id: 3, name: '隠れた青井', hidden: 1 },
]

/** Gives text fields without a value their own name. */
const texts = (names: string) => Object.fromEntries(names.split(' ').map((name) => [name, `the ${name}`]))

const catalogue: Rows = {
  series: [
    { id: 1, name: '星降る庭', name_ro: 'Hoshi Furu Niwa', name_en: 'Garden of Falling Stars' },
    { id: 2, name: '青井の旅' },
    { id: 3, name: '隠れた青井', hidden: 1 },
  ],
  works,
  work_aliases: [
    { work_id: 1, title: '別名のＳＴＡＲ' },
    { work_id: 9, title: '別名のひみつ' },
  ],
  episodes: [
    {
      id: 1,
      work_id: 1,
      number: '1',
      number_text: '第1話',
      sort_number: 30,
      title: '庭のはじまり',
      records_count: 3,
      record_comments_count: 1,
    },
    { id: 2, work_id: 1, number: '2', number_text: '第2話', sort_number: 20, title: '夜' },
    { id: 3, work_id: 1, number: '2.5', number_text: '第2.5話', sort_number: 20 },
    { id: 4, work_id: 1, number: 'SP', number_text: '特別編', sort_number: 10 },
    { id: 5, work_id: 1, sort_number: 25, hidden: 1 },
    { id: 6, work_id: 2 },
    { id: 7, work_id: 9, sort_number: 10, hidden: 2 },
  ],
  characters: [
    {
      ...named[0],
      series_id: 1,
      favorite_characters_count: 4,
      ...texts(
        `nickname nickname_en birthday birthday_en age age_en blood_type blood_type_en height height_en weight weight_en
        nationality nationality_en occupation occupation_en description description_en description_source
        description_source_en`.replaceAll(/\s+/g, ' '),
      ),
    },
    ...named.slice(1),
  ],
  people: [
    {
      ...named[0],
      ...texts('nickname nickname_en url url_en wikipedia_url wikipedia_url_en twitter_username'),
      ...texts('twitter_username_en blood_type'),
      gender: 'female',
      birthday: '1990-01-02',
      height: 160,
      prefecture_id: 13,
      favorite_people_count: 6,
    },
    ...named.slice(1),
  ],
  organizations: [
    {
      ...named[0],
      ...texts('url url_en wikipedia_url wikipedia_url_en twitter_username twitter_username_en'),
      favorite_organizations_count: 8,
    },
    ...named.slice(1),
  ],
  casts: [
    {
      id: 1,
      work_id: 1,
      character_id: 1,
      person_id: 1,
      name: '青井ミナト',
      name_en: 'Minato Aoi',
      sort_number: 20,
    },
    { id: 2, work_id: 1, character_id: 2, person_id: 1, name: '青井', sort_number: 10 },
    { id: 3, work_id: 2, character_id: 2, person_id: 2, name: 'ハル', sort_number: 10 },
    { id: 4, work_id: 1, character_id: 2, person_id: 2, name: '隠', hidden: 1 },
    { id: 5, work_id: 9, character_id: 1, person_id: 2, name: '隠', hidden: 2 },
  ],
  staffs: [
    {
      id: 1,
      work_id: 1,
      person_id: 1,
      name: '青井',
      name_en: 'Aoi',
      role: 'director',
      sort_number: 20,
      ...texts('role_other role_other_en'),
    },
    {
      id: 2,
      work_id: 1,
      organization_id: 1,
      name: '工房',
      role: 'studio',
      role_text: '制作協力',
      sort_number: 10,
    },
    { id: 3, work_id: 2, person_id: 2, name: 'ハル', role: 'other', sort_number: 10 },
    { id: 4, work_id: 1, person_id: 1, name: '隠', role: 'music', hidden: 1 },
    { id: 5, work_id: 9, organization_id: 1, name: '隠', role: 'studio', hidden: 2 },
  ],
  users: [
    {
      id: 1,
      username: 'mio',
      name: 'みお',
      description: '庭が好き',
      url: 'https://mio.example/',
      email: 'mio@example.com',
    },
    {
      id: 2,
      username: 'Ritsu_T',
      name: '律',
      email: 'ritsu@example.com',
      avatar_url: 'https://ritsu.example/a.png',
    },
    { id: 3, username: 'yui', name: '唯', email: 'yui@example.com', disabled_at: 1_760_000_000_000 },
    { id: 4, username: 'azusa', name: '梓', email: 'azusa@example.com' },
  ].map((user) => ({
    ...user,
    username_key: user.username.toLowerCase(),
    email_key: user.email,
    password_hash: 'none',
    created_at: 1_750_000_000_000 + user.id,
  })),
}
