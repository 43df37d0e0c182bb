import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { nested } from '../api/nested-fields'
import { defineResource } from '../api/resource'
import { integer, text } from '../api/schema'
import { character } from './characters'
import { byId, byIds, bySortNumber, byWork } from './filters'
import { person } from './people'
import { shownUnlessWithheld } from './shown'
import { work } from './works'

export const cast = defineResource('Cast', 'casts', () => ({
  id: integer('Cast id', 95),
  name: text('Name as credited', '種﨑敦美'),
  name_en: text('Name as credited, in English', 'Atsumi Tanezaki'),
  sort_number: integer('Sort key of casts', 10),
}))

export const casts = defineList({
  path: '/v1/casts',
  tag: 'Catalogue',
  summary: 'Casts of works',
  key: 'casts',
  item: defineItem('casts', cast, {
    work: nested(work, (eb) => eb.ref('casts.work_id')),
    character: nested(character, (eb) => eb.ref('casts.character_id')),
    person: nested(person, (eb) => eb.ref('casts.person_id')),
  }),
  rows: shownUnlessWithheld('casts'),
  filters: { filter_ids: byIds('casts'), filter_work_id: byWork('casts') },
  sorts: { sort_id: byId, sort_sort_number: bySortNumber },
})
