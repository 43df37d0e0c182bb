import type { Expression, ExpressionBuilder } from 'kysely'
import Type, { type TObject, type TSchema } from 'typebox'
import type { DB } from '../db/schema'
import type { Json, Selection } from './fields'
import { nullable } from './paging'
import type { Rendering } from './render'
import type { Resource, ShownTable } from './resource'

/** A resource with the objects that stand beside its own fields, in the order they are sent. */
export interface Item<T extends ShownTable = ShownTable> {
  readonly table: T
  readonly resource: Resource
  readonly parts: Readonly<Record<string, Part<T>>>
}

/** An object beside an item's own fields: another resource, or JSON text made by an SQL expression. */
export type Part<T extends ShownTable> = Nested<T> | Inline<T>

export interface Nested<T extends ShownTable> {
  readonly of: Resource
  readonly schema: TSchema
  /** The id of the row to show; null shows null, or leaves the part out. */
  id(eb: ExpressionBuilder<DB, T>): Expression<number | null>
  readonly optional: boolean
}

export interface Inline<T extends ShownTable> {
  readonly schema: TSchema
  /** JSON text. */
  json(eb: ExpressionBuilder<DB, T>): Expression<string | null>
}

/** `table` is the resource's own. */
export const defineItem = <T extends ShownTable>(
  table: T,
  resource: Resource,
  parts: Readonly<Record<string, Part<T>>> = {},
): Item<T> => ({ table, resource, parts })

/** Another resource, always there. */
export const nested = <T extends ShownTable>(of: Resource, id: Nested<T>['id']): Nested<T> => ({
  of,
  id,
  schema: of.schema,
  optional: false,
})

/** Another resource, or null where there is none. */
export const nestedOrNull = <T extends ShownTable>(of: Resource, id: Nested<T>['id']): Nested<T> => ({
  ...nested(of, id),
  schema: nullable(of.schema),
})

/** Another resource, left out where there is none. */
export const nestedIfAny = <T extends ShownTable>(of: Resource, id: Nested<T>['id']): Nested<T> => ({
  ...nested(of, id),
  optional: true,
})

/** JSON text made by the page's own query. */
export const inline = <T extends ShownTable>(schema: TSchema, json: Inline<T>['json']): Inline<T> => ({
  schema,
  json,
})

/** The whole object as the documentation describes it. */
export function itemSchema({ resource, parts }: Item): TObject {
  const own = resource.schema.properties
  const beside = Object.entries(parts).map(([name, part]) => {
    return [name, 'of' in part && part.optional ? Type.Optional(part.schema) : part.schema]
  })
  if (beside.length === 0) return resource.schema
  return Type.Object({ ...own, ...Object.fromEntries(beside) })
}

/** What one item of a page is made of: its own rendering, and per part a rendering, JSON text, or null. */
export interface Assembled {
  readonly own: Rendering
  readonly parts: readonly (readonly [name: string, part: Rendering | string | null])[]
}

/** The item as JSON text; with a selection only what is selected (D16). */
export function itemJson({ own, parts }: Assembled): string {
  if (parts.length === 0) return own.json
  let json = own.json.slice(0, -1)
  for (const [name, part] of parts) json += `,"${name}":${partJson(part)}`
  return `${json}}`
}

const partJson = (part: Rendering | string | null) => (isRendering(part) ? part.json : (part ?? 'null'))

/** The item as a value, for what reads inside it. */
export function itemValue({ own, parts }: Assembled): { readonly [name: string]: Json } {
  const value = (part: Rendering | string | null): Json => {
    if (isRendering(part)) return part.value
    return part === null ? null : JSON.parse(part)
  }
  return { ...own.value, ...Object.fromEntries(parts.map(([name, part]) => [name, value(part)])) }
}

const isRendering = (part: Rendering | string | null): part is Rendering =>
  typeof part === 'object' && part !== null

/** Whether a selection wants anything of a part. */
export const wantsPart = (selection: Selection | undefined, name: string) =>
  selection === undefined || selection.has(name)
