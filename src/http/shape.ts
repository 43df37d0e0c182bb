import type { Expression, RawBuilder, SqlBool } from 'kysely'
import type { Bindable, SlotOf } from '../db/prepared'
import type { Call } from './endpoint'
import type { Selection } from './fields'
import { type Item, wantsPart } from './item'
import type { Param } from './params'

export type Values = Record<string, Bindable>
export type Slots = SlotOf<Values>

/** Where `row_counts` counts the rows that a filter's value leaves: under a key of a list. */
export interface Ranked {
  readonly list: string
  /** The key, as SQL of what the filter binds. */
  key(slot: Slots): RawBuilder<unknown>
}

/** Which form of a filter's condition is wanted. */
export interface Form {
  /** Whether no other filter narrows the list: then its own index is the best there is. */
  readonly alone: boolean
  /** Which of the value's branches, from 0. */
  readonly branch: number
}

/** A list whose table is only known at run time. */
export interface AnyList {
  readonly item: Item
  readonly rows: {
    where?(eb: unknown, viewer: RawBuilder<unknown>): Expression<SqlBool>
    total?: string
    sets?: string
    changes?: string
    counted?(viewer: RawBuilder<unknown>): RawBuilder<number>
    rowids?(viewer: RawBuilder<unknown>): RawBuilder<unknown>
    find?(
      asked: Asked,
      stretch: { direction: 'asc' | 'desc'; offset: number; limit: number },
      call: Call,
    ): Promise<{ ids: readonly number[]; total: number }>
    ranks?(asked: Asked, filters: readonly string[]): readonly string[] | undefined
  }
  readonly filters: Record<
    string,
    {
      param: Param<unknown>
      bind(value: unknown): Values
      counted?(slot: Slots): RawBuilder<number>
      ownCounted?(slot: Slots): RawBuilder<number>
      rowids?(slot: Slots): RawBuilder<unknown>
      changes?: string
      ranked?: Ranked
      branches?(value: unknown): number
      where(eb: unknown, slot: Slots, form: Form): Expression<SqlBool>
    }
  >
  readonly sorts: Record<string, { column: string; nullsLast?: true; least?: number; changes?: string }>
  readonly sortedBy?: string
}

export type Asked = Readonly<Record<string, unknown>>

/** What the SQL depends on: which filters and sorts are asked, and which parts are wanted. Never the client's own text. */
export interface Shape {
  readonly filters: readonly string[]
  /** In how many branches the rows are found. */
  readonly branches: number
  readonly sorts: readonly (readonly [name: string, direction: string])[]
  readonly parts: readonly string[]
  /** Whether rows are passed over or sorted as ids, before any row is read. */
  readonly far: boolean
  /** Whether `row_counts` counts these rows. */
  readonly ranked: boolean
  /** From where on rows are read, when not from the first. */
  readonly from?: Stretch
  /** Whether they are those of one key that `row_counts` has split. */
  readonly split?: boolean
  /** Whether rows are passed over from the last one back. */
  readonly backwards?: boolean
}

/** Rows from an id up or below an id; of one key or the least one, from an id up; of the keys after one; of given ids. */
export type Stretch = 'up' | 'down' | 'key' | 'least key' | 'keys after' | 'these'

export function shapeOf(list: AnyList, asked: Asked, selection: Selection | undefined): Shape {
  const filters = Object.keys(list.filters).filter((name) => asked[name] !== undefined)
  const alone = aloneIn(list, filters)
  return {
    filters,
    branches: (alone !== undefined && list.filters[alone]?.branches?.(asked[alone])) || 1,
    sorts: Object.keys(list.sorts).flatMap((name) =>
      asked[name] === undefined ? [] : [[name, String(asked[name])] as const],
    ),
    parts: wantedParts(list.item, selection),
    ranked: false,
    far: false,
  }
}

/** The filter that alone narrows the list; undefined where none does, or several do. */
export function aloneIn({ filters }: Pick<AnyList, 'filters'>, asked: readonly string[]): string | undefined {
  const [name, ...more] = asked.filter((name) => filters[name]?.param.otherwise === undefined)
  return more.length === 0 ? name : undefined
}

/** The values of a shape's slots; each filter's names are its own. */
export function valuesOf({ filters }: AnyList, shape: Shape, asked: Asked): Values {
  const values: Values = {}
  for (const name of shape.filters) {
    const bound = filters[name]?.bind(asked[name]) ?? {}
    for (const part of Object.keys(bound)) values[`${name}.${part}`] = bound[part] ?? null
  }
  return values
}

/** Whether how many rows there are is a number that is kept. */
export function isCounted({ rows, filters }: AnyList, { filters: asked }: Shape): boolean {
  const narrowing = asked.filter((name) => filters[name]?.param.otherwise === undefined)
  const [name = '', ...more] = narrowing
  if (narrowing.length === 0) return rows.total !== undefined || rows.counted !== undefined
  if (more.length > 0) return false
  return isAboutAll({ rows }) ? filters[name]?.ranked !== undefined : filters[name]?.ownCounted !== undefined
}

/** Whether a list shows all rows that are shown anywhere, not the caller's own: a filter knows how many of those it leaves. */
export const isAboutAll = ({ rows }: Pick<AnyList, 'rows'>) => rows.total !== undefined || !rows.where

/** The parts a selection wants. */
export const wantedParts = ({ parts }: Item, selection: Selection | undefined) =>
  Object.keys(parts).filter((name) => wantsPart(selection, name))

/** A filter's slots, under its own name; the caller's id is everybody's. */
export const ownSlots =
  (name: string, slot: Slots): Slots =>
  (part) =>
    slot(part === 'viewer' ? part : `${name}.${part}`)
