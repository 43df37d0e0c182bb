import type { Value } from '../../../values/value'
import type { SearchKind } from '../../search/texts'
import { type Cell, key, lineText, siteId } from './cells'

/** The types of lines a catalogue holds besides its header, each named as the lines name it. */
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

/** One column of a row and where a line says it. */
export interface Field {
  /** The line's own name for it, and the name inside that where it is an object. */
  readonly path: readonly [name: string, inner?: string]
  readonly column: string
  readonly value: Value<Cell>
  /** What the column holds when nobody said anything. */
  readonly blank: Cell
  /** A row needs it, and it is never blank. */
  readonly required?: true
  /** The line names another row by key; the column holds its id. */
  readonly ref?: KindName
  /** What a new row has where nobody said anything, as SQL in which `{column}` is another column's value. */
  readonly otherwise?: string
  /** What a line without it says; such a field belongs to no source. */
  readonly absent?: Cell
}

/** How lines of one type become rows of one table. Adding a field is adding a line to `fields`. */
export interface Kind {
  readonly name: KindName
  readonly table: string
  readonly fields: readonly Field[]
  /** Its rows belong to a work and are hidden with it. */
  readonly inWork?: true
  /** Its lines need no key: they are known by what they connect. */
  readonly keyless?: true
  /** Columns by which a row is recognized where neither key nor ids know it, tried in this order. */
  readonly likeness?: readonly (readonly string[])[]
  /** Which rows may be recognized that way, as SQL. */
  readonly likenessOf?: string
  readonly search?: SearchKind
  /** Names of lists, read by `src/catalogue/import/rows/work-parts.ts`. */
  readonly lists?: readonly string[]
  /** A rule about several fields: the sentence that refuses the line. */
  readonly rule?: (given: (column: string) => boolean) => string | undefined
}

/** Where a column stands among a kind's fields; -1 where the kind has none of this name. */
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

/** A column that is text and blank by default; the line calls it the same. */
export const words = (column: string, value: Value<Cell> = lineText, rest: Rest = {}): Field => ({
  path: [column],
  column,
  value,
  blank: '',
  ...rest,
})

/** A column that is a number, null by default. */
export const figure = (column: string, value: Value<Cell>, rest: Rest = {}): Field => ({
  path: [column],
  column,
  value,
  blank: null,
  ...rest,
})

/** A column that is a number, 0 by default. */
export const count = (column: string, value: Value<Cell>, rest: Rest = {}): Field => ({
  ...figure(column, value, rest),
  blank: 0,
})

/** A text or number no row of the table can be without. */
export const needed = (column: string, value: Value<Cell> = lineText, rest: Rest = {}): Field => ({
  ...words(column, value, rest),
  required: true,
})

/** A row of another table, which the line names by its key. */
export const reference = (name: string, ref: KindName, rest: Rest = {}): Field => ({
  path: [name],
  column: `${name}_id`,
  value: key,
  blank: null,
  ref,
  ...rest,
})

/** An id at another site that has a column of its own, besides its row in `external_ids`. */
export const idColumn = (namespace: string, column: string): Field => ({
  path: ['ids', namespace],
  column,
  value: siteId(namespace),
  blank: '',
})
