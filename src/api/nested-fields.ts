import { type AliasedExpression, type Expression, type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import type { TSchema } from 'typebox'
import type { DB } from '../db/schema'
import { arrayOf, type Bytes, bytesOf, joined, separated } from '../http/bytes'
import type { Json } from './fields'
import { nullable } from './paging'
import type { Resource, ShownTable } from './resource'

/** A cell of a page's row. */
export type Cell = number | string | null

export type Row = Readonly<Record<string, Cell>>

/** The JSON of a row; undefined where there is none, or none yet: then everything is shown once more. */
export type FindRendering = (
  of: Resource,
  id: Cell | undefined,
  version: Cell | undefined,
) => Bytes | undefined

/** What is sent of a page's row, as JSON; undefined leaves it out. */
export type RenderField = (row: Row, find: FindRendering) => Bytes | undefined

/** What stands beside an item's own fields, under a name. */
export interface NestedField<T extends ShownTable> {
  readonly schema: TSchema
  readonly optional: boolean
  /** What the page's query selects for it. */
  columns(
    eb: ExpressionBuilder<DB, T>,
    name: string,
    viewer: RawBuilder<number>,
  ): AliasedExpression<unknown, string>[]
  /** How it is shown under a name. */
  show(name: string): RenderField
}

type IdOf<T extends ShownTable> = (eb: ExpressionBuilder<DB, T>) => Expression<number | null>

/** Another resource, left out where there is none. */
export const nestedIfAny = <T extends ShownTable>(of: Resource, id: IdOf<T>): NestedField<T> => ({
  schema: of.schema,
  optional: true,
  columns: (eb, name) => idAndVersion(of, id(eb), name),
  show: (name) => {
    const [idName, versionName] = [`${name}_id`, `${name}_version`]
    return (row, find) => find(of, row[idName], row[versionName])
  },
})

/** Another resource, always there. */
export const nested = <T extends ShownTable>(of: Resource, id: IdOf<T>): NestedField<T> => {
  const ifAny = nestedIfAny(of, id)
  const show = (name: string): RenderField => {
    const shown = ifAny.show(name)
    return (row, find) => shown(row, find) ?? jsonNull
  }
  return { ...ifAny, optional: false, show }
}

/** Another resource, or null where there is none. */
export const nestedOrNull = <T extends ShownTable>(of: Resource, id: IdOf<T>): NestedField<T> => ({
  ...nested(of, id),
  schema: nullable(of.schema),
})

/** Several objects of other resources; `rows` is a JSON array of objects `{<name>: [id, version], …}`. */
export const nestedMany = <T extends ShownTable>(
  of: Readonly<Record<string, Resource>>,
  schema: TSchema,
  rows: (eb: ExpressionBuilder<DB, T>) => Expression<string | null>,
): NestedField<T> => ({
  schema,
  optional: true,
  columns: (eb, name) => [sql`${rows(eb)}`.as(name)],
  show: (name) => (row, find) => {
    if (typeof row[name] !== 'string') return undefined
    const objects = objectsOf(row[name]).map((object) => {
      const shown = Object.entries(of).map(([key, resource]) => {
        const [id, version] = object[key] ?? []
        return [bytesOf(`"${key}":`), find(resource, id, version) ?? jsonNull]
      })
      return [bytesOf('{'), ...separated(shown), bytesOf('}')]
    })
    return joined(arrayOf(objects))
  },
})

/** A value made from one cell of the page's own query, never kept with the row: it may be about the caller or other rows; `value` may leave it out by returning undefined. */
export const computed = <T extends ShownTable, C extends Cell>(
  schema: TSchema,
  cell: (eb: ExpressionBuilder<DB, T>, viewer: RawBuilder<number>) => Expression<C>,
  value: (cell: C) => Json | undefined,
  optional = false,
): NestedField<T> => ({
  schema,
  optional,
  columns: (eb, name, viewer) => [sql`${cell(eb, viewer)}`.as(name)],
  show: (name) => (row) => {
    const shown = value((row[name] ?? null) as C)
    return shown === undefined ? undefined : bytesOf(JSON.stringify(shown))
  },
})

/** A JSON object made by an SQL expression, or null. */
export const inline = <T extends ShownTable>(
  schema: TSchema,
  json: (eb: ExpressionBuilder<DB, T>) => Expression<string | null>,
): NestedField<T> => computed(schema, json, (cell) => (cell === null ? null : JSON.parse(cell)))

/** The id of a row of another table, and its version, for the page's query. */
export function idAndVersion(of: Resource, id: Expression<number | null>, name: string) {
  return [sql<number>`${id}`.as(`${name}_id`), versionOf(of, id).as(`${name}_version`)]
}

export const versionOf = ({ table }: Resource, id: Expression<number | null>) =>
  sql<number>`(select version from ${sql.table(table)} as nested where nested.id = ${id})`

const jsonNull = bytesOf('null')

const objectsOf = (cell: Cell | undefined): Record<string, [number, number] | undefined>[] =>
  typeof cell === 'string' ? JSON.parse(cell) : []
