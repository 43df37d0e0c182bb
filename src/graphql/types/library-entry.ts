import { sql } from 'kysely'
import { isOnChannelsOf, isShownProgram } from '../../library/programs'
import { column, one, ref } from '../declare/fields'
import { defineType } from '../declare/type'
import { entriesWithStatus } from '../filters/library-entries'
import { statusNumbers } from './status'

const user = sql.ref<number>('library_entries.user_id')

// uses episodes_work and records_user_episode
const nextEpisode = sql<number | null>`(
  select e.id from episodes as e
  where e.work_id = library_entries.work_id and e.hidden = 0
    and not exists (select 1 from records where records.user_id = ${user} and records.episode_id = e.id)
  order by e.sort_number, e.id limit 1)`

/** A rebroadcast only if there is no other. Uses programs_episode. */
const nextProgram = sql<number | null>`(
  select programs.id from programs
  where programs.episode_id = ${nextEpisode} and ${isShownProgram}
    and ${isOnChannelsOf(user, sql.ref('programs.channel_id'))}
  order by programs.is_rebroadcast, programs.started_at, programs.id limit 1)`

/** Only the writer can read a note. */
const note = (viewer: ReturnType<typeof sql<number>>) => sql<string>`ifnull((
  select text from notes
  where notes.user_id = ${user} and notes.work_id = library_entries.work_id and notes.user_id = ${viewer}), '')`

/** A work with a status in somebody's library. */
export const libraryEntry = defineType('LibraryEntry', {
  table: 'library_entries',
  from: entriesWithStatus,
  fields: {
    nextEpisode: one('Episode', 'nextEpisode', () => nextEpisode),
    nextProgram: one('Program', 'nextProgram', () => nextProgram),
    note: column('String!', 'note', note),
    status: one('Status', 'status', () => sql`library_entries.id + ${sql.lit(statusNumbers)}`),
    user: one('User!', 'user', ref('library_entries.user_id')),
    work: one('Work!', 'work', ref('library_entries.work_id')),
  },
})
