import { sql } from 'kysely'
import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { nestedOrNull } from '../api/nested-fields'
import { defineResource } from '../api/resource'
import { integer, text } from '../api/schema'
import { byId, byIds, byName, byQuery } from './filters'
import { series } from './series'
import { shown } from './shown'

const seriesName = sql<string>`ifnull((
  select s.name from series as s where s.id = characters.series_id and s.hidden = 0), '')`

export const shownSeries = sql<number | null>`(
  select s.id from series as s where s.id = characters.series_id and s.hidden = 0)`

/** `kind` is the name of the character's series (D25), unless hidden (D42). */
export const character = defineResource('Character', 'characters', ({ by }) => ({
  id: integer('Character id', 61),
  name: text('Name', 'フリーレン'),
  name_kana: text("The name's reading"),
  name_en: text('English name', 'Frieren'),
  kind: by(text('Name of the series that the character belongs to'), 'kind', seriesName),
  nickname: text('Nickname'),
  nickname_en: text('Nickname, in English'),
  birthday: text('Birthday'),
  birthday_en: text('Birthday, in English'),
  age: text('Age'),
  age_en: text('Age, in English'),
  blood_type: text('Blood type'),
  blood_type_en: text('Blood type, in English'),
  height: text('Height'),
  height_en: text('Height, in English'),
  weight: text('Weight'),
  weight_en: text('Weight, in English'),
  nationality: text('Nationality'),
  nationality_en: text('Nationality, in English'),
  occupation: text('Occupation', '魔法使い'),
  occupation_en: text('Occupation, in English', 'Mage'),
  description: text('Introduction'),
  description_en: text('Introduction, in English'),
  description_source: text('Source of the introduction'),
  description_source_en: text('Source of the English introduction'),
  favorite_characters_count: integer('Users who have this as a favorite'),
}))

export const characters = defineList({
  path: '/v1/characters',
  tag: 'Catalogue',
  summary: 'Characters',
  key: 'characters',
  item: defineItem('characters', character, {
    series: nestedOrNull(series, () => shownSeries),
  }),
  rows: shown('characters'),
  filters: {
    filter_ids: byIds('characters'),
    filter_name: byName('characters'),
    filter_query: byQuery('characters', 'names', 'フリーレン'),
  },
  sorts: { sort_id: byId },
})
