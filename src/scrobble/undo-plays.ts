import type { Read } from '../db/open'
import { invalidParams, notFound } from '../http/errors'
import { undo } from '../library/acts/undo'
import { UndoRefused } from '../library/undo/undo-changes'

type UndoDeps = Parameters<typeof undo>[0] & { readonly read: Read }

/** Takes back what a delivery recorded; with a choice, all that was recorded by it. Throws not_found and `UndoRefused`. */
export async function undoDelivery(deps: UndoDeps, userId: number, id: number): Promise<void> {
  const row = await deps.read
    .selectFrom('deliveries')
    .select('act_id')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined) throw notFound('The delivery')
  if (row.act_id === null) throw invalidParams('id must be of a delivery that recorded something.')
  await undo(deps, userId, { actId: row.act_id })
}

/** Takes back what a hook recorded since a time, newest first. Returns how many were taken back, and how many had to be left. */
export async function undoHook(
  deps: UndoDeps,
  userId: number,
  { hookId, since }: { readonly hookId: number; readonly since: number },
): Promise<{ readonly undone: number; readonly left: number }> {
  const acts = await deps.read
    .selectFrom('deliveries') // uses deliveries_hook
    .innerJoin('acts', 'acts.id', 'act_id')
    .select('acts.id')
    .distinct()
    .where('hook_id', '=', hookId)
    .where('deliveries.user_id', '=', userId)
    .where('received_at', '>=', since)
    .where('undone_at', 'is', null)
    .orderBy('acts.id', 'desc')
    .execute()
  let [undone, left] = [0, 0]
  for (let from = 0; from < acts.length; from += undoneAtOnce) {
    const some = acts.slice(from, from + undoneAtOnce)
    // Writes are done in the order in which they are asked for.
    const results = await Promise.allSettled(some.map(({ id }) => undo(deps, userId, { actId: id })))
    for (const result of results) {
      if (result.status === 'fulfilled') undone += 1
      else if (result.reason instanceof UndoRefused) left += 1
      else throw result.reason
    }
  }
  return { undone, left }
}

const undoneAtOnce = 50
