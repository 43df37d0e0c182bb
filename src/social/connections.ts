import { defineCommand } from '../api/command'
import type { Endpoint } from '../api/endpoint'
import type { Tx } from '../db/write'
import { notFound } from '../http/errors'
import { addBlock, areApart, removeBlock } from './blocks'
import { ask, mustAsk, mustFollowFew } from './follow-requests'
import { tellOf } from './notify'
import { otherParam, otherUser, type UserPair } from './user-lookup'

type ConnectionChange = (tx: Tx, pair: UserPair) => Promise<unknown>

interface MadeRow {
  readonly table: 'follows' | 'follow_requests'
  readonly id: number
}

/**
 * Idempotent; notifies the followed user. A private profile is asked instead (D76). Throws not_found if one of the two has
 * blocked the other (D78), and invalid_params for too many.
 */
export async function addFollow(tx: Tx, { user, other, now }: UserPair): Promise<MadeRow | undefined> {
  if (await areApart(tx, { user, other })) throw notFound('The user')
  if (await mustAsk(tx, { user, other })) {
    const id = await ask(tx, { user, other, now })
    return id === undefined ? undefined : { table: 'follow_requests', id }
  }
  const [made] = await tx
    .insertInto('follows')
    .values({ follower_id: user, followed_id: other, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  if (made === undefined) return undefined
  await mustFollowFew(tx, user)
  await tellOf.follow(tx, { to: other, by: user, about: made.id, at: now })
  return { table: 'follows', id: made.id }
}

/** Also withdraws what was asked. The notification is deleted with the follow by cascade. */
export const removeFollow: ConnectionChange = async (tx, { user, other, now }) => {
  await tx
    .deleteFrom('follow_requests')
    .where('follower_id', '=', user)
    .where('followed_id', '=', other)
    .where('declined_at', 'is', null)
    .execute()
  // Who was declined is not told, and may ask again without anybody knowing.
  await tx
    .updateTable('follow_requests')
    .set({ withdrawn_at: now })
    .where('follower_id', '=', user)
    .where('followed_id', '=', other)
    .where('withdrawn_at', 'is', null)
    .execute()
  await tx.deleteFrom('follows').where('follower_id', '=', user).where('followed_id', '=', other).execute()
}

export const addMute: ConnectionChange = async (tx, { user, other, now }) => {
  await tx
    .insertInto('mutes')
    .values({ user_id: user, muted_id: other, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export const removeMute: ConnectionChange = async (tx, { user, other }) => {
  await tx.deleteFrom('mutes').where('user_id', '=', user).where('muted_id', '=', other).execute()
}

/** An extension, like the other five (D52). */
const follow = defineChange({
  method: 'POST',
  path: '/v1/me/follows',
  summary: 'Extension: follows a user',
  verb: 'follow',
  change: addFollow,
})

const unfollow = defineChange({
  method: 'DELETE',
  path: '/v1/me/follows',
  summary: 'Extension: unfollows a user',
  verb: 'follow',
  change: removeFollow,
})

const mute = defineChange({
  method: 'POST',
  path: '/v1/me/mutes',
  summary: 'Extension: mutes a user',
  verb: 'mute',
  change: addMute,
})

const unmute = defineChange({
  method: 'DELETE',
  path: '/v1/me/mutes',
  summary: 'Extension: unmutes a user',
  verb: 'mute',
  change: removeMute,
})

const block = defineChange({
  method: 'POST',
  path: '/v1/me/blocks',
  summary: 'Extension: blocks a user',
  description:
    'From then on, neither sees the other’s profile or anything they write, and they no longer follow each other. The user is not told. Lists leave out ' +
    'their rows, but count them.',
  verb: 'block',
  change: addBlock,
})

const unblock = defineChange({
  method: 'DELETE',
  path: '/v1/me/blocks',
  summary: 'Extension: unblocks a user',
  verb: 'block',
  change: removeBlock,
})

export const connectionEndpoints: readonly Endpoint[] = [follow, unfollow, mute, unmute, block, unblock]

/** `verb` is used in the error for the caller's own name. */
function defineChange({ verb, change, ...declared }: ChangeDeclaration) {
  return defineCommand({
    ...declared,
    tag: 'Users',
    params: otherParam,
    errors: ['not_found'],
    run: async ({ username }, { deps, viewer }) => {
      await deps.write(async (tx) => {
        const other = await otherUser(tx, username, viewer.userId, verb)
        await change(tx, { user: viewer.userId, other, now: deps.now() })
      })
      return null
    },
  })
}

interface ChangeDeclaration {
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly description?: string
  readonly verb: string
  readonly change: ConnectionChange
}
