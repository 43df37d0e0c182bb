import type { Read } from '../../db/open'
import type { Tx, Write } from '../../db/write'
import type { Deps } from '../../deps'
import { hashSecret, type Random } from '../../lib/secret'
import { matchingStep, totpSecretLength } from '../../lib/totp'
import { endLinks } from './one-time-link'
import { beginAttempt, forgetAttempts, takeBackAttempt } from './throttle'
import { addressThrottle, factorThrottle } from './throttle-kinds'

/**
 * `appSince`: when an app was set up, in epoch milliseconds, null for none; `hasKeys`: whether passkeys serve as second step;
 * `codesLeft` counts recovery codes.
 */
export interface FactorStanding {
  readonly on: boolean
  readonly appSince: number | null
  readonly hasKeys: boolean
  readonly codesLeft: number
}

export async function factorStanding(read: Read | Tx, userId: number): Promise<FactorStanding> {
  const row = await read
    .selectFrom('users')
    .leftJoin('second_factors', 'second_factors.user_id', 'users.id')
    .select(['confirmed_at', 'has_passkey_step'])
    .select(({ selectFrom }) =>
      selectFrom('recovery_codes')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('recovery_codes.user_id', '=', 'users.id') // uses recovery_codes_user
        .as('codes_left'),
    )
    .where('users.id', '=', userId)
    .executeTakeFirst()
  const appSince = row?.confirmed_at ?? null
  const hasKeys = row?.has_passkey_step === 1
  return { on: appSince !== null || hasKeys, appSince, hasKeys, codesLeft: row?.codes_left ?? 0 }
}

/** Makes a new secret each time, so that an earlier one somebody saw is useless. A confirmed secret stays. */
export async function beginEnrolment(deps: { write: Write; random: Random }, userId: number): Promise<void> {
  const secret = Uint8Array.from(deps.random(totpSecretLength))
  await deps.write((tx) =>
    tx
      .insertInto('second_factors')
      .values({ user_id: userId, secret })
      .onConflict((conflict) =>
        conflict.column('user_id').doUpdateSet({ secret }).where('second_factors.confirmed_at', 'is', null),
      )
      .execute(),
  )
}

/** Undefined if no enrolment is pending. */
export async function secretToConfirm(read: Read, userId: number): Promise<Uint8Array | undefined> {
  const row = await read
    .selectFrom('second_factors')
    .select('secret')
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is', null)
    .executeTakeFirst()
  return row?.secret
}

/** Returns the recovery codes, none if passkeys brought some before; undefined if the code is wrong. */
export async function confirmEnrolment(
  deps: Pick<Deps, 'read' | 'write' | 'now' | 'random'>,
  userId: number,
  code: string,
): Promise<readonly string[] | undefined> {
  const secret = await secretToConfirm(deps.read, userId)
  if (secret === undefined) return undefined
  const at = deps.now()
  const step = await matchingStep(secret, code, { at, lastStep: 0 })
  if (step === undefined) return undefined
  return await deps.write(async (tx) => {
    const confirmed = await tx
      .updateTable('second_factors')
      .set({ confirmed_at: at, last_step: step })
      .where('user_id', '=', userId)
      .where('secret', '=', secret)
      .where('confirmed_at', 'is', null)
      .returning('user_id')
      .execute()
    if (confirmed.length === 0) return undefined
    const { hasKeys } = await factorStanding(tx, userId)
    return hasKeys ? [] : await renewRecoveryCodes(tx, userId, deps.random)
  })
}

/** Passkeys serve as second step from now on. Returns recovery codes, unless there was a second step before. */
export const turnOnPasskeyStep = (
  { write, random }: Pick<Deps, 'write' | 'random'>,
  userId: number,
): Promise<readonly string[] | undefined> =>
  write(async (tx) => {
    const { on } = await factorStanding(tx, userId)
    await tx.updateTable('users').set({ has_passkey_step: 1 }).where('id', '=', userId).execute()
    if (!on) return await renewRecoveryCodes(tx, userId, random)
    await endLinks(tx, userId)
  })

/** One of the two methods; the last one takes the recovery codes with it. */
export async function removeMethod(tx: Tx, userId: number, method: 'app' | 'passkeys'): Promise<void> {
  const { appSince, hasKeys } = await factorStanding(tx, userId)
  const isLast = method === 'app' ? !hasKeys : appSince === null
  if (isLast) return void (await removeSecondFactor(tx, userId))
  if (method === 'app') await tx.deleteFrom('second_factors').where('user_id', '=', userId).execute()
  else await tx.updateTable('users').set({ has_passkey_step: 0 }).where('id', '=', userId).execute()
  await endLinks(tx, userId)
}

