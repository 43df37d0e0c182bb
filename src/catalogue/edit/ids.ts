import type { Database } from 'bun:sqlite'
import type { Cell } from '../import/kinds/cells'
import { type Kind, type KindName, placeOf } from '../import/kinds/field'

interface IdPlace {
  readonly kind: KindName
  readonly id: number
  readonly namespace: string
}

/** The site whose id a field is: `ids.anilist`, or a column such as `mal_anime_id`; undefined for other fields. */
export function namespaceOf(kind: Kind, field: string): string | undefined {
  if (field.startsWith('ids.')) return field.slice('ids.'.length)
  const { path } = kind.fields[placeOf(kind, field)] ?? {}
  return path?.[0] === 'ids' ? path[1] : undefined
}

/** The first id of a row at a site; null if it has none. A key by which a pack names it counts, one of a merged row does not. */
export function idOf(handle: Database, { kind, id, namespace }: IdPlace): string | null {
  const [row] = handle
    .query<{ name: string }, [string, number, string]>(
      `select external_id as name from external_ids indexed by external_ids_local
       where kind = ? and local_id = ? and ns = ? and is_key < 2 order by is_key, external_id limit 1`,
    )
    .all(kind, id, namespace)
  return row?.name ?? null
}

/** One id for each site; keys of packs stay. */
export function replaceId(handle: Database, { kind, id, namespace }: IdPlace, value: Cell): void {
  const name = value === null ? '' : String(value)
  handle
    .query(
      `delete from external_ids indexed by external_ids_local
       where kind = ? and local_id = ? and ns = ? and external_id <> ? and is_key = 0`,
    )
    .run(kind, id, namespace, name)
  if (name === '') return
  handle
    .query(
      `insert into external_ids (kind, ns, external_id, local_id, is_key) values (?, ?, ?, ?, 0) on conflict do nothing`,
    )
    .run(kind, namespace, name, id)
}

/** So that the next file of each source that lists the row is about it again, though its lines did not change. */
export function forgetLines(handle: Database, kind: KindName, id: number): void {
  handle.query(forget).run(kind, id)
}

// uses the primary key, as no index has the row; lines without a key of their own have the id for one
const forget = `
  delete from import_rows where source_id in (select id from sources) and kind = ?1 and key in (
    select ns || ':' || external_id from external_ids indexed by external_ids_local where kind = ?1 and local_id = ?2
    union all select cast(?2 as text))`
