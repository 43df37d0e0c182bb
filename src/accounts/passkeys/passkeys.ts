import type { Read } from '../../db/open'
import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import { passkeyAddedLetter, passkeyCopiedLetter, passkeyRemovedLetter } from '../../mail/letters'
import type { Language } from '../../messages/languages'
import { FieldProblem, valid } from '../../values/field-problem'
import { lineOfText } from '../../values/text'
import { tellOwner } from '../account/tell-owner'
import { endLinks } from '../sign-in/one-time-link'
import { factorStanding } from '../sign-in/second-factor'
import { endSessions } from '../sign-in/session'
import { refuseLastWay, wayRules } from '../sign-in/ways-in'
import { PasskeyRefused, spendChallenge } from './challenge'
import type { Assertion, NewCredential } from './credential'

const mostPasskeys = 20

const passkeyName = lineOfText(50, (t) => t.rules.passkeyName)

/** Oldest first. Times are epoch milliseconds, null for never. */
export const listPasskeys = (read: Read | Tx, userId: number) =>
  read
    .selectFrom('passkeys')
    .select(['id', 'credential_id', 'rp_id', 'name', 'is_backed_up', 'is_verified', 'transports'])
    .select(['created_at', 'last_used_at'])
    .where('user_id', '=', userId) // uses passkeys_user
    .orderBy('id')
    .execute()

export type ListedPasskey = Awaited<ReturnType<typeof listPasskeys>>[number]

/** Who the person is to their devices: 32 random bytes that say nothing about the account; undefined before the first passkey. */
export async function passkeyHandle(db: Read | Tx, userId: number): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('users')
    .select('passkey_handle')
    .where('id', '=', userId)
    .executeTakeFirst()
  return row?.passkey_handle ?? undefined
}

export interface AddedPasskey {
  readonly userId: number
  readonly credential: NewCredential
  /** What the device was told; becomes the account's, unless it has one. */
  readonly handle: Uint8Array
  readonly rpId: string
  readonly name: string
  readonly language: Language
}

/** Returns its id. Throws `PasskeyRefused` for a challenge or a key that is known, a `FieldProblem` at the limit. */
export async function addPasskey(deps: Deps, added: AddedPasskey): Promise<number> {
  const { userId, credential, handle, rpId, name, language } = added
  const at = deps.now()
  const id = await deps.write(async (tx) => {
    if (!(await spendChallenge(tx, credential.challenge, at))) throw new PasskeyRefused('replayed')
    if ((await listPasskeys(tx, userId)).length >= mostPasskeys)
      throw new FieldProblem('data', '', (t) => t.rules.mostPasskeys(mostPasskeys))
    await setHandle(tx, userId, handle)
    const [made] = await tx
      .insertInto('passkeys')
      .values({
        ...{ user_id: userId, credential_id: credential.id, public_key: credential.publicKey, rp_id: rpId },
        ...{ name, counter: credential.counter, transports: credential.transports, created_at: at },
        is_eligible: Number(credential.isEligible),
        is_backed_up: Number(credential.isBackedUp),
        is_verified: Number(credential.isVerified),
      })
      .onConflict((conflict) => conflict.column('credential_id').doNothing())
      .returning('id')
      .execute()
    if (made === undefined) throw new PasskeyRefused('known')
    await endLinks(tx, userId)
    return made.id
  })
  tellOwner(deps, userId, { letter: passkeyAddedLetter(name), language })
  return id
}

/** Throws `PasskeyRefused` for another than the account has: the device could not sign in. */
async function setHandle(tx: Tx, userId: number, handle: Uint8Array): Promise<void> {
  const own = await passkeyHandle(tx, userId)
  if (own === undefined && handle.length === 32)
    return void (await tx
      .updateTable('users')
      .set({ passkey_handle: handle })
      .where('id', '=', userId)
      .execute())
  if (own === undefined || !Buffer.from(own).equals(handle)) throw new PasskeyRefused('user handle')
}

/** Throws a `FieldProblem`. False if it is nobody's or another's. */
export async function renamePasskey(
  { write }: Pick<Deps, 'write'>,
  { userId, id, name }: { readonly userId: number; readonly id: number; readonly name: string },
): Promise<boolean> {
  valid('name', passkeyName, name)
  const renamed = await write((tx) =>
    tx
      .updateTable('passkeys')
      .set({ name })
      .where('id', '=', id)
      .where('user_id', '=', userId)
      .returning('id')
      .execute(),
  )
  return renamed.length > 0
}

/**
 * Ends the other sessions that began with it. Throws a `FieldProblem` for the last way in (D100) and for the only key of the second
 * step. False if it is nobody's or another's.
 */