const codeCount = 10

/** Also ends all links of the account. Codes have 24 digits of 5 bits: at 120 bits a plain hash suffices (ASVS 6.5.2). */
export async function renewRecoveryCodes(tx: Tx, userId: number, random: Random): Promise<readonly string[]> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute() // uses recovery_codes_user
  const codes = Array.from({ length: codeCount }, () => newCode(random))
  const rows = codes.map((code) => ({ user_id: userId, code_hash: hashSecret(code) }))
  await tx.insertInto('recovery_codes').values(rows).execute()
  await endLinks(tx, userId)
  return codes.map(grouped)
}

/** False if it is none of the user's codes. */
async function spendRecoveryCode(tx: Tx, userId: number, typed: string): Promise<boolean> {
  const code = readCode(typed)
  if (code === undefined) return false
  const spent = await tx
    .deleteFrom('recovery_codes')
    .where('code_hash', '=', hashSecret(code))
    .where('user_id', '=', userId)
    .returning('id')
    .execute()
  return spent.length > 0
}

function readCode(typed: string): string | undefined {
  const plain = typed.normalize('NFKC').toLowerCase().replaceAll(/[\s-]/g, '')
  const code = plain.replaceAll('o', '0').replaceAll(/[il]/g, '1')
  return /^[0-9a-hjkmnp-tv-z]{24}$/.test(code) ? code : undefined
}

// Crockford's base 32: no u, and no i, l or o, which are read as digits.
const digits = '0123456789abcdefghjkmnpqrstvwxyz'

const newCode = (random: Random) => Array.from(random(24), (byte) => digits.charAt(byte % 32)).join('')

const grouped = (code: string) => code.replaceAll(/(.{4})(?=.)/g, '$1-')

/** Both kinds, the app and passkeys. Returns whether it was on. */
export async function removeSecondFactor(tx: Tx, userId: number): Promise<boolean> {
  const { on } = await factorStanding(tx, userId)
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute() // uses recovery_codes_user
  await tx.deleteFrom('second_factors').where('user_id', '=', userId).execute()
  if (!on) return false
  await tx.updateTable('users').set({ has_passkey_step: 0 }).where('id', '=', userId).execute()
  await endLinks(tx, userId)
  return true
}

/** `wait` is in milliseconds. */
export type FactorOutcome =
  | { readonly outcome: 'ok' | 'wrong' }
  | { readonly outcome: 'wait'; readonly wait: number }

/** Uses up a TOTP or recovery code (ASVS 6.5.1). A correct password does not clear the failures. */
export async function checkSecondFactor(
  deps: Pick<Deps, 'read' | 'write' | 'now'>,
  { userId, code, address }: { userId: number; code: string; address: string },
): Promise<FactorOutcome> {
  const factor = factorThrottle(userId)
  const begun = await deps.write((tx) => beginAttempt(tx, [addressThrottle(address), factor], deps.now()))
  if (begun.wait > 0) return { outcome: 'wait', wait: begun.wait }
  if (!(await spendCode(deps, userId, code))) return { outcome: 'wrong' }
  await deps.write(async (tx) => {
    await takeBackAttempt(tx, begun)
    await forgetAttempts(tx, factor)
  })
  return { outcome: 'ok' }
}

async function spendCode(
  { read, write, now }: Pick<Deps, 'read' | 'write' | 'now'>,
  userId: number,
  code: string,
): Promise<boolean> {
  const factor = await read
    .selectFrom('second_factors')
    .select(['secret', 'last_step'])
    .where('user_id', '=', userId)
    .where('confirmed_at', 'is not', null)
    .executeTakeFirst()
  const lastStep = factor?.last_step ?? 0
  const step = factor && (await matchingStep(factor.secret, code, { at: now(), lastStep }))
  if (step === undefined) return await write((tx) => spendRecoveryCode(tx, userId, code))
  // Of several requests with the same code, only the first gets the time step.
  const taken = await write((tx) =>
    tx
      .updateTable('second_factors')
      .set({ last_step: step })
      .where('user_id', '=', userId)
      .where('last_step', '<', step)
      .where('confirmed_at', 'is not', null)
      .returning('user_id')
      .execute(),
  )
  return taken.length > 0
}
