import { findUser } from '../../accounts/account/user'
import type { Tx } from '../../db/write'
import { Failure } from '../../lib/failure'
import { addFollow, removeFollow } from '../../social/follow-commands'
import { addMute, removeMute } from '../../social/mute-commands'
import type { Command } from '../command'
import { withStore } from '../open'

/** What an administrator does in the name of one user to another; doing it again changes nothing. */
interface Deed {
  readonly verb: 'follow' | 'unfollow' | 'mute' | 'unmute'
  readonly summary: string
  /** What holds afterwards, between the two names. */
  readonly result: string
  change(tx: Tx, pair: Pair): Promise<void>
}

interface Pair {
  readonly user: number
  readonly other: number
  /** The time now, in epoch milliseconds. */
  readonly now: number
}

const deeds: readonly Deed[] = [
  {
    verb: 'follow',
    summary: 'Makes a user follow another, who is notified.',
    result: 'follows',
    change: (tx, { user, other, now }) =>
      addFollow(tx, { follower_id: user, followed_id: other, created_at: now }),
  },
  {
    verb: 'unfollow',
    summary: 'Makes a user stop following another.',
    result: 'does not follow',
    change: (tx, { user, other }) => removeFollow(tx, { follower_id: user, followed_id: other }),
  },
  {
    verb: 'mute',
    summary: 'Makes a user mute another.',
    result: 'mutes',
    change: (tx, { user, other, now }) => addMute(tx, { user_id: user, muted_id: other, created_at: now }),
  },
  {
    verb: 'unmute',
    summary: 'Makes a user stop muting another.',
    result: 'does not mute',
    change: (tx, { user, other }) => removeMute(tx, { user_id: user, muted_id: other }),
  },
]

/** `user follow`, `user unfollow`, `user mute` and `user unmute`. */
export const userSocial: readonly Command[] = deeds.map((deed) => ({
  name: `user ${deed.verb}`,
  summary: deed.summary,
  operands: [{ name: 'USER' }, { name: 'OTHER' }],
  options: [],
  examples: [`kiroku user ${deed.verb} mio ritsu`],
  run: async (call) => {
    const [username = '', otherName = ''] = call.operands
    await withStore(call, async ({ read, write }) => {
      const user = await findUser(read, username)
      const other = await findUser(read, otherName)
      if (user === other) throw new Failure('data', `nobody can ${deed.verb} themselves`)
      await write((tx) => deed.change(tx, { user, other, now: call.now() }))
    })
    await call.print(`${username} ${deed.result} ${otherName}`)
  },
}))
