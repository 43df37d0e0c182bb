import { cast as restCast } from '../../catalogue/casts'
import { isShownUnlessWithheld } from '../../catalogue/shown'
import { annictId, fieldsOf, one, ref } from '../declare/fields'
import { defineType } from '../declare/type'

const field = fieldsOf(restCast)

export const cast = defineType('Cast', {
  table: 'casts',
  isShown: () => isShownUnlessWithheld('casts'),
  merges: 'casts',
  fields: {
    annictId,
    character: one('Character!', 'character', ref('casts.character_id')),
    name: field('String!', 'name'),
    nameEn: field('String!', 'name_en'),
    person: one('Person!', 'person', ref('casts.person_id')),
    sortNumber: field('Int!', 'sort_number'),
    work: one('Work!', 'work', ref('casts.work_id')),
  },
})
