import type { GraphQLFieldResolver } from 'graphql'
import type { Context, Field, Fields, Row } from '../declare/field'
import { requireTokenScope } from '../execute/scope'
import { inGroups } from './connections'

type Resolver = GraphQLFieldResolver<Row, Context>

/** Fields of Query, which require the scope `read`. */
export const rootResolvers = (fields: Fields): Readonly<Record<string, Resolver>> =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, resolverOf(field)]))

const resolverOf = ({ type, resolve }: Field): Resolver => {
  const checked: Resolver = (row, args, context) => {
    requireTokenScope(context, 'read')
    return resolve(row, args, context)
  }
  if (!type.startsWith('[')) return checked
  return async (row, args, context, info) =>
    inGroups((await checked(row, args, context, info)) as readonly unknown[], context, info)
}
