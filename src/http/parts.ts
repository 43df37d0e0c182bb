import { type AliasedExpression, type Expression, type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import type { TSchema } from 'typebox'
import type { DB } from '../db/schema'
import type { Json } from './fields'
import { nullable } from './paging'
import type { Resource, ShownTable } from './resource'

/** A cell of a page's row. */
export type Cell = number | string | null

/** A JSON value and its text. */
export interface Rendered {
  readonly json: string
  readonly value: Json
}

export type Row = Readonly<Record<string, Cell>>
type Want = (of: Resource, id: Cell | undefined, version: Cell | undefined) => void
type Find = (of: Resource, id: Cell | undefined) => Rendered | undefined

/** What stands beside an item's own fields, under a name. */
export interface Part<T extends ShownTable = ShownTable> {
  readonly schema: TSchema
  readonly optional: boolean
  /** What the page's query selects for it. */
  columns(
    eb: ExpressionBuilder<DB, T>,
    name: string,
    viewer: RawBuilder<number>,
  ): AliasedExpression<unknown, string>[]
  /** Asks for the renderings it shows. */
  want(row: Row, name: string, want: Want): void
  /** What is sent; undefined leaves it out. */
  show(row: Row, name: string, find: Find): Rendered | undefined
}

type IdOf<T extends ShownTable> = (eb: ExpressionBuilder<DB, T>) => Expression<number | null>

/** Another resource, always there. */
export const nested = <T extends ShownTable>(of: Resource, id: IdOf<T>): Part<T> => ({
  schema: of.schema,
  optional: false,
  columns: (eb, name) => idAndVersion(of, id(eb), name),
  want: (row, name, want) => want(of, row[`${name}_id`], row[`${name}_version`]),
  show: (row, name, find) => find(of, row[`${name}_id`]) ?? nothing,
})

/** Another resource, or null where there is none. */
export const nestedOrNull = <T extends ShownTable>(of: Resource, id: IdOf<T>): Part<T> => ({
  ...nested(of, id),
  schema: nullable(of.schema),
})

/** Another resource, left out where there is none. */
export const nestedIfAny = <T extends ShownTable>(of: Resource, id: IdOf<T>): Part<T> => ({
  ...nested(of, id),
  optional: true,
  show: (row, name, find) => find(of, row[`${name}_id`]),
})

/** Several objects of other resources; `rows` is a JSON array of objects `{<name>: [id, version], …}`. */
export const nestedMany = <T extends ShownTable>(
  of: Readonly<Record<string, Resource>>,
  schema: TSchema,
  rows: (eb: ExpressionBuilder<DB, T>) => Expression<string | null>,
): Part<T> => ({
  schema,
  optional: true,
  columns: (eb, name) => [sql`${rows(eb)}`.as(name)],
  want: (row, name, want) => {
    for (const object of objectsOf(row[name])) {
      for (const key in of) want(of[key] as Resource, object[key]?.[0], object[key]?.[1])
    }
  },
  show: (row, name, find) => {
    if (typeof row[name] !== 'string') return undefined
    const objects = objectsOf(row[name]).map((object) => {
      const shown = Object.entries(of).map(
        ([key, resource]) => [key, find(resource, object[key]?.[0]) ?? nothing] as const,
      )
      return shown.map(([key, { json }]) => `"${key}":${json}`).join(',')
    })
    return parsed(`[${objects.map((object) => `{${object}}`).join(',')}]`)
  },
})

/** A value made from one cell of the page's own query; `value` may leave it out by returning undefined. */
export const computed = <T extends ShownTable, C extends Cell>(
  schema: TSchema,
  cell: (eb: ExpressionBuilder<DB, T>, viewer: RawBuilder<number>) => Expression<C>,
  value: (cell: C) => Json | undefined,
  optional = false,
): Part<T> => ({
  schema,
  optional,
  columns: (eb, name, viewer) => [sql`${cell(eb, viewer)}`.as(name)],
  want: () => {},
  show: (row, name) => {
    const shown = value((row[name] ?? null) as C)
    return shown === undefined ? undefined : { json: JSON.stringify(shown), value: shown }
  },
})

/** A JSON object made by an SQL expression, or null. */
export const inline = <T extends ShownTable>(
  schema: TSchema,
  json: (eb: ExpressionBuilder<DB, T>) => Expression<string | null>,
): Part<T> => computed(schema, json, (cell) => (cell === null ? null : JSON.parse(cell)))

/** The id of a row of another table, and its version, for the page's query. */
export function idAndVersion(of: Resource, id: Expression<number | null>, name: string) {
  return [sql<number>`${id}`.as(`${name}_id`), versionOf(of, id).as(`${name}_version`)]
}

export const versionOf = ({ table }: Resource, id: Expression<number | null>) =>
  sql<number>`(select version from ${sql.table(table)} as nested where nested.id = ${id})`

const nothing: Rendered = { json: 'null', value: null }

const parsed = (json: string): Rendered => ({
  json,
  get value() {
    return JSON.parse(json)
  },
})

const objectsOf = (cell: Cell | undefined): Record<string, [number, number] | undefined>[] =>
  typeof cell === 'string' ? JSON.parse(cell) : []
