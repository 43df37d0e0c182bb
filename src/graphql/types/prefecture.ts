import { annictId, column, ref } from '../declare/fields'
import { defineType } from '../declare/type'

export const prefecture = defineType('Prefecture', {
  table: 'prefectures',
  fields: {
    annictId,
    name: column('String!', 'name', ref('prefectures.name')),
  },
})
