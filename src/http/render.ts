import { type Kysely, sql } from 'kysely'
import type { Config } from '../config'
import type { Read } from '../db/open'
import { prepared } from '../db/prepared'
import type { DB } from '../db/schema'
import type { Json } from './fields'
import type { Rendered } from './parts'
import type { Resource } from './resource'

/** A row as the API shows it, as a value and as JSON text. */
export interface Rendering extends Rendered {
  readonly version: number
  readonly value: { readonly [name: string]: Json }
}

/** Which rows are wanted, at which version. */
export type Wanted = ReadonlyMap<number, number>

/** Renders rows and keeps the renderings by id and version: turning rows into JSON is most of what a list costs. */
export interface Renderer {
  /** The renderings of the wanted rows; one query for those not kept yet, none when all are. */
  render(resource: Resource, wanted: Wanted): Promise<ReadonlyMap<number, Rendering>>
}

/** How many renderings of a resource are kept; the oldest goes first. A work takes about 4 KB. */
const keptPerResource = 4096

export function createRenderer(read: Read, config: Config): Renderer {
  const shelves = new Map<Resource, Shelf>()
  return {
    render: async (resource, wanted) => {
      const shelf = shelves.get(resource) ?? { rows: rowsOf(resource), kept: new Map() }
      shelves.set(resource, shelf)
      const isKept = ([id, version]: [number, number]) => shelf.kept.get(id)?.version === version
      const missing = [...wanted].filter((row) => !isKept(row)).map(([id]) => id)
      if (missing.length > 0) await load(read, config, resource, missing, shelf)
      const rendered = new Map<number, Rendering>()
      for (const id of wanted.keys()) {
        const rendering = shelf.kept.get(id)
        if (rendering) rendered.set(id, rendering)
      }
      forgetOldest(shelf.kept)
      return rendered
    },
  }
}

/** What is kept of one resource, oldest first, and how more of it is read. */
interface Shelf {
  readonly rows: Rows
  readonly kept: Map<number, Rendering>
}

async function load(
  read: Read,
  config: Config,
  resource: Resource,
  ids: readonly number[],
  { rows, kept }: Shelf,
): Promise<void> {
  for (const row of await rows(read, { ids: JSON.stringify(ids) })) {
    const value = resource.present({ ...row }, config)
    kept.delete(row.id)
    kept.set(row.id, { version: row.version, value, json: JSON.stringify(value) })
  }
}

function forgetOldest(known: Map<number, Rendering>): void {
  for (const id of known.keys()) {
    if (known.size <= keptPerResource) return
    known.delete(id)
  }
}

type Rows = (read: Read, values: { ids: string }) => Promise<readonly { id: number; version: number }[]>

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
