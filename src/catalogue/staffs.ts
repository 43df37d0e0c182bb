import { defineItem } from '../api/item'
import { defineList } from '../api/list'
import { nested, nestedOptional } from '../api/nested-fields'
import { defineResource } from '../api/resource'
import { integer, text } from '../api/schema'
import { byId, byIds, bySortNumber, byWork } from './filters'
import { labelOf, roleLabels } from './labels'
import { organization } from './organizations'
import { person } from './people'
import { shownUnlessWithheld } from './shown'
import { work } from './works'

export const staff = defineResource('Staff', 'staffs', ({ from }) => ({
  id: integer('Staff id', 91),
  name: text('Name as credited', 'マッドハウス'),
  name_en: text('Name as credited, in English', 'Madhouse'),
  role_text: from(
    text('Main role, in Japanese', 'アニメーション制作'),
    ['role', 'role_text'],
    (row) => row.role_text || labelOf(roleLabels, row.role),
  ),
  role_other: text('Other roles'),
  role_other_en: text('Other roles, in English'),
  sort_number: integer('Sort key of staff', 10),
}))

/** Each has either a person or an organization. */
export const staffs = defineList({
  path: '/v1/staffs',
  tag: 'Catalogue',
  summary: 'Staff of works',
  key: 'staffs',
  item: defineItem('staffs', staff, {
    work: nested(work, (eb) => eb.ref('staffs.work_id')),
    person: nestedOptional(person, (eb) => eb.ref('staffs.person_id')),
    organization: nestedOptional(organization, (eb) => eb.ref('staffs.organization_id')),
  }),
  rows: shownUnlessWithheld('staffs'),
  filters: { filter_ids: byIds('staffs'), filter_work_id: byWork('staffs') },
  sorts: { sort_id: byId, sort_sort_number: bySortNumber },
})
