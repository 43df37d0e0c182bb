import { readFileSync } from 'node:fs'
import { Failure } from '../lib/failure'
import type { OptionText } from './environment'
import type { Option } from './option'

export type FileSettings = ReadonlyMap<string, OptionText>

/** TOML. Throws a `config` failure for a file that cannot be read or has an unknown key. */
export function readConfigFile(path: string, table: readonly Option<unknown>[]): FileSettings {
  const known = new Set(table.map(({ name }) => name))
  const entries = Object.entries(parse(path)).map(([key, value]): [string, OptionText] => {
    if (!known.has(key)) throw new Failure('config', `${path}: unknown key ${key}`)
    return [key, { text: textOf(path, key, value), source: `${path}: ${key}` }]
  })
  return new Map(entries)
}

function parse(path: string): object {
  try {
    return Bun.TOML.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new Failure('config', `cannot read ${path}: ${cause instanceof Error ? cause.message : cause}`)
  }
}

function textOf(path: string, key: string, value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
    return String(value)
  throw new Failure('config', `${path}: ${key} must be a text, a number, true or false`)
}
