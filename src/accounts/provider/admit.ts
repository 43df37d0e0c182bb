import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import type { Language } from '../../messages/languages'
import type { Provider } from '../../options/providers'
import { FieldProblem } from '../../values/field-problem'
import { readIfValid } from '../../values/value'
import { spendInvitation } from '../account/invitation'
import { addRequest, type JoinAnswer, tellAdministrators } from '../account/join-request'
import { EntitlementUsed } from '../account/sign-up'
import { changeStanding } from '../account/standing'
import { emailKey, insertUser, usernameKey, usernameText } from '../account/user'
import { type Browser, noteSignIn } from '../sign-in/sign-ins'
import type { Arrival } from './claims'
import { connectIdentity, findIdentity, noteIdentityUsed, tellConnected } from './identity'
import { ProviderRefusal } from './refusal'

/** `choose`: no account yet, and a username must be chosen first. `waiting`: an administrator has not decided (D51). */
export type Admission =
  | { readonly outcome: 'waiting' }
  | { readonly outcome: 'in'; readonly userId: number; readonly identityId: number; readonly isNew: boolean }
  | { readonly outcome: 'choose' }

interface Entrance {
  readonly invitationId: number | null
  readonly browser: Browser
  readonly language: Language
  /** Of the request, for the log. */
  readonly id: string
}

/** Whether somebody may come in at all: groups decide first, at every sign-in (D103). Throws a `ProviderRefusal`. */
export function refuseStrangers({ groups }: Provider, arrival: Arrival): void {
  if (groups.length === 0 || isIn(groups, arrival)) return
  throw new ProviderRefusal('group', 'in none of the groups')
}

const isIn = (groups: readonly string[], arrival: Arrival): boolean =>
  groups.some((group) => arrival.groups.includes(group))

/**
 * Who somebody from a provider is here: groups, a known person, an address that both sides have confirmed, a new account, in
 * this order (D102, D103). Throws a `ProviderRefusal`.
 */
export async function admit(
  deps: Deps,
  provider: Provider,
  arrival: Arrival,
  entrance: Entrance,
): Promise<Admission> {
  refuseStrangers(provider, arrival)
  const known =
    (await findIdentity(deps.read, arrival)) ?? (await linkByEmail(deps, provider, arrival, entrance))
  if (known === undefined) return await admitNewcomer(deps, provider, arrival, entrance)
  const { id: identityId, user_id: userId, disabled_at, is_admin } = known
  if (disabled_at !== null) {
    const refused = {
      userId,
      way: 'provider',
      provider: provider.id,
      outcome: 'disabled',
      at: deps.now(),
    } as const
    await deps.write((tx) => noteSignIn(tx, { ...refused, browser: entrance.browser }))
    throw new ProviderRefusal('disabled', 'the account is disabled')
  }
  await adjustRights(deps, provider, arrival, { userId, isAdmin: is_admin === 1, id: entrance.id })
  await deps.write((tx) => noteIdentityUsed(tx, identityId, arrival, deps.now()))
  return { outcome: 'in', userId, identityId, isNew: false }
}

/** D102: both sides confirmed the address, and nobody gets an administrator's account or past a second step this way. */
async function linkByEmail(deps: Deps, provider: Provider, arrival: Arrival, { id, language }: Entrance) {
  if (!provider.linkByEmail || !arrival.isEmailVerified) return undefined
  const owner = await deps.read
    .selectFrom('users')
    .select(['id', 'has_passkey_step'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('second_factors')
          .select('user_id')
          .whereRef('second_factors.user_id', '=', 'users.id')
          .where('second_factors.confirmed_at', 'is not', null),
      ).as('has_factor'),
    )
    .where('email_key', '=', emailKey(arrival.email))
    .where('disabled_at', 'is', null)
    .where('is_admin', '=', 0)
    .executeTakeFirst()
  if (owner === undefined || owner.has_passkey_step === 1 || owner.has_factor === 1) return undefined
  const made = await deps.write((tx) => connectIdentity(tx, owner.id, arrival, deps.now()))
  if (made !== 'connected') return undefined
  deps.log('identity_connected', { id, user: owner.id, provider: provider.id, why: 'e-mail' })
  tellConnected(deps, owner.id, { name: provider.name, language })
  return await findIdentity(deps.read, arrival)
}

