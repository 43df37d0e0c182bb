import type { Value } from '../../../values/value'
import type { SearchKind } from '../../search/texts'
import { type Cell, key, lineText, siteId } from './cells'

export type KindName =
  | 'series'
  | 'work'
  | 'episode'
  | 'channel_group'
  | 'channel'
  | 'program'
  | 'person'
  | 'organization'
  | 'character'
  | 'cast'
  | 'staff'

export interface Field {
  /** The field's name in the line, plus the nested name if that field is an object. */
  readonly path: readonly [name: string, inner?: string]
  readonly column: string
  readonly value: Value<Cell>
  readonly blank: Cell
  readonly required?: true
  /** The line contains the key of a row, the column its id. */
  readonly ref?: KindName
  /** SQL for a new row's default; `{column}` stands for another column's value. */
  readonly otherwise?: string
  /** The value if a line lacks the field; such a field belongs to no source. */
  readonly absent?: Cell
}

/** How lines of one type become rows of one table. To add a field, add a line to `fields`. */
export interface Kind {
  readonly name: KindName
  readonly table: string
  readonly fields: readonly Field[]
  /** The rows belong to a work and are hidden with it. */
  readonly inWork?: true
  /** Lines need no key: the rows they connect identify them. */
  readonly keyless?: true
  /** Sets of columns, in this order, that identify a row if neither key nor ids do. */
  readonly likeness?: readonly (readonly string[])[]
  /** SQL condition for the rows that may be identified that way. */
  readonly likenessOf?: string
  readonly search?: SearchKind
  readonly lists?: readonly string[]
  /** A rule about several fields together; returns the error sentence. */
  readonly rule?: (given: (column: string) => boolean) => string | undefined
}

/** Index among a kind's fields; -1 if there is none. */
export function placeOf(kind: Kind, column: string): number {
  let places = placesByKind.get(kind)
  if (places === undefined) {
    places = new Map(kind.fields.map((field, at) => [field.column, at]))
    placesByKind.set(kind, places)
  }
  return places.get(column) ?? -1
}

const placesByKind = new Map<Kind, Map<string, number>>()

type Rest = Partial<Field>

/** A text column, blank by default, with the same name in the line. */
export const words = (column: string, value: Value<Cell> = lineText, rest: Rest = {}): Field => ({
  path: [column],
  column,
  value,
  blank: '',
  ...rest,
})

/** A number column, null by default. */
export const figure = (column: string, value: Value<Cell>, rest: Rest = {}): Field => ({
  path: [column],
  column,
  value,
  blank: null,
  ...rest,
})

export const count = (column: string, value: Value<Cell>, rest: Rest = {}): Field => ({
  ...figure(column, value, rest),
  blank: 0,
})

export const needed = (column: string, value: Value<Cell> = lineText, rest: Rest = {}): Field => ({
  ...words(column, value, rest),
  required: true,
})

export const reference = (name: string, ref: KindName, rest: Rest = {}): Field => ({
  path: [name],
  column: `${name}_id`,
  value: key,
  blank: null,
  ref,
  ...rest,
})

/** An id at another site that has its own column in addition to `external_ids`. */
export const idColumn = (namespace: string, column: string): Field => ({
  path: ['ids', namespace],
  column,
  value: siteId(namespace),
  blank: '',
})
