import { type Compilable, type Kysely, type RawBuilder, type SqlBool, sql } from 'kysely'
import { type Cache, createCache } from '../cache/cache'
import type { Config } from '../config'
import type { Read } from '../db/open'
import { type Bindable, prepared, type SlotOf } from '../db/prepared'
import type { DB } from '../db/schema'
import { type Bytes, bytesOf } from '../http/bytes'
import type { Resource } from './resource'

/** Renders rows as JSON, cached by id and version: rendering is most of a list's cost. */
export interface Renderer {
  cached(of: Resource, id: number, version: number): Bytes | undefined
  /** Current rows by id, in one query; deleted ones are missing. */
  render(of: Resource, ids: readonly number[]): Promise<ReadonlyMap<number, Bytes>>
  /** The same cache, reading through another connection. */
  over(read: Read): Renderer
}

/** `capacity` in bytes: some 11,000 works at 1.4 KB each. */
export const createRenderingCache = (capacity = 20_000_000): Cache<number, Bytes> =>
  createCache(capacity, ({ length }) => length)

export function createRenderer(read: Read, config: Config, cache = createRenderingCache()): Renderer {
  const renderings = byResource(cache)
  const queries = new Map<Resource, RowsQuery>()
  const over = (read: Read): Renderer => ({
    cached: renderings.get,
    over,
    render: async (of, ids) => {
      const rows = queries.get(of) ?? rowsOf(of)
      queries.set(of, rows)
      const rendered = new Map<number, Bytes>()
      for (const row of await rows(read, ids)) {
        const json = bytesOf(JSON.stringify(of.present(row, config)))
        renderings.set(of, row.id, row.version, json)
        rendered.set(row.id, json)
      }
      return rendered
    },
  })
  return over(read)
}

interface Renderings {
  get(of: Resource, id: number, version: number): Bytes | undefined
  set(of: Resource, id: number, version: number, json: Bytes): void
}

function byResource(cache: Cache<number, Bytes>): Renderings {
  const places = new Map<Resource, number>()
  const placeOf = (of: Resource) => {
    const place = places.get(of) ?? places.size
    if (place === places.size) places.set(of, place)
    return place
  }
  // A numeric key is looked up five times as fast as text. There are fewer than 32 resources.
  const renderingKey = (of: Resource, id: number) => id * 32 + placeOf(of)
  return {
    get: (of, id, version) => (id > largestId ? undefined : cache.get(renderingKey(of, id), version)),
    set: (of, id, version, json) => {
      if (id <= largestId) cache.set(renderingKey(of, id), version, json)
    },
  }
}

/** Keys of larger ids could collide. Only imports create such ids. */
const largestId = 2 ** 48

type VersionedRow = Readonly<Record<string, unknown>> & { readonly id: number; readonly version: number }
type RowsQuery = (read: Read, ids: readonly number[]) => Promise<readonly VersionedRow[]>

/** A single id, as after a write, is not read through `json_each`, which takes a third of such a query. */
function rowsOf(of: Resource): RowsQuery {
  const one = rowsWhere<{ id: number }>(of, (slot) => sql`= ${slot('id')}`)
  const several = rowsWhere<{ ids: string }>(
    of,
    (slot) => sql`in (select value from json_each(${slot('ids')}))`,
  )
  return (read, ids) => {
    const [id, ...others] = ids
    return id === undefined || others.length > 0
      ? several(read, { ids: JSON.stringify(ids) })
      : one(read, { id })
  }
}

const rowsWhere = <V extends Record<string, Bindable>>(
  { table, columns }: Resource,
  isWanted: (slot: SlotOf<V>) => RawBuilder<unknown>,
) =>
  prepared<VersionedRow, V>((read, slot) => {
    const id = sql.ref<number>(`${table}.id`)
    return (read as unknown as Kysely<DB>)
      .selectFrom(table)
      .select([id.as('id'), sql.ref<number>(`${table}.version`).as('version')])
      .select([...columns].map(([name, expression]) => sql`${expression}`.as(name)))
      .where(sql<SqlBool>`${id} ${isWanted(slot)}`) as Compilable<VersionedRow>
  })
