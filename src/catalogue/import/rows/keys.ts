import type { Database } from 'bun:sqlite'
import type { KindName } from '../kinds/field'
import { kinds } from '../kinds/kinds'

/** A key, the key of a row merged into it, or one of its ids. */
export type Naming = 'key' | 'merged' | 'id'

export interface KeyHolder {
  readonly id: number
  readonly by: Naming
}

/** Names of rows at other sites: the table `external_ids`. */
export class Keys {
  readonly #known = new Map<string, Map<string, number>>(kinds.map(({ name }) => [name, new Map()]))
  /** `kind:namespace` of names that are in the database but not all in memory. */
  readonly #stocked: Set<string>
  readonly #find
  readonly #ofRow
  readonly #keysOf
  readonly #add
  readonly #remove
  readonly #count
  onNamed: ((kind: KindName, key: string, by: Naming) => void) | undefined

  constructor(handle: Database) {
    const stocked = handle.query<never, []>("select distinct kind || ':' || ns from external_ids").values()
    this.#stocked = new Set(stocked.map(([name]) => String(name)))
    this.#find = handle.query<never, [string, string, string]>(
      // uses the primary key
      'select local_id, is_key from external_ids where kind = ? and ns = ? and external_id = ?',
    )
    this.#ofRow = handle.query<never, [string, number]>(
      'select ns, external_id from external_ids indexed by external_ids_local where kind = ? and local_id = ?',
    )
    this.#keysOf = handle.query<never, [string, number]>(
      "select ns || ':' || external_id from external_ids indexed by external_ids_local where kind = ? and local_id = ? and is_key = 1",
    )
    this.#add = handle.query(`
      insert into external_ids (kind, ns, external_id, local_id, is_key) values (?, ?, ?, ?, ?)
      on conflict do update set is_key = excluded.is_key where excluded.is_key > 0 and external_ids.is_key <> 1`)
    this.#remove = handle.query(
      'delete from external_ids indexed by external_ids_local where kind = ? and local_id = ? and ns = ? and external_id <> ? and is_key = 0',
    )
    this.#count = handle.query<never, [string, number, number]>(
      'select count(*) from (select 1 from external_ids indexed by external_ids_local where kind = ? and local_id = ? limit ?)',
    )
  }

  /** The row with this key, or else the only one with this id. */
  refer(kind: KindName, key: string): number | undefined {
    const known = this.#known.get(kind)
    const before = known?.get(key)
    if (before !== undefined) return before
    const [found, another] = this.find(kind, ...partsOf(key))
    if (found === undefined || (found.by === 'id' && another !== undefined)) return undefined
    known?.set(key, found.id)
    return found.id
  }

  /** The rows with this name, starting with those that have it as a key. */
  find(kind: KindName, namespace: string, id: string): KeyHolder[] {
    // If the namespace is new to the database, all of its names are in memory.
    if (!this.#stocked.has(`${kind}:${namespace}`)) {
      const own = this.#known.get(kind)?.get(`${namespace}:${id}`)
      return own === undefined ? [] : [{ id: own, by: 'key' }]
    }
    const rows = this.#find.values(kind, namespace, id)
    const named = rows.map(([local, isKey]) => ({ id: Number(local), by: namings[Number(isKey)] ?? 'id' }))
    return named.length < 2 ? named : named.toSorted((one, other) => weight(one) - weight(other))
  }

  ofRow(kind: KindName, id: number): Map<string, string[]> {
    const names = new Map<string, string[]>()
    for (const [namespace, name] of this.#ofRow.values(kind, id)) {
      const known = names.get(String(namespace))
      if (known === undefined) names.set(String(namespace), [String(name)])
      else known.push(String(name))
    }
    return names
  }

  keysOf(kind: KindName, id: number): string[] {
    return this.#keysOf.values(kind, id).map(([key]) => String(key))
  }

  addKey(kind: KindName, key: string, id: number): void {
    this.#add.run(kind, ...partsOf(key), id, 1)
    this.#known.get(kind)?.set(key, id)
    this.onNamed?.(kind, key, 'key')
  }

  addMergedKey(kind: KindName, key: string, id: number): void {
    const [namespace, name] = partsOf(key)
    this.#stocked.add(`${kind}:${namespace}`)
    this.#add.run(kind, namespace, name, id, 2)
    this.onNamed?.(kind, key, 'merged')
  }

  addId(kind: KindName, namespace: string, name: string, id: number): void {
    this.#stocked.add(`${kind}:${namespace}`)
    this.#add.run(kind, namespace, name, id, 0)
    this.onNamed?.(kind, `${namespace}:${name}`, 'id')
  }

  /** Removes a row's other ids in a namespace, but not its keys. */
  removeOthers(kind: KindName, namespace: string, kept: string | null, id: number): void {
    this.#remove.run(kind, id, namespace, kept ?? '')
  }

  /** Clears the cached names of a row before they move to another row. */
  forget(kind: KindName, id: number): void {
    const known = this.#known.get(kind)
    for (const [namespace, names] of this.ofRow(kind, id)) {
      for (const name of names) known?.delete(`${namespace}:${name}`)
      this.#stocked.add(`${kind}:${namespace}`)
    }
  }

  count(kind: KindName, id: number, most: number): number {
    const [row] = this.#count.values(kind, id, most + 1)
    return Number(row?.[0])
  }
}

export function partsOf(key: string): [namespace: string, id: string] {
  const colon = key.indexOf(':')
  return [key.slice(0, colon), key.slice(colon + 1)]
}

const namings: readonly Naming[] = ['id', 'key', 'merged']
const weight = ({ by }: KeyHolder) => ['key', 'merged', 'id'].indexOf(by)
