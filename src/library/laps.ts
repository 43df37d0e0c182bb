import { type RawBuilder, sql } from 'kysely'
import { defineCommand } from '../api/command'
import { idParam } from '../api/param-kinds'
import { required } from '../api/params'
import { visibleWork } from '../catalogue/lookups'
import type { Tx } from '../db/write'
import { invalidParams } from '../http/errors'
import { writingTokenOf } from './new-activity'
import { giveStatus } from './statuses'

/**
 * SQL for the user's current lap of a work, 1 for the first (D63). Uses the index of laps' unique columns. The unary +
 * keeps the bound values from affecting the plan: otherwise SQLite prepares the statement again for each value, which
 * adds 150 µs to the insert of a record.
 */
export const currentLap = (user: RawBuilder<unknown>, work: RawBuilder<unknown>): RawBuilder<number> =>
  sql<number>`ifnull((
    select max(number) from laps where laps.user_id = +${user} and laps.work_id = +${work}), 1)`

/** An extension (D63). */
export const startLap = defineCommand({
  method: 'POST',
  path: '/v1/me/laps',
  tag: 'Records',
  summary: 'Extension: watches a work again',
  description:
    'Starts the next lap: later records belong to it, and the status becomes watching. A lap without records is continued.',
  params: { work_id: required(idParam('The work', 10079)) },
  errors: ['not_found'],
  run: async ({ work_id }, { deps, viewer }) => {
    const now = deps.now()
    await deps.write(async (tx) => {
      const lap = { user_id: viewer.userId, work_id: await visibleWork(tx, work_id), now }
      const { number, isEmpty } = await lapOf(tx, lap)
      if (number === 1 || !isEmpty) await beginLap(tx, lap)
      await giveStatus(tx, { ...lap, kind: 'watching', writer: writingTokenOf(viewer) })
    })
    return null
  },
})

type LapKey = { readonly user_id: number; readonly work_id: number }

/** Returns the id of the lap. Throws invalid_params if the current lap has no record. */
export async function beginLap(tx: Tx, { user_id, work_id, now }: LapKey & { now: number }): Promise<number> {
  const { number, isEmpty } = await lapOf(tx, { user_id, work_id })
  if (isEmpty) throw invalidParams('work_id must be the id of a work with a record in the current lap.')
  const { id } = await tx
    .insertInto('laps')
    .values({ user_id, work_id, number: number + 1, started_at: now })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

/** `isEmpty`: it has no record. */
export async function lapOf(
  tx: Tx,
  { user_id, work_id }: LapKey,
): Promise<{ number: number; isEmpty: boolean }> {
  const { number } = await tx
    .selectNoFrom(currentLap(sql.val(user_id), sql.val(work_id)).as('number'))
    .executeTakeFirstOrThrow()
  const record = await tx
    .selectFrom('episodes')
    .crossJoin('records') // keeps the order of the tables: uses records_user_episode
    .select('records.id')
    .where('episodes.work_id', '=', work_id)
    .where('records.user_id', '=', user_id)
    .whereRef('records.episode_id', '=', 'episodes.id')
    .where('lap', '=', number)
    .executeTakeFirst()
  return { number, isEmpty: record === undefined }
}
