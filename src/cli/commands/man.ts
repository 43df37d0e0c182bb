import type { Command } from '../command'
import { manual } from '../manual'

/** `all` returns all commands, including this one. */
export const manCommand = (all: () => Promise<readonly Command[]>): Command => ({
  name: 'man',
  summary: 'Prints the manual page for man(1).',
  operands: [],
  options: [],
  examples: ['kiroku man | man -l -', 'kiroku man > /usr/local/share/man/man1/kiroku.1'],
  run: async ({ print }) => print(manual(await all())),
})
