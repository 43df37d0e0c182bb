import { createSetupLink } from '../../accounts/account/setup'
import { baseUrlOf } from '../base-url'
import type { Command } from '../command'
import { withStore } from '../open'

export const setupUrl: Command = {
  name: 'setup-url',
  summary:
    'Prints a URL that makes the first administrator: good once, for 30 minutes; the one before it is not.',
  operands: [],
  options: [],
  examples: ['kiroku setup-url', 'kiroku setup-url --base-url https://kiroku.example'],
  run: async (call) => {
    const baseUrl = baseUrlOf(call)
    const link = await withStore(call, ({ read, write }) =>
      createSetupLink({ read, write, now: call.now, random: call.random }),
    )
    await call.print(`${baseUrl}/setup/${link}`)
  },
}
