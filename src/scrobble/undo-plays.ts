import { sql } from 'kysely'
import type { Read } from '../db/open'
import { preparedSql } from '../db/prepared'
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

/**
 * Takes back what a hook recorded since a time, newest first, ratings before what they are of. Returns how many were taken
 * back, and how many had to be left: what its person has written about since stays.
 */
export async function undoHook(
  deps: UndoDeps,
  userId: number,
  { hookId, since }: { readonly hookId: number; readonly since: number },
): Promise<{ readonly undone: number; readonly left: number }> {
  const acts = await deps.read
    .selectFrom('deliveries') // uses deliveries_hook
    .innerJoin('acts', 'acts.id', 'act_id')
    .select(['acts.id', sql<number>`max(result = 'rated')`.as('isRating')])
    .where('hook_id', '=', hookId)
    .where('deliveries.user_id', '=', userId)
    .where('received_at', '>=', since)
    .where('undone_at', 'is', null)
    .groupBy('acts.id')
    .orderBy('isRating', 'desc')
    .orderBy('acts.id', 'desc')
    .execute()
  let [undone, left] = [0, 0]
  for (const some of chunksOf(acts)) {
    const touched = new Set(
      (await touchedSince(deps.warmRead(), { acts: JSON.stringify(some) })).map(({ id }) => id),
    )
    left += touched.size
    const untouched = some.filter((id) => !touched.has(id))
    // Writes are done in the order in which they are asked for.
    const results = await Promise.allSettled(untouched.map((id) => undo(deps, userId, { actId: id })))
    for (const result of results) {
      if (result.status === 'fulfilled') undone += 1
      else if (result.reason instanceof UndoRefused) left += 1
      else throw result.reason
    }
  }
  return { undone, left }
}

const undoneAtOnce = 50

/** Ids of at most as many acts as are undone at once; ratings apart, which change what they are of. */
function chunksOf(acts: readonly { readonly id: number; readonly isRating: number }[]): readonly number[][] {
  const kinds = [acts.filter(({ isRating }) => isRating === 1), acts.filter(({ isRating }) => isRating !== 1)]
  return kinds.flatMap((some) =>
    Array.from({ length: Math.ceil(some.length / undoneAtOnce) }, (_, at) =>
      some.slice(at * undoneAtOnce, (at + 1) * undoneAtOnce).map(({ id }) => id),
    ),
  )
}

/** Acts whose records or viewings got a comment or a rating since. */
const touchedSince = preparedSql<{ id: number }, { acts: string }>(
  (slot) => sql`
    select distinct act_id as id from json_each(${slot('acts')}) as wanted
    join changes on act_id = wanted.value and before is null and table_name in ('records', 'reviews')
    where iif(table_name = 'records',
      exists (select 1 from records where id between row_id and last_id and modified_at is not null),
      exists (select 1 from reviews where id between row_id and last_id and modified_at is not null))`,
)
