import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { optionTable, settings } from '../../config'
import { Failure } from '../../lib/failure'
import { inEnglish } from '../../messages/languages'
import {
  contentsOf,
  type Environment,
  findInEnvironment,
  type OptionText,
  variableOf,
} from '../../options/environment'
import type { Option, OptionReader } from '../../options/option'
import { InvalidValue } from '../../values/value'
import { type ConfigFile, type FileSettings, noFile, readConfigFile } from './file'

/** By name without dashes; the value of a switch is `true`. */
export type Flags = ReadonlyMap<string, string>

/**
 * Order: command line, environment, configuration file, default; options outside the table are read only from the command
 * line. Throws a `config` failure for an unknown key in the file.
 */
export function createOptionReader(flags: Flags, env: Environment): OptionReader {
  for (const option of optionTable) refuseVisible(option, flags)
  const before = finder(flags, env)
  const file = withoutProblems(findFile(before))
  return { get: (option) => valueGiven(option, before(option) ?? file.get(option.name)) }
}

/** For a command that must run whatever the settings are: only its own options can be read. */
export const createFlagReader = (flags: Flags): OptionReader => ({
  get: (option) => valueGiven(option, findFlag(option, flags)),
})

const valueGiven = <T>(option: Option<T>, found: OptionText | undefined): T =>
  found === undefined ? option.defaultValue : parse(option, found)

function withoutProblems({ settings, problems: [first] }: ConfigFile): FileSettings {
  if (first !== undefined) throw new Failure('config', first)
  return settings
}

/** Looks at the command line, then at the environment. */
export const finder =
  (flags: Flags, env: Environment): FindText =>
  (option) =>
    findFlag(option, flags) ?? findVariable(option, env)

export type FindText = (option: Option<unknown>) => OptionText | undefined

function findFlag(option: Option<unknown>, flags: Flags): OptionText | undefined {
  refuseVisible(option, flags)
  const [text, file] = [flags.get(option.name), flags.get(`${option.name}-file`)]
  if (file !== undefined && option.isReadFromFile) {
    const source = `--${option.name}-file`
    return { text: contentsOf(file, source), source }
  }
  return text === undefined ? undefined : { text, source: `--${option.name}` }
}

/** Even if the command does not read it. */
function refuseVisible(option: Option<unknown>, flags: Flags): void {
  const text = flags.get(option.name)
  if (text === undefined || !option.isReadFromFile || !option.isSecret?.(text)) return
  throw new Failure(
    'usage',
    `--${option.name} must not contain a password, which other users of this machine could see: put it in a file and name that file with --${option.name}-file or in ${variableOf(option)}_FILE`,
  )
}

const findVariable = (option: Option<unknown>, env: Environment) =>
  optionTable.some(({ name }) => name === option.name) ? findInEnvironment(option, env) : undefined

/** Throws a `config` failure for a file that cannot be read. */
export function findFile(find: FindText): ConfigFile {
  const named = valueFrom(settings.config, find)
  // A file cannot name itself, and one in the data directory cannot move that directory.
  if (named !== undefined) return readConfigFile(named, optionsExcept('config'))
  const path = join(valueFrom(settings.data, find), 'kiroku.toml')
  return existsSync(path) ? readConfigFile(path, optionsExcept('config', 'data')) : noFile
}

function valueFrom<T>(option: Option<T>, find: FindText): T {
  return valueGiven(option, find(option))
}

const optionsExcept = (...names: string[]) => optionTable.filter(({ name }) => !names.includes(name))

/** Throws a `usage` or `config` failure. */
export function parse<T>(option: Option<T>, { text, source }: OptionText): T {
  const value = option.value.read(text)
  if (!(value instanceof InvalidValue)) return value
  const kind = source === `--${option.name}` ? 'usage' : 'config'
  const shown = option.isSecret?.(text) ? '' : `, not ${JSON.stringify(text)}`
  throw new Failure(kind, `${source} ${inEnglish(value.rule)}${shown}`)
}
