import { readFileSync } from 'node:fs'
import { Failure } from '../lib/failure'
import type { Option } from './option'

/** The variables a process was started with. */
export type Environment = Readonly<Record<string, string | undefined>>

/** A text for an option and where it stood, for messages. */
export interface Found {
  readonly text: string
  readonly source: string
}

/** The environment variable of an option, such as `KIROKU_BASE_URL`. */
export const variableOf = ({ name }: Option<unknown>): string =>
  `KIROKU_${name.toUpperCase().replaceAll('-', '_')}`

/** The text of an option in its variable, or in the file its `…_FILE` variable names; an empty variable is not set. */
export function findInEnvironment(option: Option<unknown>, env: Environment): Found | undefined {
  const variable = variableOf(option)
  const text = env[variable] || undefined
  const path = env[`${variable}_FILE`] || undefined
  if (path === undefined) return text === undefined ? undefined : { text, source: variable }
  if (text !== undefined) throw new Failure('config', `${variable} and ${variable}_FILE are both set`)
  return { text: contentsOf(path, `${variable}_FILE`), source: `${variable}_FILE` }
}

/** Throws where a `KIROKU_` variable is set that no option has: a misspelt setting would be ignored silently. */
export function refuseUnknownVariables(env: Environment, table: readonly Option<unknown>[]): void {
  const known = new Set(table.flatMap((option) => variablesOf(option)))
  const unknown = Object.keys(env).find((name) => name.startsWith('KIROKU_') && !known.has(name))
  if (unknown !== undefined) throw new Failure('config', `unknown environment variable ${unknown}`)
}

// KIROKU_CONFIG_FILE would be read as the path of the configuration, which is what KIROKU_CONFIG is for.
function variablesOf(option: Option<unknown>): string[] {
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
