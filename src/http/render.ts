import { type Kysely, sql } from 'kysely'
import type { Config } from '../config'
import type { Read } from '../db/open'
import type { DB } from '../db/schema'
import type { Json } from './fields'
import type { Resource } from './resource'

/** A row as the API shows it, as a value and as JSON text. */
export interface Rendering {
  readonly version: number
  readonly value: { readonly [name: string]: Json }
  readonly json: string
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
  const kept = new Map<Resource, Map<number, Rendering>>()
  return {
    render: async (resource, wanted) => {
      const known = kept.get(resource) ?? new Map<number, Rendering>()
      kept.set(resource, known)
      const missing = [...wanted]
        .filter(([id, version]) => known.get(id)?.version !== version)
        .map(([id]) => id)
      if (missing.length > 0) await load(read, config, resource, missing, known)
      const rendered = new Map<number, Rendering>()
      for (const id of wanted.keys()) {
        const rendering = known.get(id)
        if (rendering) rendered.set(id, rendering)
      }
      forgetOldest(known)
      return rendered
    },
  }
}

async function load(
  read: Read,
  config: Config,
  resource: Resource,
  ids: readonly number[],
  known: Map<number, Rendering>,
): Promise<void> {
  for (const row of await rowsOf(read, resource, ids)) {
    const value = resource.present(row, config)
    known.delete(row.id)
    known.set(row.id, { version: row.version, value, json: JSON.stringify(value) })
  }
}

function forgetOldest(known: Map<number, Rendering>): void {
  for (const id of known.keys()) {
    if (known.size <= keptPerResource) return
    known.delete(id)
  }
}

function rowsOf(read: Read, { table, columns }: Resource, ids: readonly number[]) {
  const from = (read as unknown as Kysely<DB>).selectFrom(table)
  const asked = sql<number>`(select value from json_each(${JSON.stringify(ids)}))`
  return from
    .select([sql.ref<number>(`${table}.id`).as('id'), sql.ref<number>(`${table}.version`).as('version')])
    .select([...columns].map(([name, expression]) => sql`${expression}`.as(name)))
    .where(sql.ref<number>(`${table}.id`), 'in', asked)
    .execute()
}
