import type { GraphQLFieldResolver } from 'graphql'
import type { Context } from '../declare/field'
import type { Input, MutationDeclaration } from '../declare/mutation'
import { requireTokenScope } from '../execute/scope'

interface Payload {
  readonly clientMutationId: unknown
  readonly number: number | undefined
}

export const resolveMutation =
  ({ run }: MutationDeclaration): GraphQLFieldResolver<unknown, Context> =>
  async (_, { input }: { readonly input: Input }, context): Promise<Payload> => {
    requireTokenScope(context, 'write')
    const number = await run(input, context)
    context.hasWritten = true
    context.rows.forget()
    return { clientMutationId: input.clientMutationId ?? null, number }
  }

export const resolvePayload = ({
  payload: [field, type],
}: MutationDeclaration): Readonly<Record<string, GraphQLFieldResolver<Payload, Context>>> => ({
  [field]: ({ number }, _, { rows }) => rows.load(type, number),
})
