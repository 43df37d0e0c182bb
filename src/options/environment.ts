import { readFileSync } from 'node:fs'
import { Failure } from '../lib/failure'
import type { Option } from './option'

/** The variables a process was started with. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A text for an option and where it stood, for messages. */
export interface OptionText {
  readonly text: string
  readonly source: string
}

/** The environment variable of an option, such as `KIROKU_BASE_URL`. */
export const variableOf = ({ name }: Option<unknown>): string =>
  `KIROKU_${name.toUpperCase().replaceAll('-', '_')}`

/** The text of an option in its variable, or in the file its `…_FILE` variable names; an empty variable is not set. */
export function findInEnvironment(option: Option<unknown>, env: Environment): OptionText | undefined {
  const [variable, fileVariable = ''] = variablesOf(option)
  const text = env[variable] || undefined
  const path = env[fileVariable] || undefined
  if (path === undefined) return text === undefined ? undefined : { text, source: variable }
  if (text !== undefined) throw new Failure('config', `${variable} and ${fileVariable} are both set`)
  return { text: contentsOf(path, fileVariable), source: fileVariable }
}

/** The `KIROKU_` variables that no option has: misspelt, or set by a platform for purposes of its own (D66). */
export function unknownVariables(env: Environment, table: readonly Option<unknown>[]): readonly string[] {
  const known = new Set(table.flatMap((option) => variablesOf(option)))
  return Object.keys(env).filter((name) => name.startsWith('KIROKU_') && !known.has(name))
}

// KIROKU_CONFIG_FILE would be read as the path of the configuration, which is what KIROKU_CONFIG is for.
function variablesOf(option: Option<unknown>): [string, string?] {
  const variable = variableOf(option)
  return option.name === 'config' ? [variable] : [variable, `${variable}_FILE`]
}

function contentsOf(path: string, variable: string): string {
  try {
    return readFileSync(path, 'utf8').trim()
  } catch (cause) {
    throw new Failure(
      'config',
      `${variable}: cannot read ${path}: ${cause instanceof Error ? cause.message : cause}`,
    )
  }
}
