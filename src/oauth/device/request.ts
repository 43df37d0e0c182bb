import type { TokenScope } from '../../accounts/token'
import type { Tx } from '../../db/write'
import { createSecret, hashSecret, type Random } from '../../lib/secret'
import { parseScope } from '../scope'
import { type IssuedToken, issueToken } from '../token/access-token'

export interface DeviceRequest {
  readonly applicationId: number
  readonly scope: TokenScope
}

/** RFC 8628 §3.2: the device polls with one, the user types the other. */
export interface DeviceCodes {
  readonly deviceCode: string
  readonly userCode: string
}

/** In milliseconds. */
export const codeLifetime = 600_000

/** In seconds; `slowerBy` is added after each poll that comes too early. */
export const firstInterval = 5
const slowerBy = 5

/** For how long a device is told that its code has expired, in milliseconds. */
const rememberedFor = 86_400_000

export async function saveDeviceRequest(
  tx: Tx,
  asked: DeviceRequest,
  random: Random,
  at: number,
): Promise<DeviceCodes> {
  await tx
    .deleteFrom('device_grants')
    .where('expires_at', '<=', at - rememberedFor) // uses device_grants_expires
    .execute()
  const codes = { deviceCode: createSecret('dc', random), userCode: createUserCode(random) }
  const kept = await tx
    .insertInto('device_grants')
    .values({
      device_code_hash: hashSecret(codes.deviceCode),
      user_code_hash: hashSecret(codes.userCode),
      application_id: asked.applicationId,
      scope: asked.scope,
      created_at: at,
      expires_at: at + codeLifetime,
      interval: firstInterval,
    })
    .onConflict((conflict) => conflict.column('user_code_hash').doNothing())
    .returning('id')
    .executeTakeFirst()
  // User codes are short: the new one may already be in use.
  return kept === undefined ? await saveDeviceRequest(tx, asked, random, at) : codes
}

/** 20 consonants: no words, no look-alikes; 34 bits withstand 10 minutes of throttled guesses (RFC 8628 §6.1, §5.1). */
function createUserCode(random: Random): string {
  let code = ''
  while (code.length < length) {
    // 240 is the largest multiple of 20 that fits in a byte: higher bytes would favour the first letters.
    for (const byte of random(16)) if (byte < 240 && code.length < length) code += letters.charAt(byte % 20)
  }
  return code
}

export const readUserCode = (text: string): string =>
  [...text.normalize('NFKC').toUpperCase()].filter((letter) => letters.includes(letter)).join('')

export const shownUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8

export type PollOutcome =
  | { readonly outcome: 'issued'; readonly issued: IssuedToken }
  | { readonly outcome: 'pending' | 'slow_down' | 'denied' | 'expired' | 'unknown' }

/** RFC 8628 §3.4, §3.5 */
export async function pollDeviceRequest(
  tx: Tx,
  { deviceCode, applicationId }: { readonly deviceCode: string; readonly applicationId: number },
  random: Random,
  at: number,
): Promise<PollOutcome> {
  const request = await findByDevice(tx, deviceCode, applicationId)
  if (request === undefined) return { outcome: 'unknown' }
  if (request.expires_at <= at) return { outcome: 'expired' }
  if (request.decision === null || request.user_id === null) return await recordPoll(tx, request, at)
  if (request.decision === 'deny') return { outcome: 'denied' }
  await tx.deleteFrom('device_grants').where('id', '=', request.id).execute()
  const granted = { applicationId, userId: request.user_id, scope: parseScope(request.scope) ?? 'read' }
  return { outcome: 'issued', issued: await issueToken(tx, granted, random, at) }
}

/** Undefined also if the user who approved it has been disabled. */
const findByDevice = (tx: Tx, deviceCode: string, applicationId: number) =>
  tx
    .selectFrom('device_grants')
    .leftJoin('users', 'users.id', 'user_id')
    .select(['device_grants.id', 'user_id', 'decision', 'scope', 'expires_at', 'interval', 'last_polled_at'])
    .where('device_code_hash', '=', hashSecret(deviceCode))
    .where('application_id', '=', applicationId)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()

/** A device that polls too often gets a longer interval (`slow_down`). */
async function recordPoll(
  tx: Tx,
  request: { id: number; interval: number; last_polled_at: number | null },
  at: number,
): Promise<PollOutcome> {
  const { id, interval, last_polled_at } = request
  const isTooEarly = last_polled_at !== null && at - last_polled_at < interval * 1000
  await tx
    .updateTable('device_grants')
    .set({ last_polled_at: at, interval: isTooEarly ? interval + slowerBy : interval })
    .where('id', '=', id)
    .execute()
  return { outcome: isTooEarly ? 'slow_down' : 'pending' }
}
