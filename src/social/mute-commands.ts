import { defineCommand } from '../api/command'
import type { Tx } from '../db/write'
import { otherParam, otherUser } from './user-lookup'

/** POST /v1/me/mutes, an extension (D52). */
export const mute = defineCommand({
  method: 'POST',
  path: '/v1/me/mutes',
  tag: 'Users',
  summary: 'Extension: mutes a user',
  params: otherParam,
  errors: ['not_found'],
  run: async ({ username }, { deps, viewer }) => {
    await deps.write(async (tx) => {
      const muted = await otherUser(tx, username, viewer.userId, 'mute')
      await addMute(tx, { user_id: viewer.userId, muted_id: muted, created_at: deps.now() })
    })
    return null
  },
})

/** DELETE /v1/me/mutes, an extension (D52). */
export const unmute = defineCommand({
  method: 'DELETE',
  path: '/v1/me/mutes',
  tag: 'Users',
  summary: 'Extension: unmutes a user',
  params: otherParam,
  errors: ['not_found'],
  run: async ({ username }, { deps, viewer }) => {
    await deps.write(async (tx) => {
      const muted = await otherUser(tx, username, viewer.userId, 'mute')
      await removeMute(tx, { user_id: viewer.userId, muted_id: muted })
    })
    return null
  },
})

/** Mutes a user for another; does nothing where that is so already. */
export async function addMute(
  tx: Tx,
  row: { user_id: number; muted_id: number; created_at: number },
): Promise<void> {
  await tx
    .insertInto('mutes')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Ends that, where it is so. */
export async function removeMute(
  tx: Tx,
  { user_id, muted_id }: { user_id: number; muted_id: number },
): Promise<void> {
  await tx.deleteFrom('mutes').where('user_id', '=', user_id).where('muted_id', '=', muted_id).execute()
}
