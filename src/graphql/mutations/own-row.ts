import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import type { Context } from '../declare/field'

const queries = {
  records: ownRows('records', 'episode_id'),
  reviews: ownRows('reviews', 'work_id'),
} as const

/** The episode of the caller's record, or the work of their review; undefined if there is none. */
export async function subjectOf(
  table: keyof typeof queries,
  id: number,
  { call, viewerId }: Context,
): Promise<number | undefined> {
  const [row] = await queries[table](call.deps.read, { id, viewer: viewerId })
  return row?.subject
}

function ownRows(table: 'records' | 'reviews', column: 'episode_id' | 'work_id') {
  return preparedSql<{ subject: number }, { id: number; viewer: number }>(
    (slot) => sql`select ${sql.ref(column)} as subject from ${sql.table(table)}
      where id = ${slot('id')} and user_id = ${slot('viewer')}`,
  )
}
