import { parseArgs } from 'node:util'
import { settingsOf } from '../config'
import { Failure } from '../lib/failure'
import { didYouMean } from '../lib/nearest'
import type { Option } from '../options/option'
import type { Command } from './command'
import type { Flags } from './settings/given'

export interface ParsedArguments {
  readonly flags: Flags
  readonly operands: readonly string[]
  readonly help: boolean
}

const optionsOf = ({ name, options }: Command): readonly Option<unknown>[] => [
  ...options,
  ...settingsOf(name).flatMap((option) => (option.isReadFromFile ? [option, inFile(option)] : [option])),
]

/** For example `--smtp-url-file FILE`. */
const inFile = (option: Option<unknown>) => ({ ...option, name: `${option.name}-file`, type: 'FILE' })

/** Throws a `usage` failure that names whatever is unknown, missing or superfluous. */
export function parseArguments(command: Command, argv: readonly string[]): ParsedArguments {
  const options = optionsOf(command)
  const { values, operands } = readArguments(command, argv, options)
  const help = values.get('help') === true
  if (!help) checkOperands(command, operands)
  const flags = new Map<string, string>()
  for (const { name } of options) if (values.has(name)) flags.set(name, textOf(values.get(name)))
  const missing = options.find(({ name, required }) => required && !flags.has(name))
  if (missing !== undefined && !help) throw misuse(command, `--${missing.name} is missing`)
  return { flags, operands, help }
}

export const misuse = ({ name }: { name: string }, problem: string): Failure =>
  new Failure('usage', `${problem}; see kiroku help${name === '' ? '' : ` ${name}`}`)

function readArguments(command: Command, argv: readonly string[], options: readonly Option<unknown>[]) {
  const known = options.map(({ name, type, repeatable = false }) => [
    name,
    { type: type === '' ? 'boolean' : 'string', multiple: repeatable } as const,
  ])
  try {
    const { values, positionals } = parseArgs({
      args: [...argv],
      options: { ...Object.fromEntries(known), help: { type: 'boolean', short: 'h' } },
      allowPositionals: true,
    })
    return { values: new Map(Object.entries(values)), operands: positionals }
  } catch (cause) {
    throw misuse(
      command,
      problemIn(
        cause,
        known.map(([name]) => `--${name}`),
      ),
    )
  }
}

/** Node's message without its advice: the first line, up to the first full stop. */
function problemIn(cause: unknown, known: readonly string[]): string {
  const [line = ''] = String(cause instanceof Error ? cause.message : cause).split('\n')
  const [, option] = /Unknown option '([^']+)'/.exec(line) ?? []
  if (option !== undefined) return `unknown option ${option}${didYouMean(option, known)}`
  const [, unclear] = /Option '(--?[^' ]+).*(?:missing|ambiguous)/.exec(line) ?? []
  if (unclear !== undefined) return `${unclear} needs a value (one that begins with - as ${unclear}=VALUE)`
  return line.replace(/^Option '([^']+)'/, '$1')
}

function checkOperands(command: Command, given: readonly string[]): void {
  const missing = command.operands.find(({ optional }, index) => !optional && given[index] === undefined)
  if (missing !== undefined) throw misuse(command, `${missing.name} is missing`)
  const extra = given[command.operands.length]
  if (extra === undefined || command.operands.at(-1)?.rest) return
  throw misuse(command, `unexpected argument ${JSON.stringify(extra)}`)
}

/** Joins the values of a repeatable option by line breaks. */
const textOf = (value: unknown) => (Array.isArray(value) ? value.join('\n') : String(value))
