import { removeSecondFactor } from '../accounts/second-factor'
import { findUser } from '../accounts/user'
import { settings } from '../config'
import { Failure } from '../lib/failure'
import type { Command } from './command'
import { withStore } from './open'

export const userTwoStepOff: Command = {
  name: 'user two-step-off',
  summary: 'Turns two-step verification off for a user who lost both phone and recovery codes.',
  operands: [{ name: 'USERNAME' }],
  options: [],
  examples: ['kiroku user two-step-off mio'],
  run: async (call) => {
    const [username = ''] = call.operands
    await withStore(call.get(settings.data), async ({ read, write }) => {
      const userId = await findUser(read, username)
      const wasOn = await write((tx) => removeSecondFactor(tx, userId))
      if (!wasOn) throw new Failure('data', `two-step verification is not on for ${username}`)
    })
    await call.print(`turned two-step verification off for ${username}`)
  },
}
