import { GraphQLError } from 'graphql'
import type { Scope } from '../../api/bearer'
import type { Context } from '../declare/field'

/** Fails only the field: the request itself is answered. */
export function requireTokenScope({ call }: Context, scope: Scope): void {
  if (!call.viewer.scopes.includes(scope)) throw new GraphQLError(`the access token lacks the scope ${scope}`)
}
