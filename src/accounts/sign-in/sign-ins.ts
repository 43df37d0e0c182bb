import { sql } from 'kysely'
import { deleteAllBut } from '../../db/delete-all-but'
import type { Read } from '../../db/open'
import type { Tx, Write } from '../../db/write'
import type { Deps } from '../../deps'
import { type Job, repeat } from '../../lib/repeat'
import { readOwn } from '../account/unread'
import { forgetOldChallenges } from '../passkeys/challenge'
import { forgetOldAttempts } from '../provider/attempt'

/** How long what was noted of sign-ins is kept, in milliseconds. */
const signInsTime = 90 * 86_400_000

/** Of those that succeeded, and as many of those that did not: guesses must not displace the former. */
const mostSignIns = 200

export type SignInWay = 'password' | 'passkey' | 'provider' | 'link'

export type SignInResult = 'ok' | 'new_browser' | 'wrong' | 'wrong_code' | 'disabled'

export interface Browser {
  readonly userAgent: string
  readonly address: string
}

/** `provider`: its id; `passkey`: its name; `step`: what was asked for after the password. */
export interface SignedInBy {
  readonly way: SignInWay
  readonly provider?: string
  readonly passkey?: string
  readonly step?: 'code' | 'passkey'
}

export interface NewSignIn extends SignedInBy {
  readonly userId: number
  readonly outcome: SignInResult
  readonly browser: Browser
  readonly at: number
}

/**
 * What happened at the door of an account, for its owner (`/settings/sign_ins`). Returns its id. For a user 0 the same is done,
 * and nothing noted.
 */
export async function noteSignIn(tx: Tx, made: NewSignIn): Promise<number | undefined> {
  const { userId, way, provider = '', passkey = '', step = '', outcome, browser, at } = made
  const values = {
    ...{ at, way, provider, passkey, second_step: step, outcome },
    ...{ user_agent: browser.userAgent, address: browser.address },
  }
  const cells = sql.join(Object.values(values))
  const columns = sql.join(Object.keys(values).map((name) => sql.ref(name)))
  const { rows } = await sql<{ id: number }>`
    insert into sign_ins (user_id, ${columns}) select id, ${cells} from users where id = ${userId} returning id`.execute(
    tx,
  )
  const isIn = sql`outcome in ('ok', 'new_browser')`
  const kind = outcome === 'ok' || outcome === 'new_browser' ? isIn : sql`not ${isIn}`
  const owned = sql`user_id = ${userId} and ${kind}` // uses sign_ins_user
  await deleteAllBut(tx, 'sign_ins', { owned, order: sql`id desc`, most: mostSignIns })
  return rows[0]?.id
}

/** For an attempt that was noted as wrong before the password was compared, and was right. */
export const dropSignIn = (tx: Tx, id: number): Promise<unknown> =>
  tx.deleteFrom('sign_ins').where('id', '=', id).execute()

/** Newest first, at most `most`. Times are epoch milliseconds. */
export function listSignIns(
  { read, now }: { read: Read; now(): number },
  userId: number,
  most = 2 * mostSignIns,
) {
  return read
    .selectFrom('sign_ins')
    .select(['id', 'at', 'way', 'provider', 'passkey', 'second_step', 'outcome', 'user_agent', 'address'])
    .$narrowType<{ way: SignInWay; outcome: SignInResult; second_step: '' | 'code' | 'passkey' }>()
    .where('user_id', '=', userId) // uses sign_ins_user
    .where('at', '>', now() - signInsTime)
    .orderBy('id', 'desc')
    .limit(most)
    .execute()
}

export type ListedSignIn = Awaited<ReturnType<typeof listSignIns>>[number]

/** The owner says that a new browser was theirs. False if that was not asked. */
export async function ownSignIn(tx: Tx, userId: number, id: number, at: number): Promise<boolean> {
  const own = await tx
    .updateTable('sign_ins')
    .set({ outcome: 'ok' })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('outcome', '=', 'new_browser')
    .returning('id')
    .execute()
  if (own.length > 0) await readOwn(tx, { user: userId, kind: 'new_browser', at })
  return own.length > 0
}

/** While the server runs, every ten minutes: what is longest kept of those who did not come back. */
export const startSignInSweep = (deps: Pick<Deps, 'write' | 'now' | 'log'>): Job =>
  repeat({
    work: () => sweepSignIns(deps),
    pauseMs: () => 600_000,
    failed: (cause) => deps.log('sweep_failed', { why: String(cause) }),
  })

/** Forgets in short writes what is too old, also attempts and challenges that can no longer be answered. */
export async function sweepSignIns({ write, now }: { write: Write; now(): number }): Promise<void> {
  await write(async (tx) => {
    await forgetOldAttempts(tx, now())
    await forgetOldChallenges(tx, now())
  })
  for (let deleted = mostAtOnce; deleted === mostAtOnce; ) {
    const before = now() - signInsTime
    deleted = await write(async (tx) => {
      const old = tx.selectFrom('sign_ins').select('id').where('at', '<=', before).limit(mostAtOnce) // uses sign_ins_age
      return (await tx.deleteFrom('sign_ins').where('id', 'in', old).returning('id').execute()).length
    })
  }
}

const mostAtOnce = 500
