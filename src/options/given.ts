import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { optionTable, settings } from '../config'
import { Failure } from '../lib/failure'
import { inEnglish } from '../messages/languages'
import { InvalidValue } from '../values/value'
import { type Environment, findInEnvironment, type OptionText, variableOf } from './environment'
import { type FileSettings, readConfigFile } from './file'
import type { Given, Option } from './option'

/** The texts of the flags on the command line, by name without dashes; a switch is `true`. */
export type Flags = ReadonlyMap<string, string>

/**
 * Reads options from the command line, else the environment, else a file the environment names, else the
 * configuration file, else their default. Options outside the table are looked for on the command line alone.
 * Throws where the configuration file holds a setting nobody knows.
 */
export function readGiven(flags: Flags, env: Environment): Given {
  const before = (option: Option<unknown>) => findFlag(option, flags) ?? findVariable(option, env)
  const file = readFile(before)
  const get = <T>(option: Option<T>): T => {
    const found = before(option) ?? file.get(option.name)
    return found === undefined ? option.otherwise : parse(option, found)
  }
  return { get }
}

type Find = (option: Option<unknown>) => OptionText | undefined

function findFlag(option: Option<unknown>, flags: Flags): OptionText | undefined {
  const text = flags.get(option.name)
  if (text === undefined) return undefined
  if (option.isReadFromFile && option.isSecret?.(text)) throw visible(option)
  return { text, source: `--${option.name}` }
}

const visible = (option: Option<unknown>) =>
  new Failure(
    'usage',
    `--${option.name} must not hold a password, which others on this machine could see: put it in a file and name that in ${variableOf(option)}_FILE`,
  )

const findVariable = (option: Option<unknown>, env: Environment) =>
  optionTable.some(({ name }) => name === option.name) ? findInEnvironment(option, env) : undefined

function readFile(find: Find): FileSettings {
  const named = valueFrom(settings.config, find)
  // A file cannot say which file it is, and one found in the data directory not where that directory is.
  if (named !== undefined) return readConfigFile(named, without('config'))
  const path = join(valueFrom(settings.data, find), 'kiroku.toml')
  return existsSync(path) ? readConfigFile(path, without('config', 'data')) : new Map()
}

function valueFrom<T>(option: Option<T>, find: Find): T {
  const found = find(option)
  return found === undefined ? option.otherwise : parse(option, found)
}

const without = (...names: string[]) => optionTable.filter(({ name }) => !names.includes(name))

function parse<T>(option: Option<T>, { text, source }: OptionText): T {
  const value = option.value.read(text)
  if (!(value instanceof InvalidValue)) return value
  const kind = source === `--${option.name}` ? 'usage' : 'config'
  const shown = option.isSecret?.(text) ? '' : `, not ${JSON.stringify(text)}`
  throw new Failure(kind, `${source} ${inEnglish(value.rule)}${shown}`)
}
