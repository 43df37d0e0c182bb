import { Failure } from '../../lib/failure'
import type { Command } from '../command'
import { bashCompletion } from '../completion/bash'
import { fishCompletion } from '../completion/fish'
import { completedOf } from '../completion/values'
import { zshCompletion } from '../completion/zsh'

const shells = { bash: bashCompletion, zsh: zshCompletion, fish: fishCompletion }
const names = Object.keys(shells)

/** `all` returns all commands, including this one. */
export const completionCommand = (all: () => Promise<readonly Command[]>): Command => ({
  name: 'completion',
  summary: 'Prints a completion script for a shell.',
  operands: [{ name: names.join('|') }],
  options: [],
  examples: [
    'kiroku completion bash > /usr/share/bash-completion/completions/kiroku',
    'kiroku completion zsh > /usr/share/zsh/vendor-completions/_kiroku',
    'kiroku completion fish > /usr/share/fish/vendor_completions.d/kiroku.fish',
  ],
  run: async ({ operands: [shell = ''], print }) => {
    const make = new Map(Object.entries(shells)).get(shell)
    if (make === undefined)
      throw new Failure('usage', `the shell must be one of ${names.join(', ')}, not ${JSON.stringify(shell)}`)
    await print(make((await all()).map(completedOf)))
  },
})
