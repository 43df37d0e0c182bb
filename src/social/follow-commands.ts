import { defineCommand } from '../api/command'
import type { Tx } from '../db/write'
import { otherParam, otherUser } from './user-lookup'

/** POST /v1/me/follows, an extension (D52). The followed user is notified. */
export const follow = defineCommand({
  method: 'POST',
  path: '/v1/me/follows',
  tag: 'Users',
  summary: 'Extension: follows a user',
  params: otherParam,
  errors: ['not_found'],
  run: async ({ username }, { deps, viewer }) => {
    await deps.write(async (tx) => {
      const followed = await otherUser(tx, username, viewer.userId, 'follow')
      await addFollow(tx, { follower_id: viewer.userId, followed_id: followed, created_at: deps.now() })
    })
    return null
  },
})

/** DELETE /v1/me/follows, an extension (D52). */
export const unfollow = defineCommand({
  method: 'DELETE',
  path: '/v1/me/follows',
  tag: 'Users',
  summary: 'Extension: stops following a user',
  params: otherParam,
  errors: ['not_found'],
  run: async ({ username }, { deps, viewer }) => {
    await deps.write(async (tx) => {
      const followed = await otherUser(tx, username, viewer.userId, 'follow')
      await removeFollow(tx, { follower_id: viewer.userId, followed_id: followed })
    })
    return null
  },
})

/** Makes a user follow another and tells the other; does nothing where that is so already. */
export async function addFollow(
  tx: Tx,
  row: { follower_id: number; followed_id: number; created_at: number },
): Promise<void> {
  const [made] = await tx
    .insertInto('follows')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .execute()
  if (made === undefined) return
  const { follower_id: actor_id, followed_id: user_id, created_at } = row
  await tx.insertInto('notifications').values({ user_id, actor_id, follow_id: made.id, created_at }).execute()
}

/** The other way round; the notification goes with the follow. */
export async function removeFollow(
  tx: Tx,
  { follower_id, followed_id }: { follower_id: number; followed_id: number },
): Promise<void> {
  await tx
    .deleteFrom('follows')
    .where('follower_id', '=', follower_id)
    .where('followed_id', '=', followed_id)
    .execute()
}
