import type { Tx } from '../../db/write'

/** Exponential back-off after failures under one key (oauth.md §2.1), in milliseconds. */
export interface Throttle {
  /** Begins with its kind, for example `address:`. */
  readonly key: string
  readonly freeAttempts: number
  /** Doubles with each further failure. */
  readonly firstWait: number
  readonly longestWait: number
  /** One failure is forgotten for each such period without another; at least `longestWait`. */
  readonly decayTime: number
}

interface Failures {
  readonly failures: number
  readonly last_failed_at: number
}

export interface Attempt {
  /** In milliseconds; 0 if the attempt may be made, which counts it. */
  readonly wait: number
  readonly changes: readonly {
    readonly key: string
    readonly before: Failures | undefined
    readonly after: Failures
  }[]
}

const forgottenAfter = 86_400_000

/** Counts the attempt before it is made, so that concurrent ones cannot all pass. Delays, but never locks out. */
export async function beginAttempt(tx: Tx, counted: readonly Throttle[], at: number): Promise<Attempt> {
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
    after: withFailure(one, one.before, at),
  }))
  for (const { key, after } of changes) await saveFailures(tx, key, after)
  for (const { key, before } of changes) if (before === undefined) await evictOldest(tx, key)
  return { wait, changes }
}

/** Limits how much guessing names can store (D53). */
export const mostKeys = 10_000

async function evictOldest(tx: Tx, key: string): Promise<void> {
  const kind = key.slice(0, key.indexOf(':'))
  const ofKind = tx
    .selectFrom('throttles')
    .where('key', '>', `${kind}:`)
    // ';' is the character after ':'.
    .where('key', '<', `${kind};`)
  const { n } = await ofKind.select(({ fn }) => fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  if (n <= mostKeys) return
  const oldest = ofKind
    .select('key')
    .orderBy('last_failed_at')
    .limit(n - mostKeys * 0.9)
  await tx.deleteFrom('throttles').where('key', 'in', oldest).where('key', '!=', key).execute()
}

export async function forgetAttempts(tx: Tx, { key }: Pick<Throttle, 'key'>): Promise<void> {
  await tx.deleteFrom('throttles').where('key', '=', key).execute()
}

/** For an attempt that did not fail. */
export async function takeBackAttempt(tx: Tx, { changes }: Attempt): Promise<void> {
  for (const { key, before, after } of changes) {
    const now = await failuresAt(tx, key)
    const isLast = now?.failures === after.failures && now.last_failed_at === after.last_failed_at
    // Attempts made in the meantime stay counted.
    const left = isLast ? before : now && { ...now, failures: now.failures - 1 }
    if (left === undefined || left.failures === 0) await forgetAttempts(tx, { key })
    else await saveFailures(tx, key, left)
  }
}

const failuresAt = (tx: Tx, key: string): Promise<Failures | undefined> =>
  tx.selectFrom('throttles').select(['failures', 'last_failed_at']).where('key', '=', key).executeTakeFirst()

const saveFailures = (tx: Tx, key: string, failures: Failures) =>
  tx
    .insertInto('throttles')
    .values({ key, ...failures })
    .onConflict((conflict) => conflict.column('key').doUpdateSet(failures))
    .execute()

/** Failures beyond those that give the longest wait are not counted. */
function withFailure(
  { freeAttempts, firstWait, longestWait, decayTime }: Throttle,
  before: Failures | undefined,
  at: number,
): Failures {
  const { failures, last_failed_at } = before ?? { failures: 0, last_failed_at: at }
  const forgotten = Math.max(0, Math.floor((at - last_failed_at) / decayTime))
  const most = freeAttempts + Math.ceil(Math.log2(longestWait / firstWait))
  return { failures: Math.min(most, Math.max(0, failures - forgotten) + 1), last_failed_at: at }
}

function waitLeft(
  { freeAttempts, firstWait, longestWait }: Throttle,
  before: Failures | undefined,
  at: number,
): number {
  if (before === undefined || before.failures < freeAttempts) return 0
  const wait = Math.min(longestWait, firstWait * 2 ** (before.failures - freeAttempts))
  // The clock may have been set back since then.
  return Math.min(wait, before.last_failed_at + wait - at)
}
