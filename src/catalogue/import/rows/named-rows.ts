import type { Database } from 'bun:sqlite'
import { fold } from '../../../lib/fold'
import type { KindName } from '../kinds/field'

export type NamedKind = 'person' | 'organization' | 'character'

const tables: Readonly<Record<NamedKind, string>> = {
  person: 'people',
  organization: 'organizations',
  character: 'characters',
}

export const isNamedKind = (kind: KindName): kind is NamedKind => kind in tables

/** Whether a key spells out the name, as its source has no id for the row: `syobocal:person:青井凪`, `syobocal:99001:トワ`. */
export const isSpelled = (key: string, name: string): boolean =>
  name !== '' && key.endsWith(`:${name}`) && key.indexOf(':') < key.length - name.length - 1

/** Rows by their folded names, as of the beginning of the import. */
export class NamedRows {
  readonly #handle: Database
  readonly #spelled = new Map<NamedKind, Map<string, number[]>>()
  readonly #only = new Map<NamedKind, Map<string, number | undefined>>()

  constructor(handle: Database) {
    this.#handle = handle
  }

  /** Rows with this name that have no id at any source. */
  spelled(kind: NamedKind, name: string): readonly number[] {
    return this.hasSpelled(kind) ? (this.#spelledRows(kind).get(fold(name)) ?? []) : []
  }

  hasSpelled(kind: NamedKind): boolean {
    return this.#spelledRows(kind).size > 0
  }

  only(kind: NamedKind, name: string): number | undefined {
    const known = this.#only.get(kind)
    if (known !== undefined) return known.get(fold(name))
    const rows = this.#handle
      .query<NamedRow, []>(`select id, name from ${tables[kind]} where hidden & 1 = 0`)
      .all()
    const only = new Map<string, number | undefined>()
    for (const { id, name } of rows) {
      const folded = fold(name)
      only.set(folded, only.has(folded) ? undefined : id)
    }
    this.#only.set(kind, only)
    return only.get(fold(name))
  }

  /** The only visible character of this name in the casts of a work. */
  character(work: number, name: string): number | undefined {
    const folded = fold(name)
    const rows = this.#handle.query<NamedRow, [number]>(charactersOfWork).all(work)
    const [only, another] = rows.filter((row) => fold(row.name) === folded)
    return another === undefined ? only?.id : undefined
  }

  #spelledRows(kind: NamedKind): Map<string, number[]> {
    const known = this.#spelled.get(kind)
    if (known !== undefined) return known
    const spelled = new Map<string, number[]>()
    for (const { id, name, key } of this.#handle
      .query<NamedRow & { key: string }, [string]>(keysOf(kind))
      .all(kind))
      if (isSpelled(key, name)) spelled.set(fold(name), [...(spelled.get(fold(name)) ?? []), id])
    this.#spelled.set(kind, spelled)
    return spelled
  }
}

interface NamedRow {
  readonly id: number
  readonly name: string
}

/** Keys of visible rows that have no other key or id. */
const keysOf = (kind: NamedKind) => `
  select id, name, ns || ':' || external_id as key
  from external_ids join ${tables[kind]} on id = local_id and hidden & 1 = 0
  where kind = ? and is_key = 1 and external_id glob '*:*' and 1 = (
    select count(*) from external_ids as names indexed by external_ids_local
    where names.kind = external_ids.kind and names.local_id = external_ids.local_id)`

const charactersOfWork = `
  select id, name from characters where hidden & 1 = 0 and id in (
    select character_id from casts where work_id = ? and hidden & 1 = 0)`
