import type { Line } from '../file/line'
import type { Cell } from '../kinds/cells'
import type { Kind } from '../kinds/field'
import type { Run } from '../run'
import { partsOf } from './keys'

/** `cells` has all columns; returns an error sentence if the line lacks something. */
export function createRow(run: Run, line: Line, cells: readonly Cell[]): number | string {
  const { kind } = line
  const missing = kind.fields.find((field, at) => field.required === true && line.given[at] === undefined)
  if (missing !== undefined) return `${missing.path.join('.')} is missing`
  const owners = blankOwners(run, line)
  const id = run.tables.insert(kind, preservedId(run, line), { cells, sourceId: run.source.id, owners })
  for (const [namespace, name] of line.ids) {
    const isKey = line.key === `${namespace}:${name}`
    if (name !== null && namespace !== idWish && !isKey) run.keys.addId(kind.name, namespace, name, id)
  }
  return id
}

/** Namespace of our own exports: such an id is only a preferred number, not a name of the row. */
export const idWish = 'kiroku'

/** A source also owns the fields it declares blank. */
function blankOwners({ source }: Run, { kind, given }: Line): Record<string, number> {
  const owners: Record<string, number> = {}
  kind.fields.forEach(({ column, blank, absent }, at) => {
    if (given[at] === blank && absent === undefined) owners[column] = source.id
  })
  return owners
}

/** The number from a preserved namespace; null if it is taken. */
function preservedId(run: Run, { kind, key, ids }: Line): number | null {
  const own = new Map(key === undefined ? [] : [partsOf(key)])
  for (const namespace of run.preserveIds) {
    const id = preservable(run, kind, namespace, ids.get(namespace) ?? own.get(namespace) ?? '')
    if (id !== null) return id
  }
  return null
}

export function preservable({ tables }: Run, kind: Kind, namespace: string, name: string): number | null {
  // With larger ones, the ids assigned next would soon be too long for the API (D8).
  if (!/^[1-9][0-9]{0,11}$/.test(name)) return null
  const id = Number(name)
  const isOurs = namespace !== idWish && id > lastForeignId
  return isOurs || tables.isTaken(kind, id) ? null : id
}

/** Ids above this are ours to assign (D3). */
export const lastForeignId = 10_000_000
