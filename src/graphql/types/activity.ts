import { annictId, one, ref } from '../declare/fields'
import { defineType } from '../declare/type'

/** Its subject is on the edge. */
export const activity = defineType('Activity', {
  table: 'activities',
  fields: {
    annictId,
    user: one('User!', 'user', ref('activities.user_id')),
  },
})
