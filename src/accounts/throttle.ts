import type { Tx } from '../db/write'
import { networkOf } from '../lib/network'
import { hashSecret } from '../lib/secret'

/** What is counted together (oauth.md §2.1): failed sign-ins, and what else strangers may not do without end. */
export interface Counted {
  readonly key: string
  /** Attempts before anybody has to wait. */
  readonly free: number
  /** How long anybody has to wait at most, in milliseconds. */
  readonly longestWait: number
  /** One failure is forgotten for each time this long without another, in milliseconds; not shorter than the longest wait. */
  readonly forgetsOneIn: number
}

const minute = 60_000
/** What one person does or has done to them: guessing ends, and the owner gets in within a quarter of an hour. */
const ofOne = { longestWait: 15 * minute, forgetsOneIn: 60 * minute }
/** Where many people may be behind one address, those who did nothing wrong are not to wait for long. */
const ofMany = { longestWait: minute, forgetsOneIn: minute }

/** Failed sign-ins from one address, or one /64 of IPv6, also on a browser that is known: what waits is short. */
export const byAddress = (address: string): Counted => ({
  key: `address:${networkOf(address)}`,
  free: 20,
  ...ofMany,
})

/** Failed sign-ins for one account. */
export const byAccount = (account: string): Counted => ({ key: `account:${account}`, free: 5, ...ofOne })

/** Wrong codes of devices, from one address (RFC 8628 §5.1). */
export const codesFrom = (address: string): Counted => ({
  key: `device_from:${networkOf(address)}`,
  free: 20,
  ...ofMany,
})
/** The same by one account. */
export const codesOf = (userId: number): Counted => ({ key: `device_of:${userId}`, free: 5, ...ofOne })

/** Failures of an account's second factor: apart from those of its password, which a thief of that would clear. */
export const byFactor = (userId: number): Counted => ({ key: `factor:${userId}`, free: 5, ...ofOne })

/** Accounts asked for from one address, made or not: ten an hour before anybody waits. */
export const signUpsFrom = (address: string): Counted => ({
  key: `sign_up:${networkOf(address)}`,
  free: 10,
  longestWait: minute,
  forgetsOneIn: 6 * minute,
})

/** Letters asked for from one address. */
export const mailFrom = (address: string): Counted => ({
  key: `mail_from:${networkOf(address)}`,
  free: 10,
  ...ofOne,
})

/** Letters to one address or account, which others may ask for: nobody's letter box is to be filled by us. */
export const mailTo = (reader: string): Counted => ({ key: `mail_to:${digest(reader)}`, free: 3, ...ofOne })

/** A text that may be anything, as a key that is short and tells nothing. */
export const digest = (text: string): string =>
  Buffer.from(hashSecret(text.toLowerCase())).toString('base64url')

/** What is kept of a key: how many failures held at the last of them. */
interface Failures {
  readonly failures: number
  readonly last_failed_at: number
}

/** An attempt that was asked for. */
export interface Attempt {
  /** How many milliseconds somebody has to wait instead; 0 when it may be made, and is counted. */
  readonly wait: number
  /** What was kept of each key before it, and what since. */
  readonly changes: readonly {
    readonly key: string
    readonly before: Failures | undefined
    readonly after: Failures
  }[]
}

/** After this nothing is left of any key's failures. */
const forgottenAfter = 86_400_000

/**
 * Counts an attempt as failed before it is made, so that many at once cannot all pass. The wait doubles with each failure
 * and never becomes a lock: a stranger cannot shut the owner out for longer than a quarter of an hour.
 */
export async function beginAttempt(tx: Tx, counted: readonly Counted[], at: number): Promise<Attempt> {
  const found = await Promise.all(
    counted.map(async (one) => ({ ...one, before: await failuresAt(tx, one.key) })),
  )
  const wait = Math.max(0, ...found.map((one) => waitLeft(one, one.before, at)))
  if (wait > 0) return { wait, changes: [] }
  await tx
    .deleteFrom('throttles')
    .where('last_failed_at', '<', at - forgottenAfter)
    .execute()
  const changes = found.map((one) => ({
    key: one.key,
    before: one.before,
    after: oneMore(one, one.before, at),
  }))
  for (const { key, after } of changes) await keep(tx, key, after)
  return { wait, changes }
}

/** What was counted for a key holds no more. */
export async function forgetAttempts(tx: Tx, { key }: Pick<Counted, 'key'>): Promise<void> {
  await tx.deleteFrom('throttles').where('key', '=', key).execute()
}

/** An attempt was no failure: it leaves no trace, neither in the count nor in the time from which others wait. */
export async function takeBackAttempt(tx: Tx, { changes }: Attempt): Promise<void> {
  for (const { key, before, after } of changes) {
    const now = await failuresAt(tx, key)
    const isLast = now?.failures === after.failures && now.last_failed_at === after.last_failed_at
    // Those that came meanwhile stay counted, from when they came.
    const left = isLast ? before : now && { ...now, failures: now.failures - 1 }
    if (left === undefined || left.failures === 0) await forgetAttempts(tx, { key })
    else await keep(tx, key, left)
  }
}

const failuresAt = (tx: Tx, key: string): Promise<Failures | undefined> =>
  tx.selectFrom('throttles').select(['failures', 'last_failed_at']).where('key', '=', key).executeTakeFirst()

const keep = (tx: Tx, key: string, failures: Failures) =>
  tx
    .insertInto('throttles')
    .values({ key, ...failures })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(failures))
    .execute()

/** More failures than make the longest wait are not counted: they would only take longer to be forgotten. */
function oneMore(
  { free, longestWait, forgetsOneIn }: Counted,
  before: Failures | undefined,
  at: number,
): Failures {
  const { failures, last_failed_at } = before ?? { failures: 0, last_failed_at: at }
  const forgotten = Math.max(0, Math.floor((at - last_failed_at) / forgetsOneIn))
  const most = free + Math.ceil(Math.log2(longestWait / 1000))
  return { failures: Math.min(most, Math.max(0, failures - forgotten) + 1), last_failed_at: at }
}

function waitLeft({ free, longestWait }: Counted, before: Failures | undefined, at: number): number {
  if (before === undefined || before.failures < free) return 0
  const wait = Math.min(longestWait, 1000 * 2 ** (before.failures - free))
  // The clock may have been set back since.
  return Math.min(wait, before.last_failed_at + wait - at)
}
