import { type Expression, type RawBuilder, type Selectable, sql } from 'kysely'
import Type, { type Static, type TObject, type TSchema } from 'typebox'
import type { Config } from '../config'
import type { DB } from '../db/schema'
import { once } from '../lib/once'
import type { ShownTable } from '../paging/paged-list'
import type { Json } from './fields'

export interface Resource {
  readonly name: string
  readonly table: ShownTable
  readonly schema: TObject
  readonly columns: ReadonlyMap<string, Expression<unknown>>
  readonly fields: ReadonlyMap<string, DerivedField>
  /** The result is cached, so it must depend on nothing but the row and the configuration. */
  present(row: Readonly<Record<string, unknown>>, config: Config): { readonly [name: string]: Json }
}

export interface DerivedField {
  readonly schema: TSchema
  readonly columns: ReadonlyMap<string, Expression<unknown>>
  from(row: never, config: Config): unknown
}

export interface FieldBuilder<T extends ShownTable> {
  from<S extends TSchema, C extends keyof Selectable<DB[T]> & string>(
    schema: S,
    columns: readonly C[],
    value: (row: Pick<Selectable<DB[T]>, C>, config: Config) => Static<S>,
  ): DerivedField
  /** Cached by the row's version: SQL about other rows needs triggers that raise it; otherwise use a `computed` field. */
  by<S extends TSchema>(schema: S, name: string, expression: RawBuilder<Static<S>>): DerivedField
}

/** A bare schema stands for the column of that name; the compiler compares their types. */
type Fields<T extends ShownTable, F> = {
  readonly [Name in keyof F]: F[Name] extends DerivedField
    ? F[Name]
    : Name extends keyof DB[T]
      ? Selectable<DB[T]>[Name & keyof Selectable<DB[T]>] extends Static<F[Name] & TSchema>
        ? F[Name]
        : never
      : never
}

/** Fields are sent in declaration order (D20). Created on first use: most starts need only some resources. */
export function defineResource<T extends ShownTable, F extends Record<string, TSchema | DerivedField>>(
  name: string,
  table: T,
  declare: (derived: FieldBuilder<T>) => F & Fields<T, F>,
): Resource {
  const declared = once(() => declaredBy(table, declare(fieldBuilder(table))))
  return {
    name,
    table,
    get schema() {
      return declared().schema
    },
    get columns() {
      return declared().columns
    },
    get fields() {
      return declared().fields
    },
    present: (row, config) =>
      Object.fromEntries(
        declared().entries.map(([name, { from }]) => [name, from(row as never, config) as Json]),
      ),
  }
}

function declaredBy(table: string, declarations: Record<string, TSchema | DerivedField>) {
  const entries = Object.entries(declarations).map(([name, field]) => {
    return [name, isDerived(field) ? field : plain(table, name, field)] as const
  })
  return {
    entries,
    schema: Type.Object(Object.fromEntries(entries.map(([name, { schema }]) => [name, schema]))),
    columns: new Map(entries.flatMap(([, { columns }]) => [...columns])),
    fields: new Map(entries),
  }
}

function fieldBuilder<T extends ShownTable>(table: T): FieldBuilder<T> {
  return {
    from: (schema, columns, from) => ({
      schema,
      columns: new Map(columns.map((column) => [column, sql.ref(`${table}.${column}`)])),
      from: from as DerivedField['from'],
    }),
    by: (schema, name, expression) => ({
      schema,
      columns: new Map([[name, expression]]),
      from: (row: Readonly<Record<string, unknown>>) => row[name],
    }),
  }
}

const plain = (table: string, name: string, schema: TSchema): DerivedField => ({
  schema,
  columns: new Map([[name, sql.ref(`${table}.${name}`)]]),
  from: (row: Readonly<Record<string, unknown>>) => row[name],
})

const isDerived = (field: TSchema | DerivedField): field is DerivedField => 'from' in field
