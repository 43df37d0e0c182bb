import type { Endpoint } from '../../api/endpoint'
import { notFound } from '../../http/errors'
import type { RawValues } from '../../http/request-values'
import type { Context } from '../declare/field'
import { fromGlobalId } from '../declare/global-id'
import type { Input } from '../declare/mutation'

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
