import { createSetupLink } from '../../accounts/account/setup'
import { baseUrlOf } from '../base-url'
import type { Command } from '../command'
import { withStore } from '../open'

export const setupUrl: Command = {
  name: 'setup-url',
  summary:
    'Prints a URL for creating the first administrator, valid once and for 30 minutes. Earlier URLs become invalid.',
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
