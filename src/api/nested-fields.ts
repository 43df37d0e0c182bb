import { type AliasedExpression, type Expression, type ExpressionBuilder, type RawBuilder, sql } from 'kysely'
import type { TSchema } from 'typebox'
import type { DB } from '../db/schema'
import { arrayOf, type Bytes, bytesOf, joined, separated } from '../http/bytes'
import type { ShownTable } from '../paging/paged-list'
import type { Json } from './fields'
import { nullable } from './paging'
import type { Resource } from './resource'

export type FieldCell = number | string | null

export type FieldRow = Readonly<Record<string, FieldCell>>

/** Undefined if there is none, or if it is not rendered yet; the page is then assembled again. */
export type FindRendering = (
  of: Resource,
  id: FieldCell | undefined,
  version: FieldCell | undefined,
) => Bytes | undefined

/** JSON; undefined omits the field. */
export type RenderField = (row: FieldRow, find: FindRendering) => Bytes | undefined

export interface NestedField<T extends ShownTable> {
  schema(): TSchema
  readonly optional: boolean
  columns(
    eb: ExpressionBuilder<DB, T>,
    name: string,
    viewer: RawBuilder<number>,
  ): AliasedExpression<unknown, string>[]
  show(name: string): RenderField
}

type IdOf<T extends ShownTable> = (eb: ExpressionBuilder<DB, T>) => Expression<number | null>

export const nestedOptional = <T extends ShownTable>(of: Resource, id: IdOf<T>): NestedField<T> => ({
  schema: () => of.schema,
  optional: true,
  columns: (eb, name) => idAndVersion(of, id(eb), name),
  show: (name) => {
    const [idName, versionName] = [`${name}_id`, `${name}_version`]
    return (row, find) => find(of, row[idName], row[versionName])
  },
})

export const nested = <T extends ShownTable>(of: Resource, id: IdOf<T>): NestedField<T> => {
  const ifAny = nestedOptional(of, id)
  const show = (name: string): RenderField => {
    const shown = ifAny.show(name)
    return (row, find) => shown(row, find) ?? jsonNull
  }
  return { ...ifAny, optional: false, show }
}

export const nestedOrNull = <T extends ShownTable>(of: Resource, id: IdOf<T>): NestedField<T> => ({
  ...nested(of, id),
  schema: () => nullable(of.schema),
})

/** `rows` is a JSON array of objects `{<name>: [id, version], …}`. */
export const nestedMany = <T extends ShownTable>(
  of: Readonly<Record<string, Resource>>,
  schema: () => TSchema,
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

/** From one cell of the page's query, never cached: may depend on the caller or other rows. Undefined omits it. */
export const computed = <T extends ShownTable, C extends FieldCell>(
  schema: TSchema,
  cell: (eb: ExpressionBuilder<DB, T>, viewer: RawBuilder<number>) => Expression<C>,
  value: (cell: C) => Json | undefined,
  optional = false,
): NestedField<T> => ({
  schema: () => schema,
  optional,
  columns: (eb, name, viewer) => [sql`${cell(eb, viewer)}`.as(name)],
  show: (name) => (row) => {
    const shown = value((row[name] ?? null) as C)
    return shown === undefined ? undefined : bytesOf(JSON.stringify(shown))
  },
})

/** `json`: SQL for a JSON object or null. */
export const inline = <T extends ShownTable>(
  schema: TSchema,
  json: (eb: ExpressionBuilder<DB, T>, viewer: RawBuilder<number>) => Expression<string | null>,
): NestedField<T> => computed(schema, json, (cell) => (cell === null ? null : JSON.parse(cell)))

function idAndVersion(of: Resource, id: Expression<number | null>, name: string) {
  return [sql<number>`${id}`.as(`${name}_id`), versionOf(of, id).as(`${name}_version`)]
}

export const versionOf = ({ table }: Resource, id: Expression<number | null>) =>
  sql<number>`(select version from ${sql.table(table)} as nested where nested.id = ${id})`

const jsonNull = bytesOf('null')

const objectsOf = (cell: FieldCell | undefined): Record<string, [number, number] | undefined>[] =>
  typeof cell === 'string' ? JSON.parse(cell) : []
