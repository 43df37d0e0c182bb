import { sql } from 'kysely'
import { prepared, type SlotOf } from '../../../db/prepared'
import type { Tx } from '../../../db/write'
import { undoableTables } from '../../../library/acts/undoable-tables'
import { memberSource } from '../../../library/next-episode'
import { linkLater } from './later-change'
import type { UndoneChange, Why } from './undo-tools'

type Key = { id: number; user: number }

/** Deletes a record unless it was edited, liked or commented on since. */
export async function removeRecord(tx: Tx, { userId }: UndoneChange, id: number): Promise<Why | undefined> {
  const [record] = await findRecord(tx, { id, user: userId })
  if (record === undefined) return undefined
  if (record.likes_count + record.comments_count > 0) return 'used'
  if (record.version > 1 && record.is_modified === 1) return 'changed'
  await deleteRecord(tx, { id })
  return undefined
}

/** The same for a review. If a later import changed it, undoing that import deletes it. */
export async function removeReview(tx: Tx, change: UndoneChange, id: number): Promise<Why | undefined> {
  const [review] = await findReview(tx, { id, user: change.userId })
  if (review === undefined) return undefined
  if (review.likes_count > 0) return 'used'
  if (review.version > 1 && review.modified_at !== null) {
    const place = { ...change, before: null, ids: [id] }
    await linkLater(tx, place, (value) => JSON.parse(value).version === 1)
    return 'changed'
  }
  await tx.deleteFrom('reviews').where('id', '=', id).execute()
  return undefined
}

export const removeOwn =
  (table: 'laps' | 'skips') =>
  (tx: Tx, { userId }: UndoneChange, id: number): Promise<Why | undefined> =>
    removeUnused(tx, table, sql`id = ${id} and user_id = ${userId}`)

/** Deletes an episode at the end of a grown list, unless somebody has recorded it or a source lists it by now. */
export async function removeEpisode(tx: Tx, _: UndoneChange, id: number): Promise<Why | undefined> {
  const [episode] = await findEpisode(tx, { id })
  if (episode === undefined) return undefined
  if (episode.estimated === 0 || episode.source_id !== memberSource) return 'changed'
  return await removeUnused(tx, 'episodes', sql`id = ${id}`)
}

async function removeUnused(
  tx: Tx,
  table: 'laps' | 'skips' | 'episodes',
  key: ReturnType<typeof sql>,
): Promise<Why | undefined> {
  const { isUsed = sql`false` } = undoableTables[table]
  const { rows } = await sql<{ used: number }>`
    select (${isUsed}) as used from ${sql.table(table)} as row where ${key}`.execute(tx)
  if (rows[0] === undefined) return undefined
  if (rows[0].used === 1) return 'used'
  await sql`delete from ${sql.table(table)} where ${key}`.execute(tx)
  return undefined
}

const findRecord = prepared((tx: Tx, slot: SlotOf<Key>) =>
  tx
    .selectFrom('records')
    .select(['version', 'is_modified', 'likes_count', 'comments_count'])
    .where('id', '=', slot('id'))
    .where('user_id', '=', slot('user')),
)

const deleteRecord = prepared((tx: Tx, slot: SlotOf<{ id: number }>) =>
  tx.deleteFrom('records').where('id', '=', slot('id')),
)

const findReview = prepared((tx: Tx, slot: SlotOf<Key>) =>
  tx
    .selectFrom('reviews')
    .select(['version', 'modified_at', 'likes_count'])
    .where('id', '=', slot('id'))
    .where('user_id', '=', slot('user')),
)

const findEpisode = prepared((tx: Tx, slot: SlotOf<{ id: number }>) =>
  tx.selectFrom('episodes').select(['estimated', 'source_id']).where('id', '=', slot('id')),
)
