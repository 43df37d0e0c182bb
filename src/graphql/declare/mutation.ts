import type { Context } from './field'

export type Input = Readonly<Record<string, unknown>>

export interface MutationDeclaration {
  readonly name: string
  /** Fields of its input besides `clientMutationId`. */
  readonly input: Readonly<Record<string, string>>
  /** The name and type of the payload's field besides `clientMutationId`. */
  readonly payload: readonly [field: string, type: string]
  /** Writes, and returns the number of the row for the payload. */
  run(input: Input, context: Context): Promise<number | undefined>
}

export const defineMutation = (mutation: MutationDeclaration): MutationDeclaration => mutation
