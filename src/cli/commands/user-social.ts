import { findUser } from '../../accounts/account/user'
import type { Tx } from '../../db/write'
import { Failure } from '../../lib/failure'
import { addFollow, addMute, removeFollow, removeMute } from '../../social/connections'
import type { UserPair } from '../../social/user-lookup'
import type { Command } from '../command'
import { withStore } from '../open'

/** Idempotent: repeating it changes nothing. */
interface SocialAction {
  readonly verb: 'follow' | 'unfollow' | 'mute' | 'unmute'
  readonly summary: string
  readonly result: string
  change(tx: Tx, pair: UserPair): Promise<unknown>
}

const social = ({ verb, summary, result, change }: SocialAction): Command => ({
  name: `user ${verb}`,
  summary,
  operands: [{ name: 'USER' }, { name: 'OTHER' }],
  options: [],
  examples: [`kiroku user ${verb} mio ritsu`],
  run: async (call) => {
    const [username = '', otherName = ''] = call.operands
    await withStore(call, async ({ read, write }) => {
      const user = await findUser(read, username)
      const other = await findUser(read, otherName)
      if (user === other) throw new Failure('data', `users cannot ${verb} themselves`)
      await write((tx) => change(tx, { user, other, now: call.now() }))
    })
    await call.print(`${username} ${result} ${otherName}`)
  },
})

export const userFollow = social({
  verb: 'follow',
  summary: 'Makes a user follow another user, who is notified.',
  result: 'follows',
  change: addFollow,
})

export const userUnfollow = social({
  verb: 'unfollow',
  summary: 'Makes a user unfollow another user.',
  result: 'does not follow',
  change: removeFollow,
})

export const userMute = social({
  verb: 'mute',
  summary: 'Makes a user mute another user.',
  result: 'mutes',
  change: addMute,
})

export const userUnmute = social({
  verb: 'unmute',
  summary: 'Makes a user unmute another user.',
  result: 'does not mute',
  change: removeMute,
})
