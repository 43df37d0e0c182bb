import { InvalidValue } from '../../../values/value'
import { lineTextUpTo } from '../kinds/cells'
import { isObject, shown } from './json'
import { limits } from './limits'

export interface Header {
  readonly name: string
  readonly mode: 'upsert' | 'snapshot'
  /** Namespaces whose numbers become our ids if they are free, in order of preference. */
  readonly preserveIds: readonly string[]
}

/** Returns an error sentence if the file is not a readable catalogue. */
export function readHeader(value: unknown, warn: (sentence: string) => void): Header | string {
  if (!isObject(value) || value.type !== 'catalogue')
    return 'this is not a catalogue: its first line must be {"type":"catalogue",…}'
  if (value.version !== 1)
    return `version ${shown(value.version)} of the catalogue format is unknown; this kiroku reads version 1`
  const { name, mode = 'upsert', preserve_ids: preserveIds = [] } = value
  if (typeof name !== 'string' || name.trim() === '') return 'name must not be blank'
  if (packName.take(name) instanceof InvalidValue) return 'name must be text of at most 100 characters'
  if (mode !== 'upsert' && mode !== 'snapshot') return 'mode must be upsert or snapshot'
  if (!isTexts(preserveIds)) return 'preserve_ids must be a list of texts'
  if (preserveIds.length > limits.preserveIds)
    return `preserve_ids must not name more than ${limits.preserveIds} sites`
  for (const field of Object.keys(value)) {
    if (!known.has(field)) warn(`unknown field "${field}" of catalogue is ignored`)
  }
  return { name, mode, preserveIds }
}

const packName = lineTextUpTo(100)

const isTexts = (value: unknown): value is string[] =>
  Array.isArray(value) && value.every((one) => typeof one === 'string')

const known = new Set([
  'type',
  'version',
  'name',
  'mode',
  'generated_at',
  'namespace',
  'preserve_ids',
  'sources',
])
