import { readFileSync } from 'node:fs'
import { Failure } from '../lib/failure'
import { nearest } from '../lib/nearest'
import type { Option } from './option'

export type Environment = Readonly<Record<string, string | undefined>>

/** `source` is named in messages. */
export interface OptionText {
  readonly text: string
  readonly source: string
}

/** Such as `KIROKU_BASE_URL`. */
export const variableOf = ({ name }: Option<unknown>): string =>
  `KIROKU_${name.toUpperCase().replaceAll('-', '_')}`

/** An empty variable counts as unset. */
export function findInEnvironment(option: Option<unknown>, env: Environment): OptionText | undefined {
  const [variable, fileVariable = ''] = variablesOf(option)
  const text = env[variable] || undefined
  const path = env[fileVariable] || undefined
  if (path === undefined) return text === undefined ? undefined : { text, source: variable }
  if (text !== undefined) throw new Failure('config', `${variable} and ${fileVariable} are both set`)
  return { text: contentsOf(path, fileVariable), source: fileVariable }
}

/** Followed by the name of a catalogue source: the server to contact instead of the source's own. */
export const sourceUrlPrefix = 'KIROKU_CATALOGUE_SOURCE_URL_'

/** `KIROKU_` variables that belong to no option, with the nearest name: misspelt, or set by the platform (D66). */
export function unknownVariables(env: Environment, table: readonly Option<unknown>[]): readonly string[] {
  const known = table.flatMap((option) => variablesOf(option)).filter((name) => name !== undefined)
  const short = (name: string) => name.slice('KIROKU_'.length)
  return Object.keys(env)
    .filter((name) => name.startsWith('KIROKU_') && !name.startsWith(sourceUrlPrefix))
    .filter((name) => !known.includes(name))
    .map((name) => {
      const near = nearest(short(name), known.map(short))
      return near === undefined ? name : `${name} (did you mean KIROKU_${near}?)`
    })
}

// The path of the configuration file is KIROKU_CONFIG; KIROKU_CONFIG_FILE could be mistaken for it.
function variablesOf(option: Option<unknown>): [string, string?] {
  const variable = variableOf(option)
  return option.name === 'config' ? [variable] : [variable, `${variable}_FILE`]
}

/** Trims white space. `source` is named in the error. */
export function contentsOf(path: string, source: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw new Failure(
      'config',
      `${source}: cannot read ${path}: ${cause instanceof Error ? cause.message : cause}`,
    )
  }
}
