import { visibleWork } from '../../catalogue/lookups'
import type { Tx } from '../../db/write'
import { invalidParams } from '../../http/errors'
import type { StatusKind } from '../statuses'
import type { Act, ActDeps } from './act'
import { logStatus } from './status-change'
import { writeAct } from './write-act'

/** Gives several works one status in a single act, whose `count` is their number. Undo restores all of them or none. */
export const chooseStatuses = (
  deps: ActDeps,
  userId: number,
  { workIds, kind }: { readonly workIds: readonly number[]; readonly kind: StatusKind },
): Promise<Act> =>
  writeAct(deps, userId, 'status', async (act) => {
    const works = await visibleWorks(act.tx, workIds)
    for (const work_id of works) await logStatus(act, act.log, { work_id, kind })
    return { workId: works[0], statusKind: kind, count: works.length }
  })

/** Marks the statuses of several works as seen by their user only, or shares them; works without one are left out. */
export const markStatuses = (
  deps: ActDeps,
  userId: number,
  { workIds, isPrivate }: { readonly workIds: readonly number[]; readonly isPrivate: boolean },
): Promise<Act> =>
  writeAct(deps, userId, isPrivate ? 'mark' : 'share', async (act) => {
    const works = await visibleWorks(act.tx, workIds)
    const rows = await act.tx
      .selectFrom('statuses')
      .select(['work_id', 'kind'])
      .where('user_id', '=', userId)
      .where('work_id', 'in', works)
      .where('private', '<>', Number(isPrivate))
      .$narrowType<{ kind: StatusKind }>()
      .execute()
    for (const { work_id, kind } of rows) await logStatus(act, act.log, { work_id, kind, isPrivate })
    return { workId: rows[0]?.work_id ?? works[0], count: rows.length }
  })

/** Each once. Throws invalid_params for none or too many, and for one that does not exist. */
export async function visibleWorks(
  tx: Tx,
  workIds: readonly number[],
): Promise<readonly [number, ...number[]]> {
  const works = new Set<number>()
  for (const id of workIds) works.add(await visibleWork(tx, id))
  const [first, ...others] = works
  if (first === undefined || works.size > mostWorksAtOnce)
    throw invalidParams(`work_ids must have 1 to ${mostWorksAtOnce} ids.`)
  return [first, ...others]
}

/** An act on 500 works is 170 KB and holds the write lock for 0.1 s. */
export const mostWorksAtOnce = 500
