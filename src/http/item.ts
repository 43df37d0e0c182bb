import type { Expression, ExpressionBuilder } from 'kysely'
import Type, { type TObject } from 'typebox'
import type { DB } from '../db/schema'
import type { Selection } from './fields'
import type { Part } from './parts'
import type { Resource, ShownTable } from './resource'

/** What a list or a write answers with: a resource's own fields, and the parts beside them in the order they are sent. */
export interface Item<T extends ShownTable = ShownTable> {
  /** The table whose rows are listed. */
  readonly table: T
  readonly resource: Resource
  readonly parts: Readonly<Record<string, Part<T>>>
  /** The resource's row, where that is not the listed row itself. */
  own?(eb: ExpressionBuilder<DB, T>): Expression<number>
}

export const defineItem = <T extends ShownTable>(
  table: T,
  resource: Resource,
  parts: Readonly<Record<string, Part<T>>> = {},
  own?: Item<T>['own'],
): Item<T> => ({ table, resource, parts, ...(own && { own }) })

/** The whole object as the documentation describes it. */
export function itemSchema({ resource, parts }: Item): TObject {
  const beside = Object.entries(parts).map(([name, { schema, optional }]) => {
    return [name, optional ? Type.Optional(schema) : schema]
  })
  if (beside.length === 0) return resource.schema
  return Type.Object({ ...resource.schema.properties, ...Object.fromEntries(beside) })
}

/** Whether a selection wants anything of a part. */
export const wantsPart = (selection: Selection | undefined, name: string) =>
  selection === undefined || selection.has(name)
