import type { Tx } from '../../db/write'

/** What is counted together (oauth.md §2.1): failed sign-ins, and what else strangers may not do without end. */
export interface Counted {
  /** Begins with its kind, as `address:`. */
  readonly key: string
  /** Attempts before anybody has to wait. */
  readonly free: number
  /** How long to wait after the last of those, in milliseconds; twice as long after each further one. */
  readonly firstWait: number
  /** How long anybody has to wait at most, in milliseconds. */
  readonly longestWait: number
  /** One failure is forgotten for each time this long without another, in milliseconds; not shorter than the longest wait. */
  readonly forgetsOneIn: number
}

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
  for (const { key, before } of changes) if (before === undefined) await makeRoom(tx, key)
  return { wait, changes }
}

/** How many keys of a kind are remembered: whoever tries names or addresses without end fills no disk (D53). */
export const mostKeys = 10_000

/** Forgets those of a key's kind whose last failure is longest ago, a tenth at once, where there are too many. */
async function makeRoom(tx: Tx, key: string): Promise<void> {
  const kind = key.slice(0, key.indexOf(':'))
  const ofKind = tx
    .selectFrom('throttles')
    .where('key', '>', `${kind}:`)
    // The character that comes after the colon.
    .where('key', '<', `${kind};`)
  const { n } = await ofKind.select(({ fn }) => fn.countAll<number>().as('n')).executeTakeFirstOrThrow()
  if (n <= mostKeys) return
  const oldest = ofKind
    .select('key')
    .orderBy('last_failed_at')
    .limit(n - mostKeys * 0.9)
  await tx.deleteFrom('throttles').where('key', 'in', oldest).where('key', '!=', key).execute()
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
  { free, firstWait, longestWait, forgetsOneIn }: Counted,
  before: Failures | undefined,
  at: number,
): Failures {
  const { failures, last_failed_at } = before ?? { failures: 0, last_failed_at: at }
  const forgotten = Math.max(0, Math.floor((at - last_failed_at) / forgetsOneIn))
  const most = free + Math.ceil(Math.log2(longestWait / firstWait))
  return { failures: Math.min(most, Math.max(0, failures - forgotten) + 1), last_failed_at: at }
}

function waitLeft(
  { free, firstWait, longestWait }: Counted,
  before: Failures | undefined,
  at: number,
): number {
  if (before === undefined || before.failures < free) return 0
  const wait = Math.min(longestWait, firstWait * 2 ** (before.failures - free))
  // The clock may have been set back since.
  return Math.min(wait, before.last_failed_at + wait - at)
}
