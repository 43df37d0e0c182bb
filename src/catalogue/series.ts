import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { defineResource } from '../api/resource'
import { integer, text } from '../api/schema'
import { byId, byIds, byName, byQuery } from './filters'
import { shown } from './shown'

export const series = defineResource('Series', 'series', () => ({
  id: integer('Series id', 11),
  name: text('Name', '葬送のフリーレン'),
  name_ro: text('Romanized name', 'Sousou no Frieren'),
  name_en: text('English name', "Frieren: Beyond Journey's End"),
}))

export const seriesList = defineList({
  path: '/v1/series',
  tag: 'Catalogue',
  summary: 'Series of works',
  key: 'series',
  item: defineItem('series', series),
  rows: shown('series'),
  filters: {
    filter_ids: byIds('series'),
    filter_name: byName('series'),
    filter_query: byQuery('series', 'names', '葬送のフリーレン'),
  },
  sorts: { sort_id: byId },
})
