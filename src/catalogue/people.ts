import { sql } from 'kysely'
import Type from 'typebox'
import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { inline } from '../api/nested-fields'
import { nullable } from '../api/paging'
import { defineResource } from '../api/resource'
import { integer, text } from '../api/schema'
import { byId, byIds, byName, byQuery } from './filters'
import { genderLabels, labelOf } from './labels'
import { shown } from './shown'

/** Lists of people also have the prefecture (D25). */
export const person = defineResource('Person', 'people', ({ from }) => ({
  id: integer('Person id', 71),
  name: text('Name', '種﨑敦美'),
  name_kana: text("The name's reading", 'たねざきあつみ'),
  name_en: text('English name', 'Atsumi Tanezaki'),
  nickname: text('Nickname'),
  nickname_en: text('Nickname, in English'),
  gender_text: from(text('Gender, in Japanese', '女性'), ['gender'], (row) =>
    labelOf(genderLabels, row.gender),
  ),
  url: text('Official site'),
  url_en: text('Official site, in English'),
  wikipedia_url: text('Wikipedia page'),
  wikipedia_url_en: text('Wikipedia page, in English'),
  twitter_username: text('Account'),
  twitter_username_en: text('Account, in English'),
  birthday: text('Birthday, `YYYY-MM-DD`', '1990-09-27'),
  blood_type: text('Blood type'),
  height: nullable(integer('Height in centimetres', 160)),
  favorite_people_count: integer('Users who have this as a favorite'),
  casts_count: integer('Works in which the person is cast', 9),
  staffs_count: integer('Works in which the person is staff'),
}))

const prefecture = Type.Object({
  id: integer('Prefecture id', 44),
  name: text('Name', '大分県'),
})

const prefectureJson = sql<string | null>`(
  select json_object('id', p.id, 'name', p.name) from prefectures as p where p.id = people.prefecture_id)`

export const people = defineList({
  path: '/v1/people',
  tag: 'Catalogue',
  summary: 'People: cast and staff',
  key: 'people',
  item: defineItem('people', person, { prefecture: inline(nullable(prefecture), () => prefectureJson) }),
  rows: shown('people'),
  filters: {
    filter_ids: byIds('people'),
    filter_name: byName('people'),
    filter_query: byQuery('people', 'names', '種﨑敦美'),
  },
  sorts: { sort_id: byId },
})
