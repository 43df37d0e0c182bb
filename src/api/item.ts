import type { Expression, ExpressionBuilder } from 'kysely'
import Type, { type TObject } from 'typebox'
import type { DB } from '../db/schema'
import type { ShownTable } from '../paging/paged-list'
import type { Selection } from './fields'
import type { NestedField } from './nested-fields'
import type { Resource } from './resource'

/** What lists and writes answer with: the resource's own fields, then the nested ones, in this order. */
export interface Item<T extends ShownTable> {
  readonly table: T
  readonly resource: Resource
  readonly nested: Readonly<Record<string, NestedField<T>>>
  /** Id of the resource's row, if that is not the listed row itself. */
  resourceId?(eb: ExpressionBuilder<DB, T>): Expression<number>
}

export const defineItem = <T extends ShownTable>(
  table: T,
  resource: Resource,
  nested: Readonly<Record<string, NestedField<T>>> = {},
  resourceId?: Item<T>['resourceId'],
): Item<T> => ({ table, resource, nested, ...(resourceId && { resourceId }) })

export function itemSchema<T extends ShownTable>({ resource, nested }: Item<T>): TObject {
  const nestedSchemas = Object.entries(nested).map(([name, { schema, optional }]) => {
    return [name, optional ? Type.Optional(schema()) : schema()]
  })
  if (nestedSchemas.length === 0) return resource.schema
  return Type.Object({ ...resource.schema.properties, ...Object.fromEntries(nestedSchemas) })
}

/** The nested fields that the selection names, or all of them without a selection. */
export const nestedNames = <T extends ShownTable>(
  { nested }: Item<T>,
  selection?: Selection,
): readonly string[] => Object.keys(nested).filter((name) => selection === undefined || selection.has(name))
