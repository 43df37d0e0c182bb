import type { Command } from './command'
import { misuse } from './parse'

/** A command and what was typed after its words. */
export interface Found {
  readonly command: Command
  readonly rest: readonly string[]
}

/** The command that was asked for; `serve` where no word stands first. Throws a `usage` failure for an unknown one. */
export function findCommand(commands: readonly Command[], argv: readonly string[]): Found {
  const words = withCommand(argv)
  const command = commands.find((candidate) => startsWith(words, candidate.name))
  if (command !== undefined) return { command, rest: words.slice(command.name.split(' ').length) }
  const [first = '', second = ''] = words
  const group = commandsIn(commands, first)
  // `kiroku user --help` asks about all of them.
  const help = commands.find(({ name }) => name === 'help')
  if (group.length > 0 && /^(?:-h|--help)$/.test(second) && help !== undefined)
    return { command: help, rest: [first] }
  if (group.length === 0) throw misuse({ name: '' }, `unknown command ${JSON.stringify(first)}`)
  const choice = group.map(({ name }) => name.slice(first.length + 1)).join(', ')
  throw misuse(
    { name: first },
    `${first} needs one of ${choice}${second === '' ? '' : `, not ${JSON.stringify(second)}`}`,
  )
}

/** The commands whose first word this is. */
export const commandsIn = (commands: readonly Command[], word: string): readonly Command[] =>
  commands.filter(({ name }) => name.startsWith(`${word} `))

function withCommand(argv: readonly string[]): readonly string[] {
  const [first = '--'] = argv
  if (first === '--help' || first === '-h') return ['help', ...argv.slice(1)]
  if (first === '--version') return ['version', ...argv.slice(1)]
  return first.startsWith('-') ? ['serve', ...argv] : argv
}

const startsWith = (words: readonly string[], name: string) =>
  name.split(' ').every((word, index) => words[index] === word)
