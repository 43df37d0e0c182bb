import type { Kind, KindName } from '../import/kinds/field'
import { kinds } from '../import/kinds/kinds'
import { idWish } from '../import/rows/create-row'

/** The listed rows of a kind, with keys in place of ids and without the rows of the source `withheld`. */
export function rowsQuery({ name, table, fields, lists }: Kind, withheld: number): string {
  const columns = fields.map(({ column, ref }) =>
    ref === undefined ? column : `${refKey(ref, column, withheld)} as ${column}`,
  )
  const listed = (lists ?? []).map((list) => `${listQueries(withheld)[list]} as ${list}`)
  const needed = fields.flatMap(({ column, ref, required }) =>
    ref !== undefined && required === true ? [isPublished(ref, column, withheld)] : [],
  )
  const conditions = [
    fields.some(({ column }) => column === 'estimated') ? 'estimated = 0' : 'true',
    `source_id <> ${withheld}`,
    ...needed,
  ]
  return `select id, hidden, owners, ${keyOf(name, `${table}.id`)} as key, ${idsOf(name, `${table}.id`)} as ids,
    ${[...columns, ...listed].join(', ')} from ${table} where ${conditions.join(' and ')} order by id`
}

/** The key from a pack, or else this instance's id. */
export const keyOf = (kind: KindName, id: string) => `ifnull((
  select ns || ':' || external_id from external_ids indexed by external_ids_local
  where local_id = ${id} and kind = '${kind}' and is_key = 1 order by ns, external_id limit 1), '${idWish}:' || ${id})`

const idsOf = (kind: KindName, id: string) => `(
  select json_group_object(ns, external_id) from external_ids indexed by external_ids_local
  where local_id = ${id} and kind = '${kind}' and is_key < 2)`

/** The key of a referenced row; null if it is not exported, for example an estimated episode. */
const refKey = (kind: KindName, column: string, withheld: number) => {
  const isListed = kind === 'episode' ? ` and (select estimated from episodes where id = ${column}) = 0` : ''
  return `iif(${isPublished(kind, column, withheld)}${isListed}, ${keyOf(kind, column)}, null)`
}

const isPublished = (kind: KindName, column: string, withheld: number) =>
  `(select source_id from ${tables.get(kind)} where id = ${column}) <> ${withheld}`

const tables = new Map(kinds.map(({ name, table }) => [name, table]))

const searchNames = (isReading: 0 | 1, withheld: number) => `(
  select json_group_array(distinct title order by title) from search_names
  where work_id = works.id and is_reading = ${isReading} and source_id <> ${withheld})`

const listQueries = (withheld: number): Readonly<Record<string, string>> => ({
  aliases: `(select json_group_array(distinct title order by title) from work_aliases where work_id = works.id and source_id <> ${withheld})`,
  search_names: searchNames(0, withheld),
  search_readings: searchNames(1, withheld),
  series: `(select json_group_array(${keyOf('series', 'series_id')} order by series_id) from series_works where work_id = works.id and source_id <> ${withheld})`,
  streams: `(select json_group_array(json_object('site', site, 'id', nullif(external_id, ''), 'begin', begin_at, 'interval', interval)
    order by site, external_id)
    from streams where work_id = works.id and source_id <> ${withheld})`,
})
