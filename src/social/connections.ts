import { defineCommand } from '../api/command'
import type { Tx } from '../db/write'
import { otherParam, otherUser } from './user-lookup'

/** What a user becomes to another, or no longer is; `now` is in epoch milliseconds. */
export interface Pair {
  readonly user: number
  readonly other: number
  readonly now: number
}

type Change = (tx: Tx, pair: Pair) => Promise<void>

/** Makes a user follow another and tells the other; does nothing where that is so already. */
export const addFollow: Change = async (tx, { user, other, now }) => {
  const [made] = await tx
    .insertInto('follows')
    .values({ follower_id: user, followed_id: other, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  if (made === undefined) return
  const told = { user_id: other, actor_id: user, follow_id: made.id, created_at: now }
  await tx.insertInto('notifications').values(told).execute()
}

/** The other way round; the notification goes with the follow. */
export const removeFollow: Change = async (tx, { user, other }) => {
  await tx.deleteFrom('follows').where('follower_id', '=', user).where('followed_id', '=', other).execute()
}

/** Mutes a user for another; does nothing where that is so already. */
export const addMute: Change = async (tx, { user, other, now }) => {
  await tx
    .insertInto('mutes')
    .values({ user_id: user, muted_id: other, created_at: now })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Ends that, where it is so. */
export const removeMute: Change = async (tx, { user, other }) => {
  await tx.deleteFrom('mutes').where('user_id', '=', user).where('muted_id', '=', other).execute()
}

/** POST /v1/me/follows, an extension (D52). The followed user is notified. */
export const follow = defineChange({
  method: 'POST',
  path: '/v1/me/follows',
  summary: 'Extension: follows a user',
  verb: 'follow',
  change: addFollow,
})

/** DELETE /v1/me/follows, an extension (D52). */
export const unfollow = defineChange({
  method: 'DELETE',
  path: '/v1/me/follows',
  summary: 'Extension: stops following a user',
  verb: 'follow',
  change: removeFollow,
})

/** POST /v1/me/mutes, an extension (D52). */
export const mute = defineChange({
  method: 'POST',
  path: '/v1/me/mutes',
  summary: 'Extension: mutes a user',
  verb: 'mute',
  change: addMute,
})

/** DELETE /v1/me/mutes, an extension (D52). */
export const unmute = defineChange({
  method: 'DELETE',
  path: '/v1/me/mutes',
  summary: 'Extension: unmutes a user',
  verb: 'mute',
  change: removeMute,
})

/** `verb` says what nobody can do to themselves. */
function defineChange({ verb, change, ...declared }: Declared) {
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

interface Declared {
  readonly method: 'POST' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly verb: string
  readonly change: Change
}
