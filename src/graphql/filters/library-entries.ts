import { sql } from 'kysely'
import type { ConnectionField } from '../declare/field'
import { many } from '../declare/list'
import { seasonFrom, seasons, seasonUntil } from './seasons'
import { states } from './states'

/** Entries of works in a user's library that have a status. */
export const entriesWithStatus = sql`library_entries join statuses
  on statuses.user_id = library_entries.user_id and statuses.work_id = library_entries.work_id`

const rank = sql<number | null>`(select season_rank from works where works.id = library_entries.work_id)`

/** When the entry was last recorded or its status changed. */
const trackedAt = sql`max(statuses.changed_at, ifnull((
  select max(records.created_at) from records
  where records.user_id = library_entries.user_id and records.work_id = library_entries.work_id), 0))`

export const entriesOfUser: ConnectionField = many({
  of: 'LibraryEntry',
  from: entriesWithStatus,
  id: sql.ref('library_entries.id'),
  parent: sql.ref('library_entries.user_id'),
  orders: { LAST_TRACKED_AT: { by: trackedAt } },
  filters: {
    seasonFrom: seasonFrom(rank),
    seasonUntil: seasonUntil(rank),
    seasons: seasons(rank),
    states,
  },
})
