import type { Read } from '../../db/open'
import type { Tx, Write } from '../../db/write'
import type { Deps } from '../../deps'
import type { Random } from '../../lib/secret'
import { matchingStep, totpSecretLength } from '../../lib/totp'
import { endLinks } from './one-time-link'
import { renewRecoveryCodes, spendRecoveryCode } from './recovery-codes'
import { beginAttempt, forgetAttempts, takeBackAttempt } from './throttle'
import { addressThrottle, factorThrottle } from './throttle-kinds'

/** `since` is in epoch milliseconds; `codesLeft` counts recovery codes. */
export type FactorStanding = { readonly on: false } | { readonly on: true; since: number; codesLeft: number }

export async function factorStanding(read: Read, userId: number): Promise<FactorStanding> {
  const row = await read
    .selectFrom('second_factors')
    .select('confirmed_at')
    .select(({ selectFrom }) =>
      selectFrom('recovery_codes')
        .select(({ fn }) => fn.countAll<number>().as('n'))
        .whereRef('recovery_codes.user_id', '=', 'second_factors.user_id') // uses recovery_codes_user
        .as('codes_left'),
    )
    .where('user_id', '=', userId)
    .executeTakeFirst()
  if (row === undefined || row.confirmed_at === null) return { on: false }
  return { on: true, since: row.confirmed_at, codesLeft: row.codes_left ?? 0 }
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

/** Returns the recovery codes, or undefined if the code is wrong. */
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
    return confirmed.length === 0 ? undefined : await renewRecoveryCodes(tx, userId, deps.random)
  })
}

/** Returns whether it was on. */
export async function removeSecondFactor(tx: Tx, userId: number): Promise<boolean> {
  await tx.deleteFrom('recovery_codes').where('user_id', '=', userId).execute() // uses recovery_codes_user
  const [removed] = await tx
    .deleteFrom('second_factors')
    .where('user_id', '=', userId)
    .returning('confirmed_at')
    .execute()
  if (removed === undefined || removed.confirmed_at === null) return false
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
  if (factor === undefined) return false
  const step = await matchingStep(factor.secret, code, { at: now(), lastStep: factor.last_step })
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
