import { sql } from 'kysely'
import type { Endpoint } from '../../api/endpoint'
import { preparedSql } from '../../db/prepared'
import { notFound } from '../../http/errors'
import type { RawValues } from '../../http/request-values'
import type { Context } from '../declare/field'
import { fromGlobalId } from '../declare/global-id'
import { defineMutation, type Input, type MutationDeclaration } from '../declare/mutation'

type Value = string | number | boolean | null | undefined

/** Runs a REST command for the caller and returns the answer's id; null and undefined are not sent. Throws its errors. */
export async function runCommand(
  command: Endpoint,
  values: Readonly<Record<string, Value>>,
  { call }: Context,
): Promise<number | undefined> {
  const sent: RawValues = new Map()
  for (const [name, value] of Object.entries(values))
    if (value !== undefined && value !== null) sent.set(name, String(value))
  const response = await command.answer({ ...call, sent })
  if (response.status === 204) return undefined
  const answer: unknown = await response.json()
  return (answer as { readonly id?: number }).id
}

/** The number in a global id. Throws not_found for ids of other types. */
export function numberIn(input: Input, name: string, type: string): number {
  const named = fromGlobalId(String(input[name]))
  if (named?.type !== type) throw notFound(`The ${type.toLowerCase()}`)
  return named.number
}

export const textIn = (input: Input, name: string): string | undefined => {
  const value = input[name]
  return typeof value === 'string' ? value : undefined
}

/** In REST notation. */
export const stateIn = (input: Input, name: string): string | undefined => textIn(input, name)?.toLowerCase()

export const sharesIn = ({ shareTwitter, shareFacebook }: Input) => ({
  share_twitter: typeof shareTwitter === 'boolean' ? shareTwitter : undefined,
  share_facebook: typeof shareFacebook === 'boolean' ? shareFacebook : undefined,
})

export const shareInputs = { shareFacebook: 'Boolean', shareTwitter: 'Boolean' } as const

interface Deletion {
  readonly type: 'Record' | 'Review'
  /** The type of what the rows are about, which their `column` refers to. */
  readonly subject: 'Episode' | 'Work'
  readonly table: 'records' | 'reviews'
  readonly column: 'episode_id' | 'work_id'
  readonly command: Endpoint
}

/** `deleteRecord` or `deleteReview`: deletes a row of the caller, and returns what it was about. */
export function defineDeletion({ type, subject, table, column, command }: Deletion): MutationDeclaration {
  const name = `${type.toLowerCase()}Id`
  const ownRow = preparedSql<{ subject: number }, { id: number; viewer: number }>(
    (slot) => sql`select ${sql.ref(column)} as subject from ${sql.table(table)}
      where id = ${slot('id')} and user_id = ${slot('viewer')}`,
  )
  return defineMutation({
    name: `delete${type}`,
    input: { [name]: 'ID!' },
    payload: [subject.toLowerCase(), subject],
    run: async (input, context) => {
      const id = numberIn(input, name, type)
      const { call, viewerId } = context
      const [row] = await ownRow(call.deps.readAs(viewerId), { id, viewer: viewerId })
      await runCommand(command, { id }, context)
      return row?.subject
    },
  })
}
