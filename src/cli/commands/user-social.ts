import { findUser } from '../../accounts/account/user'
import type { Tx } from '../../db/write'
import { Failure } from '../../lib/failure'
import { addFollow, addMute, removeFollow, removeMute, type UserPair } from '../../social/connections'
import type { Command } from '../command'
import { withStore } from '../open'

/** Idempotent: repeating it changes nothing. */
interface SocialAction {
  readonly verb: 'follow' | 'unfollow' | 'mute' | 'unmute'
  readonly summary: string
  /** Printed between the two names. */
  readonly result: string
  change(tx: Tx, pair: UserPair): Promise<void>
}

const socialActions: readonly SocialAction[] = [
  {
    verb: 'follow',
    summary: 'Makes a user follow another, who is notified.',
    result: 'follows',
    change: addFollow,
  },
  {
    verb: 'unfollow',
    summary: 'Makes a user stop following another.',
    result: 'does not follow',
    change: removeFollow,
  },
  {
    verb: 'mute',
    summary: 'Makes a user mute another.',
    result: 'mutes',
    change: addMute,
  },
  {
    verb: 'unmute',
    summary: 'Makes a user stop muting another.',
    result: 'does not mute',
    change: removeMute,
  },
]

export const userSocial: readonly Command[] = socialActions.map((deed) => ({
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
