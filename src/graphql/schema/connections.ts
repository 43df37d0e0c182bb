import type { GraphQLFieldResolver, GraphQLResolveInfo } from 'graphql'
import type { Args, ConnectionPage, Context, List, SelectedRow } from '../declare/field'
import { cursorOf } from '../execute/page'

type Resolver<S> = GraphQLFieldResolver<S, Context>

interface Edge {
  readonly row: SelectedRow
  /** Counts from 1. */
  readonly position: number
}

export const connectionFields: Readonly<Record<string, Resolver<ConnectionPage>>> = {
  nodes: ({ rows }, _, context, info) => inGroups(rows, context, info),
  edges: ({ rows, offset }, _, context, info) =>
    inGroups(
      rows.map((row, at) => ({ row, position: offset + at + 1 })),
      context,
      info,
    ),
  pageInfo: (page) => page,
}

export const pageInfoFields: Readonly<Record<string, Resolver<ConnectionPage>>> = {
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

/** Delays the later rows of a large list, so that other requests are answered in between. */
export function inGroups<T>(
  items: readonly T[],
  { countBelow, budget }: Context,
  { fieldNodes }: GraphQLResolveInfo,
) {
  const cells = 1 + countBelow(fieldNodes)
  budget.takeCells(items.length * cells)
  const size = budget.rowsAtOnce(cells)
  const turns = Array.from({ length: Math.ceil(items.length / size) }, (_, nth) =>
    budget.turnFor(Math.min(size, items.length - nth * size) * cells),
  )
  if (turns.every((turn) => turn === undefined)) return items
  return items.map((item, at) => turns[Math.floor(at / size)]?.then(() => item) ?? item)
}
