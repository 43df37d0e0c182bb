import { sql } from 'kysely'
import { annictId, column, one, ref, secondsOf } from '../declare/fields'
import { many } from '../declare/list'
import { defineType } from '../declare/type'

/** Several episodes recorded in one action (D26); its number is that of the activity. */
export const multipleRecord = defineType('MultipleRecord', {
  table: 'activities',
  isShown: () => sql`activities.action = 'create_multiple_records'`,
  fields: {
    annictId,
    createdAt: column('DateTime!', 'createdAt', ref('activities.created_at'), secondsOf),
    records: many({
      of: 'Record',
      from: sql`activity_records`,
      id: sql.ref('activity_records.record_id'),
      parent: sql.ref('activity_records.activity_id'),
    }),
    user: one('User!', 'user', ref('activities.user_id')),
    work: one('Work!', 'work', ref('activities.work_id')),
  },
})
