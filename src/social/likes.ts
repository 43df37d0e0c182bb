import { defineCommand } from '../api/command'
import type { Endpoint } from '../api/endpoint'
import { idParam } from '../api/param-kinds'
import { prepared, type SlotOf } from '../db/prepared'
import type { Tx } from '../db/write'
import type { Deps } from '../deps'
import { exactlyOne } from './exactly-one'
import { tellOf } from './notify'
import { seenRow } from './user-lookup'

const params = {
  record_id: idParam('The record; either this or review_id', 501),
  review_id: idParam('The review; either this or record_id', 31),
}

/** An extension (D52). Notifies the author, unless that is the caller. */
const like = likeCommand('POST', 'Extension: likes a record or a review', addLike)

const unlike = likeCommand('DELETE', 'Extension: removes a like', removeLike)

export const likeEndpoints: readonly Endpoint[] = [like, unlike]

function likeCommand(method: 'POST' | 'DELETE', summary: string, change: typeof addLike) {
  return defineCommand({
    method,
    path: '/v1/me/likes',
    tag: 'Records',
    summary,
    params,
    errors: ['not_found'],
    run: async (values, { deps, viewer }) => {
      await change(deps, viewer.userId, exactlyOne(values))
      return null
    },
  })
}

type Target = 'record_id' | 'review_id'

export interface LikeTarget {
  readonly name: Target
  readonly id: number
}

type LikeDeps = Pick<Deps, 'write' | 'now'>

/** Notifies the author, unless that is the user. Throws not_found. */
export async function addLike(deps: LikeDeps, user_id: number, { name, id }: LikeTarget): Promise<void> {
  const created_at = deps.now()
  await deps.write(async (tx) => {
    const { user_id: author } = await seenRow(tx, user_id, tables[name], id)
    const [made] = await queries[name].insert(tx, { id, user_id, created_at })
    if (made === undefined) return
    await tellOf.like(tx, { to: author, by: user_id, about: made.id, at: created_at })
  })
}

/** Throws not_found. */
export async function removeLike(deps: LikeDeps, user_id: number, { name, id }: LikeTarget): Promise<void> {
  await deps.write(async (tx) => {
    await seenRow(tx, user_id, tables[name], id)
    await queries[name].remove(tx, { id, user_id })
  })
}

const tables = { record_id: 'records', review_id: 'reviews' } as const

const queriesOf = (name: Target) => ({
  insert: prepared((tx: Tx, slot: SlotOf<{ id: number; user_id: number; created_at: number }>) =>
    tx
      .insertInto('likes')
      .values({ [name]: slot('id'), user_id: slot('user_id'), created_at: slot('created_at') })
      .onConflict((conflict) => conflict.doNothing())
      .returning('id'),
  ),
  remove: prepared((tx: Tx, slot: SlotOf<{ id: number; user_id: number }>) =>
    tx.deleteFrom('likes').where(name, '=', slot('id')).where('user_id', '=', slot('user_id')),
  ),
})

const queries = { record_id: queriesOf('record_id'), review_id: queriesOf('review_id') }
