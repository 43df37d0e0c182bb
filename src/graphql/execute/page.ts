import { GraphQLError } from 'graphql'
import type { Args } from '../declare/field'

/** The rows that `first`, `last`, `after` and `before` request. Positions start at 1. */
export interface Range {
  readonly offset: number
  /** The most rows that `before` and `first` allow. */
  readonly length: number
  readonly first: number | undefined
  readonly last: number | undefined
  readonly hasBefore: boolean
}

export function rangeOf(args: Args): Range {
  const [first, last] = [countOf('first', args), countOf('last', args)]
  const offset = positionOf(args.after) ?? 0
  const before = positionOf(args.before)
  const between = before === undefined ? Number.POSITIVE_INFINITY : Math.max(0, before - 1 - offset)
  const length = Math.min(between, first ?? Number.POSITIVE_INFINITY)
  return { offset, length, first, last, hasBefore: before !== undefined }
}

function countOf(name: 'first' | 'last', args: Args): number | undefined {
  const count = args[name]
  if (typeof count !== 'number') return undefined
  if (count < 0) throw new GraphQLError(`${name} must not be negative`)
  return count
}

export interface IdPage {
  readonly ids: readonly number[]
  readonly offset: number
  readonly hasNextPage: boolean
  readonly hasPreviousPage: boolean
}

/** `found`: the ids from the offset on, up to one more than `length`. */
export function pageOf({ offset, length, last, hasBefore, first }: Range, found: readonly number[]): IdPage {
  const kept = found.length > length ? found.slice(0, length) : found
  const cut = last === undefined ? 0 : Math.max(0, kept.length - last)
  return {
    ids: cut === 0 ? kept : kept.slice(cut),
    offset: offset + cut,
    hasNextPage: hasBefore || (first !== undefined && found.length > first),
    hasPreviousPage: offset > 0 || cut > 0,
  }
}

/** The position of a row in URL-safe Base64 without padding. */
export const cursorOf = (position: number): string => Buffer.from(String(position)).toString('base64url')

/** Undefined for anything but a cursor, such as `""` and `"null"`. */
function positionOf(cursor: unknown): number | undefined {
  if (typeof cursor !== 'string' || cursor === '' || cursor.length > 24) return undefined
  const text = Buffer.from(cursor, 'base64url').toString()
  return /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined
}