export async function removePasskey(
  deps: Deps,
  {
    userId,
    id,
    sessionId,
    language,
  }: {
    readonly userId: number
    readonly id: number
    readonly sessionId: number
    readonly language: Language
  },
): Promise<boolean> {
  const rules = wayRules(deps.config)
  const removed = await deps.write(async (tx) => {
    const all = await listPasskeys(tx, userId)
    const one = all.find((passkey) => passkey.id === id)
    if (one === undefined) return undefined
    await refuseLastWay(tx, { userId, rules, leaving: { way: 'passkey', id } })
    const { hasKeys } = await factorStanding(tx, userId)
    const works = all.filter(({ rp_id }) => rp_id === rules.rpId)
    if (hasKeys && works.length === 1 && works[0]?.id === id)
      throw new FieldProblem('data', '', (t) => t.passkeys.onlyKey)
    await endSessions(tx, userId, { except: sessionId, passkeyId: id })
    await tx.deleteFrom('passkeys').where('id', '=', id).execute()
    await endLinks(tx, userId)
    return one
  })
  if (removed === undefined) return false
  tellOwner(deps, userId, { letter: passkeyRemovedLetter(removed.name), language })
  return true
}

export interface FoundPasskey {
  readonly id: number
  readonly userId: number
  readonly name: string
  readonly isDisabled: boolean
}

/**
 * Whose key signed the answer. `userId`: of whom it must be, undefined for anyone; `isAlone`: without a password before it, for
 * which it must have proved its holder when nothing else was at stake. Throws `PasskeyRefused`.
 */
export async function findSigner(
  { read }: Pick<Deps, 'read'>,
  answer: Assertion,
  {
    rpId,
    userId,
    isAlone,
  }: { readonly rpId: string; readonly userId: number | undefined; readonly isAlone: boolean },
): Promise<FoundPasskey> {
  const row = await read
    .selectFrom('passkeys')
    .innerJoin('users', 'users.id', 'user_id')
    .select(['passkeys.id', 'user_id', 'passkeys.name', 'public_key', 'is_eligible', 'is_verified'])
    .select(['passkey_handle', 'disabled_at', 'has_passkey_step'])
    .where('credential_id', '=', answer.id)
    .where('rp_id', '=', rpId)
    .executeTakeFirst()
  if (row === undefined) throw new PasskeyRefused('unknown')
  if (userId !== undefined && row.user_id !== userId) throw new PasskeyRefused('of another')
  const { userHandle } = answer
  if (userHandle !== undefined && !Buffer.from(userHandle).equals(row.passkey_handle ?? new Uint8Array()))
    throw new PasskeyRefused('user handle')
  if (isAlone && userHandle === undefined && userId === undefined) throw new PasskeyRefused('no user handle')
  if ((row.is_eligible === 1) !== answer.isEligible) throw new PasskeyRefused('backup')
  if (!isAlone && row.has_passkey_step === 0) throw new PasskeyRefused('no second step')
  // Whoever finds a security key can give it a PIN: only its owner, after the password, makes it more than a second step.
  if (isAlone && row.is_verified === 0) throw new PasskeyRefused('second step only')
  if (!answer.isSignedBy(row.public_key)) throw new PasskeyRefused('signature')
  return { id: row.id, userId: row.user_id, name: row.name, isDisabled: row.disabled_at !== null }
}

/**
 * In the write that lets its holder in: the challenge is spent and the counter grows, so of several requests with the same answer one
 * gets through. Throws `PasskeyRefused`, with `copied` for a counter that did not grow (WebAuthn level 3, §6.1.1).
 */
export async function acceptAssertion(tx: Tx, id: number, answer: Assertion, at: number): Promise<void> {
  if (!(await spendChallenge(tx, answer.challenge, at))) throw new PasskeyRefused('replayed')
  const row = await tx
    .selectFrom('passkeys')
    .select(['counter', 'is_verified'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (row === undefined) throw new PasskeyRefused('unknown')
  const counts = row.counter !== 0 || answer.counter !== 0
  if (counts && answer.counter <= row.counter) throw new PasskeyRefused('copied')
  const is_verified = row.is_verified === 1 || answer.isVerified ? 1 : 0
  await tx
    .updateTable('passkeys')
    .set({ counter: answer.counter, last_used_at: at, is_backed_up: Number(answer.isBackedUp), is_verified })
    .where('id', '=', id)
    .execute()
}

/** Two devices have the same key: its owner learns of it. */
export function tellOfCopy(deps: Deps, { userId, name }: FoundPasskey, language: Language): void {
  tellOwner(deps, userId, { letter: passkeyCopiedLetter(name), language })
}
