import { type RawBuilder, sql } from 'kysely'
import type { DerivedField, Resource } from '../../api/resource'
import type { Column, GraphqlField, SelectedCell } from './field'

type Convert = (value: never) => unknown

/** Fields taken from a REST resource, in GraphQL notation. */
export const fieldsOf =
  (resource: Resource) =>
  (type: string, name: string, convert?: Convert): GraphqlField => {
    const field = restField(resource, name)
    const shown = (convert ?? blankAs(type)) as (value: unknown) => unknown
    return {
      type,
      columns: columnsOf(field),
      resolve: (row, _, { config }) => shown(field.from(row as never, config)),
    }
  }

function restField(resource: Resource, name: string): DerivedField {
  const field = resource.fields.get(name)
  if (field === undefined) throw new Error(`${resource.name} has no field ${name}`)
  return field
}

const columnsOf = ({ columns }: Pick<DerivedField, 'columns'>): ReadonlyMap<string, Column> =>
  new Map([...columns].map(([name, expression]) => [name, () => expression]))

/** An unknown text becomes null if the type allows it. */
const blankAs = (type: string): ((value: unknown) => unknown) =>
  type === 'String' ? (value) => (value === '' ? null : value) : (value) => value

/** A column with a name of its own, so that it does not collide with the resource's columns. */
export function column(
  type: string,
  name: string,
  expression: Column,
  convert: (value: SelectedCell) => unknown = (value) => value,
): GraphqlField {
  const key = `${name}$`
  return {
    type,
    columns: new Map([[key, expression]]),
    resolve: (row) => convert(row[key] ?? null),
  }
}

/** Another row, or null. */
export function one(type: string, name: string, id: Column): GraphqlField {
  const key = `${name}$`
  const of = type.replace('!', '')
  return {
    type,
    columns: new Map([[key, id]]),
    resolve: (row, _, { rows }) => rows.load(of, row[key]),
  }
}

export const constant = (type: string, value: unknown): GraphqlField => ({ type, resolve: () => value })

/** The number in the global id. */
export const annictId: GraphqlField = { type: 'Int!', resolve: ({ id }) => id }

export const isOne = (value: SelectedCell) => value === 1

export const upperCase = (word: string | null) => word?.toUpperCase() ?? null

/** Seconds from REST's milliseconds, truncated. */
export const seconds = (iso: string | null) => (iso === null ? null : `${iso.slice(0, 19)}Z`)

export const secondsOf = (at: SelectedCell) =>
  typeof at === 'number' ? seconds(new Date(at).toISOString()) : null

/** A 32-bit integer, truncated from a text such as `12.5`; null for other texts. */
export function wholeNumber(text: string | null): number | null {
  if (text === null || !/^-?\d+(?:\.\d+)?$/.test(text)) return null
  const number = Math.trunc(Number(text))
  return Math.abs(number) < 2 ** 31 ? number : null
}

export const ref = (name: string): (() => RawBuilder<number>) => {
  const expression = sql.ref<number>(name)
  return () => expression
}
