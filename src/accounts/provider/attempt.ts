import { sql } from 'kysely'
import { deleteAllBut } from '../../db/delete-all-but'
import type { Read } from '../../db/open'
import type { Tx } from '../../db/write'
import { networkOf } from '../../lib/network'
import { hashSecret, type Random, sameHash } from '../../lib/secret'
import type { Arrival } from './claims'
import type { AttemptSecrets } from './protocol'

/** How long somebody may stay at the provider, in milliseconds. */
const attemptTime = 600_000

/** Of one network, and in all: strangers fill this table. The oldest give way. */
const mostAttempts = { ofNetwork: 50, inAll: 2000 }

const longestReturn = 8192

export interface ProviderAttempt {
  /** The id of the provider. */
  readonly provider: string
  readonly purpose: 'sign_in' | 'connect' | 'confirm'
  /** Of the member who connects or confirms. */
  readonly sessionId: number | null
  readonly invitationId: number | null
  readonly returnTo: string
  /** The cookie of the browser that leaves. */
  readonly cookie: string
}

interface AttemptOrigin {
  readonly peer: string
  readonly at: number
}

/** Forgets those that are over. */
export const saveAttempt = (
  tx: Tx,
  attempt: ProviderAttempt,
  { secrets, ...origin }: AttemptOrigin & { readonly secrets: AttemptSecrets },
): Promise<void> => insert(tx, attempt, { ...secrets, person: null, ...origin })

async function insert(
  tx: Tx,
  attempt: ProviderAttempt,
  { peer, at, state, ...secrets }: AttemptOrigin & AttemptSecrets & { readonly person: string | null },
): Promise<void> {
  const { provider, purpose, sessionId, invitationId, returnTo, cookie } = attempt
  const network = networkOf(peer)
  await forgetOldAttempts(tx, at)
  await tx
    .insertInto('provider_attempts')
    .values({
      ...{ state_hash: hashSecret(state), browser_hash: hashSecret(cookie), ...secrets, provider, purpose },
      ...{ session_id: sessionId, invitation_id: invitationId, network, created_at: at },
      return_to: returnTo.length > longestReturn ? '/' : returnTo,
    })
    .execute()
  const order = sql`id desc`
  const ofNetwork = sql`network = ${network}` // uses provider_attempts_network
  await deleteAllBut(tx, 'provider_attempts', { owned: ofNetwork, order, most: mostAttempts.ofNetwork })
  await deleteAllBut(tx, 'provider_attempts', { owned: sql`true`, order, most: mostAttempts.inAll })
}

/** Those that nobody can come back to, with what providers said of newcomers. */
export const forgetOldAttempts = (tx: Tx, at: number): Promise<unknown> =>
  tx
    .deleteFrom('provider_attempts')
    .where('created_at', '<=', at - attemptTime) // uses provider_attempts_age
    .execute()

export interface TakenAttempt extends Omit<ProviderAttempt, 'cookie'> {
  readonly secrets: AttemptSecrets
  /** In epoch milliseconds. */
  readonly begunAt: number
}

/** Once. Undefined if it is unknown or over, for another provider, or was begun in another browser. */
export async function takeAttempt(
  tx: Tx,
  { state, provider, cookie, at }: { state: string; provider: string; cookie: string; at: number },
): Promise<TakenAttempt | undefined> {
  const [row] = await tx
    .deleteFrom('provider_attempts')
    .where('state_hash', '=', hashSecret(state))
    .where('person', 'is', null)
    .returning(['provider', 'purpose', 'session_id', 'invitation_id', 'return_to', 'browser_hash'])
    .returning(['nonce', 'verifier', 'created_at'])
    .execute()
  if (row === undefined || row.provider !== provider || row.created_at <= at - attemptTime) return undefined
  if (!sameHash(row.browser_hash, hashSecret(cookie))) return undefined
  const { nonce, verifier, purpose, session_id, invitation_id, return_to, created_at } = row
  return {
    ...{ provider, purpose: purposeOf(purpose), sessionId: session_id, invitationId: invitation_id },
    ...{ returnTo: return_to, begunAt: created_at, secrets: { state, nonce, verifier } },
  }
}

const purposeOf = (text: string) => (text === 'connect' || text === 'confirm' ? text : 'sign_in')

/** Somebody new who has still to choose a username, in the same browser and within the same time. */
export interface Newcomer {
  readonly arrival: Arrival
  readonly provider: string
  readonly invitationId: number | null
  readonly returnTo: string
}

/** One for each browser. */
export async function saveNewcomer(
  tx: Tx,
  { arrival, cookie, ...newcomer }: Newcomer & { readonly cookie: string },
  { random, ...origin }: AttemptOrigin & { readonly random: Random },
): Promise<void> {
  await forgetNewcomer(tx, cookie)
  const secrets = { state: Buffer.from(random(32)).toString('base64url'), nonce: '', verifier: '' }
  const attempt = { ...newcomer, cookie, purpose: 'sign_in', sessionId: null } as const
  await insert(tx, attempt, { ...secrets, person: JSON.stringify(arrival), ...origin })
}

export async function findNewcomer(
  read: Read,
  { cookie, at }: { cookie: string; at: number },
): Promise<Newcomer | undefined> {
  const row = await read
    .selectFrom('provider_attempts')
    .select(['provider', 'invitation_id', 'return_to', 'person'])
    .where('browser_hash', '=', hashSecret(cookie)) // uses provider_attempts_newcomer
    .where('person', 'is not', null)
    .where('created_at', '>', at - attemptTime)
    .executeTakeFirst()
  if (row?.person == null) return undefined
  const arrival: Arrival = JSON.parse(row.person)
  return { arrival, provider: row.provider, invitationId: row.invitation_id, returnTo: row.return_to }
}

export const forgetNewcomer = (tx: Tx, cookie: string): Promise<unknown> =>
  tx
    .deleteFrom('provider_attempts')
    .where('browser_hash', '=', hashSecret(cookie)) // uses provider_attempts_newcomer
    .where('person', 'is not', null)
    .execute()
