import type { Tx } from '../db/write'
import { defineCommand } from '../http/command'
import { notFound } from '../http/errors'
import { integer } from '../http/params'
import { exactlyOne } from './exactly-one'
import { isDeleted } from './user-lookup'

const said = {
  path: '/v1/me/likes',
  tag: 'Records',
  params: {
    record_id: integer('The record; either this or review_id', { example: 501 }),
    review_id: integer('The review; either this or record_id', { example: 31 }),
  },
  errors: ['not_found'],
} as const

/** POST /v1/me/likes, an extension (D52). The author is notified, unless it is the caller. */
export const like = defineCommand({
  ...said,
  method: 'POST',
  summary: 'Extension: likes a record or a review',
  run: async (asked, { deps, viewer }) => {
    const target = exactlyOne(asked)
    await deps.write(async (tx) => {
      const author = await authorOf(tx, target)
      const own = { user_id: viewer.userId, created_at: deps.now() }
      const [made] = await tx
        .insertInto('likes')
        .values({ ...own, [target.name]: target.id })
        .onConflict((conflict) => conflict.doNothing())
        .returning('id')
        .execute()
      if (made === undefined || author === viewer.userId || (await isDeleted(tx, author))) return
      const told = { user_id: author, actor_id: viewer.userId, like_id: made.id, created_at: deps.now() }
      await tx.insertInto('notifications').values(told).execute()
    })
    return null
  },
})

/** DELETE /v1/me/likes, an extension (D52). */
export const unlike = defineCommand({
  ...said,
  method: 'DELETE',
  summary: 'Extension: takes a like back',
  run: async (asked, { deps, viewer }) => {
    const target = exactlyOne(asked)
    await deps.write(async (tx) => {
      await authorOf(tx, target)
      await tx
        .deleteFrom('likes')
        .where(target.name, '=', target.id)
        .where('user_id', '=', viewer.userId)
        .execute()
    })
    return null
  },
})

async function authorOf(
  tx: Tx,
  { name, id }: { name: 'record_id' | 'review_id'; id: number },
): Promise<number> {
  const table = name === 'record_id' ? 'records' : 'reviews'
  const [row] = await tx.selectFrom(table).select('user_id').where('id', '=', id).execute()
  if (row === undefined) throw notFound(name === 'record_id' ? 'The record' : 'The review')
  return row.user_id
}
