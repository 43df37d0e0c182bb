import type { Context } from './field'

export type Input = Readonly<Record<string, unknown>>

export interface MutationDeclaration {
  readonly name: string
  /** Fields of its input besides `clientMutationId`. */
  readonly input: Readonly<Record<string, string>>
  /** The field of its payload besides `clientMutationId`, and its type. */
  readonly payload: readonly [field: string, type: string]
  /** Writes, and returns the number of the row in its payload. */
  run(input: Input, context: Context): Promise<number | undefined>
}

export const defineMutation = (mutation: MutationDeclaration): MutationDeclaration => mutation
