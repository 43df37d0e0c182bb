import type { Given, Line } from '../file/line'
import type { Kind, KindName } from '../kinds/field'
import type { Run } from '../run'
import type { Parts } from './work-parts'

export interface Resolved {
  readonly given: readonly Given[]
  readonly parts: Parts
}

export interface Unresolved {
  readonly kind: KindName
  readonly key: string
}

export function resolve(run: Run, { kind, given, lists }: Line): Resolved | Unresolved {
  const cells = given.slice()
  for (const { at, ref } of referencesOf(kind)) {
    const key = cells[at]
    if (typeof key !== 'string') continue
    const id = run.keys.refer(ref, key)
    if (id === undefined) return { kind: ref, key }
    cells[at] = id
  }
  const { series: keys, ...parts } = lists
  const series: number[] = []
  for (const key of keys ?? []) {
    const id = run.keys.refer('series', key)
    if (id === undefined) return { kind: 'series', key }
    if (!series.includes(id)) series.push(id)
  }
  return { given: cells, parts: keys === undefined ? parts : { ...parts, series } }
}

export const isUnresolved = (found: Resolved | Unresolved): found is Unresolved => 'key' in found

function referencesOf(kind: Kind) {
  const before = referencesByKind.get(kind)
  if (before !== undefined) return before
  const references = kind.fields.flatMap(({ ref }, at) => (ref === undefined ? [] : [{ at, ref }]))
  referencesByKind.set(kind, references)
  return references
}

const referencesByKind = new Map<Kind, readonly { at: number; ref: KindName }[]>()
