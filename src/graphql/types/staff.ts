import { isShownUnlessWithheld } from '../../catalogue/shown'
import { staff as restStaff } from '../../catalogue/staffs'
import type { GraphqlField } from '../declare/field'
import { annictId, fieldsOf, one, ref } from '../declare/fields'
import { defineType } from '../declare/type'

const field = fieldsOf(restStaff)

const resource: GraphqlField = {
  type: 'StaffResourceItem!',
  columns: new Map([
    ['person$', ref('staffs.person_id')],
    ['organization$', ref('staffs.organization_id')],
  ]),
  resolve: async (row, _, { rows }) => {
    const type = row.person$ === null ? 'Organization' : 'Person'
    const found = await rows.load(type, row.person$ ?? row.organization$)
    return found === null ? null : { ...found, __typename: type }
  },
}

export const staff = defineType('Staff', {
  table: 'staffs',
  isShown: () => isShownUnlessWithheld('staffs'),
  merges: 'staffs',
  fields: {
    annictId,
    name: field('String!', 'name'),
    nameEn: field('String!', 'name_en'),
    resource,
    roleOther: field('String!', 'role_other'),
    roleOtherEn: field('String!', 'role_other_en'),
    roleText: field('String!', 'role_text'),
    sortNumber: field('Int!', 'sort_number'),
    work: one('Work!', 'work', ref('staffs.work_id')),
  },
})
