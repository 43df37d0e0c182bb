import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { filter } from '../api/list-declaration'
import { param } from '../api/params'
import { defineResource } from '../api/resource'
import { boolean, integer, text, word } from '../api/schema'
import { season } from '../values/time'
import { byId, byIds, byQuery, byText } from './filters'
import { imageColumns, imagesSchema, presentImages } from './images'
import { labelOf, mediaLabels, seasonName, seasonRanks, seasonText } from './labels'
import { shown } from './shown'

// uses episodes_work
const lastIsEstimated = sql<boolean>`ifnull((
  select estimated from episodes where work_id = works.id and hidden = 0
  order by sort_number desc, id desc limit 1), 0)`

export const work = defineResource('Work', 'works', ({ from, by }) => ({
  id: integer('Work id', 10079),
  title: text('Title', '葬送のフリーレン'),
  title_kana: text("The title's reading", 'そうそうのふりーれん'),
  title_en: text('Extension: English title', "Frieren: Beyond Journey's End"),
  media: word(Object.keys(mediaLabels), 'Medium'),
  media_text: from(text('Medium, in Japanese', 'TV'), ['media'], (row) => labelOf(mediaLabels, row.media)),
  season_name: from(
    text('`<year>-<season>`; `<year>-all` when only the year is known', '2023-autumn'),
    ['season_year', 'season'],
    (row) => seasonName(row.season_year, row.season),
  ),
  season_name_text: from(text('Season, in Japanese', '2023年秋'), ['season_year', 'season'], (row) =>
    seasonText(row.season_year, row.season),
  ),
  released_on: text('Release date, `YYYY-MM-DD`', '2023-09-29'),
  released_on_about: text('Approximate release date, in words'),
  official_site_url: text('Official site', 'https://frieren-anime.jp/'),
  wikipedia_url: text('Wikipedia page'),
  twitter_username: text('Official account'),
  twitter_hashtag: text('Hashtag, without #'),
  syobocal_tid: text('Title id at しょぼいカレンダー', '6776'),
  mal_anime_id: text('Work id at MyAnimeList', '52991'),
  images: { schema: imagesSchema, columns: imageColumns, from: presentImages },
  episodes_count: integer('Episodes', 28),
  watchers_count: integer('Users who want to watch it, are watching it or have watched it'),
  reviews_count: integer('Reviews'),
  no_episodes: from(boolean('True if it has no episodes'), ['no_episodes'], (row) => row.no_episodes === 1),
  estimated: {
    ...by(
      boolean('Extension: whether its list of episodes may grow beyond the last one', false),
      'estimated',
      lastIsEstimated,
    ),
    from: (row: { estimated: number }) => row.estimated === 1,
  },
}))

export const titleFilter = 'Only works whose title, reading, English title or alias contains this text'

/** Includes hidden works. */
// uses works_season and works_hidden
const idsOfSeason = (from: RawBuilder<number>, to: RawBuilder<number>) => sql`(
  select id from works where hidden = 0 and season_rank between ${from} and ${to}
  union all select id from works where hidden <> 0 and season_rank between ${from} and ${to})`

export const workFilters = {
  filter_ids: byIds('works'),
  filter_season: filter<'works', { year: number; season: string }, { from: number; to: number }>(
    param(
      season('[0-9]{4}', (t, form) => t.values.season(form)),
      'Works of a season, `<year>-<season>`; `<year>-all` is the whole year',
      '2023-autumn',
    ),
    seasonRanks,
    (eb, slot, { foundId }) =>
      foundId === undefined
        ? // uses works_season
          eb.between('works.season_rank', slot('from'), slot('to'))
        : sql<SqlBool>`${foundId} in ${idsOfSeason(slot('from'), slot('to'))}`,
  ),
  filter_title: byText('works', titleFilter),
} as const

/** In order of precedence (D14). */
export const workSorts = {
  sort_id: byId,
  sort_season: { what: 'season; works without one come last', column: 'season_rank', nullsLast: true },
  sort_watchers_count: { what: 'number of watchers', column: 'watchers_count' },
} as const

export const workKeys = 'works_keys'

export const works = defineList({
  path: '/v1/works',
  tag: 'Works',
  summary: 'The works of the catalogue',
  key: 'works',
  item: defineItem('works', work),
  rows: { ...shown('works'), keys: workKeys },
  filters: {
    ...workFilters,
    filter_query: byQuery(
      'works',
      'titles, readings, romanizations, other names and abbreviations, with typos and season words, or by an id or address at another service',
      'フリーレン 2期',
    ),
  },
  sorts: workSorts,
})
