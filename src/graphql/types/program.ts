import { type RawBuilder, sql } from 'kysely'
import { isShownProgram, program as restProgram } from '../../library/programs'
import { annictId, column, constant, fieldsOf, one, ref, seconds, wholeNumber } from '../declare/fields'
import { defineType } from '../declare/type'

const field = fieldsOf(restProgram)

/** SQL for a row's id at しょぼいカレンダー, null if it has none. */
export const syobocalId = (kind: string, id: RawBuilder<number>) => sql<string | null>`(
  select external_id from external_ids indexed by external_ids_local
  where local_id = ${id} and kind = ${sql.lit(kind)} and ns = 'syobocal' limit 1)`

export const program = defineType('Program', {
  table: 'programs',
  isShown: () => sql`programs.episode_id is not null and ${isShownProgram}`,
  merges: 'programs',
  fields: {
    annictId,
    channel: one('Channel!', 'channel', ref('programs.channel_id')),
    episode: one('Episode!', 'episode', ref('programs.episode_id')),
    rebroadcast: field('Boolean!', 'is_rebroadcast'),
    scPid: column(
      'Int',
      'scPid',
      () => syobocalId('program', sql.ref('programs.id')),
      (id) => wholeNumber(id as string | null),
    ),
    startedAt: field('DateTime!', 'started_at', seconds),
    state: constant('ProgramState!', 'PUBLISHED'),
    work: one('Work!', 'work', ref('programs.work_id')),
  },
})
