import { misuse } from './parse'

interface Nameable {
  readonly name: string
}

export interface MatchedCommand<C extends Nameable> {
  readonly command: C
  readonly rest: readonly string[]
}

/** `serve` if the first word is an option. Throws a `usage` failure for an unknown command. */
export function findCommand<C extends Nameable>(
  commands: readonly C[],
  argv: readonly string[],
): MatchedCommand<C> {
  const words = withCommand(argv)
  const command = commands.find((candidate) => startsWith(words, candidate.name))
  if (command !== undefined) return { command, rest: words.slice(command.name.split(' ').length) }
  const [first = '', second = ''] = words
  const group = commandsIn(commands, first)
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

export const isToServe = (argv: readonly string[]): boolean => withCommand(argv)[0] === 'serve'

export const commandsIn = <C extends Nameable>(commands: readonly C[], word: string): readonly C[] =>
  commands.filter(({ name }) => name.startsWith(`${word} `))

function withCommand(argv: readonly string[]): readonly string[] {
  const [first = '--'] = argv
  if (first === '--help' || first === '-h') return ['help', ...argv.slice(1)]
  if (first === '--version') return ['version', ...argv.slice(1)]
  const shared = sharedBefore(argv)
  const rest = argv.slice(shared)
  const isServe = rest[0]?.startsWith('-') ?? true
  return isServe ? ['serve', ...argv] : [...rest, ...argv.slice(0, shared)]
}

/** The number of leading words that are options common to all commands: these may also precede the command. */
function sharedBefore(argv: readonly string[]): number {
  let count = 0
  for (;;) {
    const word = argv[count] ?? ''
    if (word === '--verbose' || /^--(?:data|config)=/.test(word)) count += 1
    else if (word === '--data' || word === '--config') count += 2
    else return Math.min(count, argv.length)
  }
}

const startsWith = (words: readonly string[], name: string) =>
  name.split(' ').every((word, index) => words[index] === word)