/** `admin-groups`, when set, give and take rights; the last administrator stays one. */
async function adjustRights(
  deps: Deps,
  { id: provider, adminGroups }: Provider,
  arrival: Arrival,
  { userId, isAdmin, id }: { userId: number; isAdmin: boolean; id: string },
): Promise<void> {
  if (adminGroups.length === 0 || isIn(adminGroups, arrival) === isAdmin) return
  const change = isAdmin ? 'demote' : 'promote'
  const outcome = await changeStanding(deps, userId, change)
  deps.log('standing', { id, user: userId, change, outcome, provider })
}

async function admitNewcomer(
  deps: Deps,
  provider: Provider,
  arrival: Arrival,
  { invitationId }: Entrance,
): Promise<Admission> {
  const { registration } = deps.config
  const isInvited = invitationId !== null && registration !== 'closed'
  const mayJoin = isInvited || provider.signUp || registration === 'open'
  if (!mayJoin && registration !== 'approve')
    throw new ProviderRefusal('unknown', 'no account, and none is made')
  if (await isWaiting(deps, arrival)) return { outcome: 'waiting' }
  const username = readIfValid(usernameText, arrival.username)
  if (!mayJoin || username === undefined) return { outcome: 'choose' }
  try {
    const made = await makeAccount(deps, provider, arrival, { username, invitationId })
    return { outcome: 'in', isNew: true, ...made }
  } catch (cause) {
    // Never the account of that name: its owner connects it while signed in.
    if (cause instanceof FieldProblem) return { outcome: 'choose' }
    throw cause
  }
}

/**
 * An account without a password. Throws a `FieldProblem` if the username is taken, a `ProviderRefusal` if the invitation is used
 * up and nothing else lets them in, or they have an account meanwhile.
 */
export async function makeAccount(
  deps: Deps,
  provider: Provider,
  arrival: Arrival,
  { username, invitationId }: { readonly username: string; readonly invitationId: number | null },
): Promise<{ readonly userId: number; readonly identityId: number }> {
  const { registration } = deps.config
  const needsInvitation = !provider.signUp && registration !== 'open'
  try {
    return await deps.write(async (tx) => {
      const at = deps.now()
      const spent = invitationId === null ? undefined : await spendInvitation(tx, invitationId, at)
      if (needsInvitation && spent === undefined) throw new EntitlementUsed()
      const userId = await insertUser(tx, {
        ...(await emailFor(tx, arrival)),
        ...{ username, username_key: usernameKey(username), name: username, password_hash: '' },
        is_admin: isIn(provider.adminGroups, arrival) ? 1 : 0,
        created_at: at,
        invited_by: spent?.invitedBy ?? null,
      })
      if ((await connectIdentity(tx, userId, arrival, at)) !== 'connected') throw new EntitlementUsed()
      const identity = await findIdentity(tx, arrival)
      if (identity === undefined) throw new EntitlementUsed()
      await noteIdentityUsed(tx, identity.id, arrival, at)
      return { userId, identityId: identity.id }
    })
  } catch (cause) {
    if (!(cause instanceof EntitlementUsed)) throw cause
    throw new ProviderRefusal('attempt', 'the invitation is used up, or there is an account meanwhile')
  }
}

async function isWaiting({ read }: Deps, { issuer, subject }: Arrival): Promise<boolean> {
  const waiting = await read
    .selectFrom('join_requests')
    .select('id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  return waiting !== undefined
}

/** With registration `approve`: asks the administrators, as whoever chose a password does. Throws a `FieldProblem`. */
export async function askForAccount(
  deps: Deps,
  { issuer, subject, name, ...arrival }: Arrival,
  { username, ...said }: JoinAnswer & { readonly username: string },
): Promise<void> {
  const identity = { issuer, subject, identity_name: name, password_hash: '', created_at: deps.now() }
  const account = { username, username_key: usernameKey(username), ...identity, ...said }
  await deps.write(async (tx) => addRequest(tx, { ...account, ...(await emailFor(tx, arrival)) }))
  await tellAdministrators(deps, said.language)
}

/** Confirmed only if the provider says so and nobody has it: an address made beforehand matches nobody (D102). */
async function emailFor(
  tx: Tx,
  { email, isEmailVerified }: Pick<Arrival, 'email' | 'isEmailVerified'>,
): Promise<{ readonly email: string; readonly email_key: string | null }> {
  if (!isEmailVerified) return { email, email_key: null }
  const heldIn = (table: 'users' | 'join_requests') =>
    tx.selectFrom(table).select('id').where('email_key', '=', emailKey(email)).executeTakeFirst()
  const isHeld = (await heldIn('users')) !== undefined || (await heldIn('join_requests')) !== undefined
  return { email, email_key: isHeld ? null : emailKey(email) }
}
