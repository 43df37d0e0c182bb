import { sql } from 'kysely'
import { anyWork, visibleWork } from '../catalogue/lookups'
import type { Tx } from '../db/write'
import { ApiError } from '../http/errors'
import { type Act, type ActDeps, NothingChanged } from '../library/acts/act'
import { writeAct } from '../library/acts/write-act'
import { mostFavoriteWorks } from '../library/undo/comebacks'

/** Of one person. */
export class FavoritesFull extends ApiError {
  constructor() {
    super('invalid_params', [
      `work_id must be of one of at most ${mostFavoriteWorks} favorite works of the caller.`,
    ])
  }
}

interface FavoriteWork {
  readonly user: number
  readonly work: number
}

/** Puts it last. Idempotent. Throws not_found, or `FavoritesFull`. */
export async function insertFavoriteWork(
  tx: Tx,
  { user, work, now }: FavoriteWork & { readonly now: number },
): Promise<void> {
  const { rows } = await sql`
    insert into favorites (user_id, work_id, position, created_at)
    values (${user}, ${work}, (
      select ifnull(max(position), 0) + 1 from favorites where user_id = ${user} and work_id is not null), ${now})
    on conflict do nothing returning 1`.execute(tx)
  if (rows.length > 0 && (await favoriteWorks(tx, user)).length > mostFavoriteWorks) throw new FavoritesFull()
}

/** Idempotent. */
export const deleteFavoriteWork = async (tx: Tx, { user, work }: FavoriteWork): Promise<void> => {
  await tx.deleteFrom('favorites').where('user_id', '=', user).where('work_id', '=', work).execute()
}

type OnWork = { readonly workId: number }

/** ★. Throws not_found, or `FavoritesFull`. */
export const addFavoriteWork = (deps: ActDeps, userId: number, { workId }: OnWork): Promise<Act> =>
  writeAct(deps, userId, 'favorite', async ({ tx, log, now }) => {
    const work = await visibleWork(tx, workId)
    await log.changed('favorites', work, work, () => insertFavoriteWork(tx, { user: userId, work, now }))
    return { workId: work }
  })

export const dropFavoriteWork = (deps: ActDeps, userId: number, { workId }: OnWork): Promise<Act> =>
  writeAct(deps, userId, 'delete_favorite', async ({ tx, log }) => {
    const work = await anyWork(tx, workId)
    await log.changed('favorites', work, work, () => deleteFavoriteWork(tx, { user: userId, work }))
    return { workId: work }
  })

/** One place towards the first or the last of those that are shown; nothing changes at the end. */
export const moveFavoriteWork = (
  deps: ActDeps,
  userId: number,
  { workId, to }: OnWork & { readonly to: 'earlier' | 'later' },
): Promise<Act> =>
  writeAct(deps, userId, 'move_favorite', async ({ tx, log }) => {
    const work = await anyWork(tx, workId)
    const before = await favoriteWorks(tx, userId)
    const from = before.findIndex((one) => one.work === work)
    const step = to === 'earlier' ? -1 : 1
    let at = from + step
    while (before[at]?.hidden) at += step
    if (from < 0 || before[at] === undefined) throw new NothingChanged('move_favorite')
    const after = before.toSpliced(from, 1).toSpliced(at, 0, ...before.slice(from, from + 1))
    for (const [place, one] of after.entries())
      await log.changed('favorites', one.work, one.work, () =>
        placeAt(tx, { user: userId, ...one }, place + 1),
      )
    return { workId: work }
  })

/** In their order. Uses favorites_user. */
async function favoriteWorks(tx: Tx, user: number) {
  const { rows } = await sql<{ work: number; hidden: number }>`
    select work_id as work, works.hidden from favorites cross join works on works.id = work_id
    where user_id = ${user} order by position, favorites.id`.execute(tx)
  return rows
}

const placeAt = (tx: Tx, { user, work }: FavoriteWork, position: number) =>
  tx
    .updateTable('favorites')
    .set({ position })
    .where('user_id', '=', user)
    .where('work_id', '=', work)
    .where('position', '<>', position)
    .execute()
