import type { Read } from '../db/open'
import type { Tx } from '../db/write'
import { networkOf } from '../lib/network'
import { hashSecret } from '../lib/secret'

/** What is counted together (oauth.md §2.1): failed sign-ins, and what else strangers may not do without end. */
export interface Counted {
  readonly key: string
  /** Attempts before anybody has to wait. */
  readonly free: number
}

/** Failed sign-ins from one address, or one /64 of IPv6: many people may share one. */
export const byAddress = (address: string): Counted => ({ key: `address:${networkOf(address)}`, free: 20 })

/** Failed sign-ins for one account. */
export const byAccount = (account: string): Counted => ({ key: `account:${account}`, free: 5 })

/** Wrong codes of devices, from one address and by one account (RFC 8628 §5.1). */
export const codesFrom = (address: string): Counted => ({
  key: `device_from:${networkOf(address)}`,
  free: 20,
})
export const codesOf = (userId: number): Counted => ({ key: `device_of:${userId}`, free: 5 })
/** Failures of an account's second factor: apart from those of its password, which a thief of that would clear. */
export const byFactor = (userId: number): Counted => ({ key: `factor:${userId}`, free: 5 })
/** Accounts asked for from one address, made or not. */
export const signUpsFrom = (address: string): Counted => ({ key: `sign_up:${networkOf(address)}`, free: 10 })

/** Letters asked for from one address. */
export const mailFrom = (address: string): Counted => ({ key: `mail_from:${networkOf(address)}`, free: 10 })

/** Letters to one address or account, which others may ask for: nobody's letter box is to be filled by us. */
export const mailTo = (reader: string): Counted => ({ key: `mail_to:${digest(reader)}`, free: 3 })

/** A text that may be anything, as a key that is short and tells nothing. */
export const digest = (text: string): string =>
  Buffer.from(hashSecret(text.toLowerCase())).toString('base64url')

const forgottenAfter = 86_400_000
const longestWait = 15 * 60_000

/**
 * Counts an attempt as failed before it is made, so that many at once cannot all pass. Returns how many milliseconds
 * somebody has to wait before the next one instead, 0 when this one may be made. The wait doubles with each failure
 * and never becomes a lock: a stranger cannot shut the owner out for longer than a quarter of an hour.
 */
export async function beginAttempt(tx: Tx, counted: readonly Counted[], at: number): Promise<number> {
  const rows = await tx
    .selectFrom('throttles')
    .select(['key', 'failures', 'last_failed_at'])
    .where(
      'key',
      'in',
      counted.map(({ key }) => key),
    )
    .execute()
  const waits = rows.map((row) => {
    const { free } = counted.find(({ key }) => key === row.key) ?? { free: 0 }
    return row.last_failed_at + waitAfter(row.failures - free) - at
  })
  const wait = Math.max(0, ...waits)
  if (wait > 0) return wait
  await tx
    .deleteFrom('throttles')
    .where('last_failed_at', '<', at - forgottenAfter)
    .execute()
  for (const { key } of counted) await count(tx, key, at)
  return 0
}

/** What was counted for a key holds no more. */
export async function forgetAttempts(tx: Tx, { key }: Counted): Promise<void> {
  await tx.deleteFrom('throttles').where('key', '=', key).execute()
}

/** An attempt was no failure, so it is not counted; those before it are. */
export async function takeBackAttempt(tx: Tx, counted: readonly Counted[]): Promise<void> {
  const keys = counted.map(({ key }) => key)
  await tx.deleteFrom('throttles').where('key', 'in', keys).where('failures', '=', 1).execute()
  await tx
    .updateTable('throttles')
    .set((row) => ({ failures: row('failures', '-', 1) }))
    .where('key', 'in', keys)
    .execute()
}

/** How many failures are counted against a key. */
export async function failuresOf(read: Read, { key }: Counted): Promise<number> {
  const row = await read.selectFrom('throttles').select('failures').where('key', '=', key).executeTakeFirst()
  return row?.failures ?? 0
}

const count = (tx: Tx, key: string, at: number) =>
  tx
    .insertInto('throttles')
    .values({ key, failures: 1, last_failed_at: at })
    .onConflict((conflict) =>
      conflict.column('key').doUpdateSet((row) => ({
        failures: row('throttles.failures', '+', 1),
        last_failed_at: at,
      })),
    )
    .execute()

const waitAfter = (failures: number) =>
  failures < 0 ? 0 : Math.min(longestWait, 1000 * 2 ** Math.min(failures, 30))
