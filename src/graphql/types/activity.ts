import { annictId, one, ref } from '../declare/fields'
import { defineType } from '../declare/type'

/** What it is about stands on its edge. */
export const activity = defineType('Activity', {
  table: 'activities',
  fields: {
    annictId,
    user: one('User!', 'user', ref('activities.user_id')),
  },
})
