import { type Kysely, sql } from 'kysely'
import { type Cache, createCache } from '../cache/cache'
import type { Config } from '../config'
import type { Read } from '../db/open'
import { prepared } from '../db/prepared'
import type { DB } from '../db/schema'
import { type Bytes, bytesOf } from '../http/bytes'
import type { Resource } from './resource'

/** Renders rows as JSON and keeps that by id and version: turning rows into JSON is most of what a list costs. */
export interface Renderer {
  /** A row at a version, where that is kept. */
  kept(of: Resource, id: number, version: number): Bytes | undefined
  /** Rows as they are now, by id, in one query; rows that are gone are not among them. */
  render(of: Resource, ids: readonly number[]): Promise<ReadonlyMap<number, Bytes>>
  /** The same renderer, with what it keeps, over another connection. */
  over(read: Read): Renderer
}

/**
 * How many bytes of renderings are kept: most of the 18,000 works of the catalogue, which take 1.4 KB each, or of what
 * people ask for besides. They come with use: a server that just started holds none.
 */
const keptBytes = 24_000_000

export function createRenderer(read: Read, config: Config, capacity = keptBytes): Renderer {
  const renderings = keepRenderings(capacity)
  const queries = new Map<Resource, Rows>()
  const over = (read: Read): Renderer => ({
    kept: renderings.get,
    over,
    render: async (of, ids) => {
      const rows = queries.get(of) ?? rowsOf(of)
      queries.set(of, rows)
      const rendered = new Map<number, Bytes>()
      for (const row of await rows(read, { ids: JSON.stringify(ids) })) {
        const json = bytesOf(JSON.stringify(of.present(row, config)))
        renderings.set(of, row.id, row.version, json)
        rendered.set(row.id, json)
      }
      return rendered
    },
  })
  return over(read)
}

/** Renderings of the rows of all resources, each good for one version of its row. */
interface Renderings {
  get(of: Resource, id: number, version: number): Bytes | undefined
  set(of: Resource, id: number, version: number, json: Bytes): void
}

function keepRenderings(capacity: number): Renderings {
  const cache: Cache<number, Bytes> = createCache(capacity, ({ length }) => length)
  const places = new Map<Resource, number>()
  const placeOf = (of: Resource) => {
    const place = places.get(of) ?? places.size
    if (place === places.size) places.set(of, place)
    return place
  }
  // A number is looked up five times as fast as a text. There are fewer than 32 resources.
  const keyOf = (of: Resource, id: number) => id * 32 + placeOf(of)
  return {
    get: (of, id, version) => (id > largestId ? undefined : cache.get(keyOf(of, id), version)),
    set: (of, id, version, json) => {
      if (id <= largestId) cache.set(keyOf(of, id), version, json)
    },
  }
}

/** Above it, two keys could be one number. Only an import makes such ids. */
const largestId = 2 ** 48

type Row = Readonly<Record<string, unknown>> & { readonly id: number; readonly version: number }
type Rows = (read: Read, values: { ids: string }) => Promise<readonly Row[]>

const rowsOf = ({ table, columns }: Resource): Rows =>
  prepared((read, slot) =>
    (read as unknown as Kysely<DB>)
      .selectFrom(table)
      .select([sql.ref<number>(`${table}.id`).as('id'), sql.ref<number>(`${table}.version`).as('version')])
      .select([...columns].map(([name, expression]) => sql`${expression}`.as(name)))
      .where(
        sql.ref<number>(`${table}.id`),
        'in',
        sql<number>`(select value from json_each(${slot('ids')}))`,
      ),
  )
