import { createResetLink } from '../../accounts/account/new-password'
import { changeStanding, type StandingChange } from '../../accounts/account/standing'
import { findUser } from '../../accounts/account/user'
import { Failure } from '../../lib/failure'
import { baseUrlOf } from '../base-url'
import type { Command } from '../command'
import { withStore } from '../open'

const standing = (change: StandingChange, summary: string, done: string): Command => ({
  name: `user ${change}`,
  summary,
  operands: [{ name: 'USERNAME' }],
  options: [],
  examples: [`kiroku user ${change} mio`],
  run: async (call) => {
    const [username = ''] = call.operands
    const changed = await withStore(call, async ({ read, write }) =>
      changeStanding({ write, now: call.now }, await findUser(read, username), change),
    )
    if (changed === 'last') {
      throw new Failure('data', `${username} is the last administrator: promote another user first`)
    }
    await call.print(changed === 'done' ? `${username} ${done}` : `${username} ${done} already`)
  },
})

export const userResetPassword: Command = {
  name: 'user reset-password',
  summary: 'Prints a URL where the user chooses a new password, valid once and for an hour.',
  operands: [{ name: 'USERNAME' }],
  options: [],
  examples: ['kiroku user reset-password mio'],
  run: async (call) => {
    const [username = ''] = call.operands
    const baseUrl = baseUrlOf(call)
    const link = await withStore(call, async ({ read, write }) =>
      createResetLink({ write, now: call.now, random: call.random }, await findUser(read, username)),
    )
    await call.print(`${baseUrl}/reset_password/${link}`)
  },
}

export const userPromote = standing('promote', 'Makes a user an administrator.', 'is an administrator')

export const userDemote = standing(
  'demote',
  'Makes an administrator an ordinary user again, unless it is the only administrator.',
  'is no administrator',
)

export const userDisable = standing(
  'disable',
  'Signs a user out everywhere and refuses their tokens, effective immediately.',
  'is disabled',
)

export const userEnable = standing('enable', 'Enables a disabled user again.', 'is enabled')
