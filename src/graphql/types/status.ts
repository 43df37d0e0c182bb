import { sql } from 'kysely'
import { annictId, column, constant, one, ref, secondsOf, upperCase } from '../declare/fields'
import { defineType } from '../declare/type'
import { entriesWithStatus } from '../filters/library-entries'

/** The number of a current status is its entry's plus this; lower numbers are those of activities. */
export const statusNumbers = 1_000_000_000

const made = sql`(
  select id, user_id, work_id, status_kind as kind, created_at from activities where action = 'create_status') as given`

const current = sql`(
  select library_entries.id, statuses.user_id, statuses.work_id, statuses.kind, statuses.changed_at as created_at
  from ${entriesWithStatus}) as given`

/** The status in an activity, as it was set (D36), or the current one of a library entry. */
export const status = defineType('Status', {
  table: 'given',
  sources: [
    { from: made, key: sql.ref('given.id'), offset: 0 },
    { from: current, key: sql.ref('given.id'), offset: statusNumbers },
  ],
  fields: {
    annictId,
    createdAt: column('DateTime!', 'createdAt', ref('given.created_at'), secondsOf),
    likesCount: constant('Int!', 0),
    state: column('StatusState!', 'state', ref('given.kind'), (kind) => upperCase(kind as string)),
    user: one('User!', 'user', ref('given.user_id')),
    work: one('Work!', 'work', ref('given.work_id')),
  },
})
