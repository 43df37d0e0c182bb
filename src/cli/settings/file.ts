import { readFileSync, statSync } from 'node:fs'
import { Failure } from '../../lib/failure'
import { didYouMean } from '../../lib/nearest'
import type { OptionText } from '../../options/environment'
import type { Option } from '../../options/option'
import { providerTables } from '../../options/providers'

export type FileSettings = ReadonlyMap<string, OptionText>

export interface ConfigFile {
  readonly settings: FileSettings
  readonly problems: readonly string[]
}

export const noFile: ConfigFile = { settings: new Map(), problems: [] }

/** Parses TOML. Throws a `config` failure for a file that cannot be read. */
export function readConfigFile(path: string, table: readonly Option<unknown>[]): ConfigFile {
  const known = [providerTables, ...table].map(({ name }) => name)
  const settings = new Map<string, OptionText>()
  const problems: string[] = []
  for (const [key, value] of Object.entries(parse(path))) {
    if (!known.includes(key)) problems.push(`${path}: unknown key ${key}${didYouMean(key, known)}`)
    else if (key === providerTables.name)
      settings.set(key, { text: JSON.stringify(value), source: `${path}: ${key}` })
    else if (!isScalar(value)) problems.push(`${path}: ${key} must be text, a number, true or false`)
    else settings.set(key, { text: String(value), source: `${path}: ${key}` })
  }
  return { settings, problems }
}

function parse(path: string): object {
  if (statSync(path, { throwIfNoEntry: false })?.isFIFO())
    throw new Failure(
      'config',
      `cannot read ${path}: it is a pipe, which may never end; write the settings to a file`,
    )
  try {
    return Bun.TOML.parse(readFileSync(path, 'utf8'))
  } catch (cause) {
    throw new Failure('config', `cannot read ${path}: ${cause instanceof Error ? cause.message : cause}`)
  }
}

const isScalar = (value: unknown) => /^(?:string|number|boolean)$/.test(typeof value)
