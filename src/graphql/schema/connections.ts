import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql'
import type { Args, Context, List, Page, Row } from '../declare/field'
import { cursorOf } from '../execute/page'

type Resolver<S> = GraphQLFieldResolver<S, Context>

interface Edge {
  readonly row: Row
  /** Counts from 1. */
  readonly position: number
}

export const connectionFields: Readonly<Record<string, Resolver<Page>>> = {
  nodes: ({ rows }, _, context, info) => inGroups(rows, context, info),
  edges: ({ rows, offset }, _, context, info) =>
    inGroups(
      rows.map((row, at) => ({ row, position: offset + at + 1 })),
      context,
      info,
    ),
  pageInfo: (page) => page,
}

export const pageInfoFields: Readonly<Record<string, Resolver<Page>>> = {
  startCursor: ({ rows, offset }) => (rows.length === 0 ? null : cursorOf(offset + 1)),
  endCursor: ({ rows, offset }) => (rows.length === 0 ? null : cursorOf(offset + rows.length)),
}

export const edgeFields = ({ edge = {} }: List): Readonly<Record<string, Resolver<Edge>>> => ({
  cursor: ({ position }) => cursorOf(position),
  node: ({ row }) => row,
  ...Object.fromEntries(
    Object.entries(edge).map(([name, { resolve }]) => [
      name,
      ({ row }: Edge, args: Args, context: Context) => resolve(row, args, context),
    ]),
  ),
})

/** How many fields of rows are completed without a pause. */
const cellsAtOnce = 10_000

/** Delays the later rows of a large list, so that other requests are answered in between. */
function inGroups<T>(
  items: readonly T[],
  { countBelow, budget }: Context,
  { fieldNodes }: GraphQLResolveInfo,
) {
  const cells = 1 + countBelow(fieldNodes)
  budget.takeCells(items.length * cells)
  const size = Math.max(1, Math.floor(cellsAtOnce / cells))
  if (items.length <= size) return items
  const groups = Array.from({ length: Math.ceil(items.length / size) - 1 }, () => budget.turn())
  return items.map((item, at) => (at < size ? item : groups[Math.floor(at / size) - 1]?.then(() => item)))
}
