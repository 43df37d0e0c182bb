import { sql } from 'kysely'
import { keepFirst } from '../../db/keep-first'
import type { Read } from '../../db/open'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Tx, Write } from '../../db/write'
import { checkSecret, createSecret, hashSecret, type Random } from '../../lib/secret'
import { type Language, languages } from '../../messages/languages'

const day = 86_400_000

/** How long a session lasts unused, and at most, in milliseconds (oauth.md §2.2). */
const idleTime = 14 * day
export const longestTime = 90 * day

/** How many sessions a user has at once; where there is one more, the one unused for longest ends. */
const mostSessions = 100

/** How long after the password the second factor may come, in milliseconds. */
const factorTime = 10 * 60_000

/** Somebody who is signed in. Times are epoch milliseconds. */
export interface Session {
  readonly id: number
  readonly userId: number
  readonly username: string
  readonly isAdmin: boolean
  /** Whether two-step verification is on. */
  readonly hasFactor: boolean
  /** Null: as the browser asks. */
  readonly language: Language | null
  /** When the user last proved to be there. */
  readonly confirmedAt: number
  readonly lastUsedAt: number
}

/** Where somebody signs in from. */
export interface Browser {
  readonly userAgent: string
  readonly address: string
}

/** The session of a cookie's value; undefined when it is over, unknown, or its user is disabled. */
export async function findSession(
  { read, now }: { read: Read; now(): number },
  cookie: string,
): Promise<Session | undefined> {
  if (!checkSecret('se', cookie)) return undefined
  const at = now()
  const limits = { used: at - idleTime, made: at - longestTime }
  const [row] = await sessionRow(read, { hash: hashSecret(cookie), ...limits })
  if (row === undefined) return undefined
  const { id, user_id, username, is_admin, has_factor, language, confirmed_at, last_used_at } = row
  const user = { userId: user_id, username, isAdmin: is_admin === 1, hasFactor: has_factor === 1 }
  const chosen = languages.find((one) => one === language) ?? null
  return { id, ...user, language: chosen, confirmedAt: confirmed_at, lastUsedAt: last_used_at }
}

const sessionRow = prepared((read, slot: SlotOf<{ hash: Uint8Array; used: number; made: number }>) =>
  read
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'user_id', 'username', 'is_admin', 'language', 'confirmed_at', 'last_used_at'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('second_factors')
          .select('user_id')
          .whereRef('second_factors.user_id', '=', 'users.id')
          .where('second_factors.confirmed_at', 'is not', null),
      ).as('has_factor'),
    )
    .where('session_hash', '=', slot('hash'))
    .where('awaits_factor', '=', 0)
    .where('sessions.last_used_at', '>', slot('used'))
    .where('sessions.created_at', '>', slot('made'))
    .where('disabled_at', 'is', null),
)

/** Whom a cookie's value let in with a password, whose second factor is still to come; undefined when it is too late. */
export async function findHalfSession(
  { read, now }: { read: Read; now(): number },
  cookie: string | undefined,
): Promise<{ id: number; userId: number } | undefined> {
  if (cookie === undefined) return undefined
  const row = await read
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'user_id'])
    .where('session_hash', '=', hashSecret(cookie))
    .where('awaits_factor', '=', 1)
    .where('sessions.created_at', '>', now() - factorTime)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row && { id: row.id, userId: row.user_id }
}

/** A user's sessions, the one used last first. Times are epoch milliseconds. */
export function listSessions({ read, now }: { read: Read; now(): number }, userId: number) {
  const at = now()
  return read
    .selectFrom('sessions')
    .select(['id', 'user_agent', 'address', 'created_at', 'last_used_at'])
    .where('user_id', '=', userId) // uses sessions_user
    .where('awaits_factor', '=', 0)
    .where('last_used_at', '>', at - idleTime)
    .where('created_at', '>', at - longestTime)
    .orderBy('last_used_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

/** A value for the cookie of somebody who is not signed in: it binds forms to the browser and is kept nowhere. */
export const strangersCookie = (random: Random): string => createSecret('se', random)

/** Starts a session inside a write; `cookie` must be a new value. Sessions that are over are swept away meanwhile. */
export async function startSession(
  tx: Tx,
  session: { userId: number; cookie: string; browser: Browser; at: number; awaitsFactor?: boolean },
): Promise<number> {
  const { userId, cookie, browser, at, awaitsFactor = false } = session
  await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId) // uses sessions_user
    .where((is) =>
      is.or([
        is('last_used_at', '<=', at - idleTime),
        is('created_at', '<=', at - longestTime),
        is('awaits_factor', '=', 1).and('created_at', '<=', at - factorTime),
      ]),
    )
    .execute()
  const { id } = await tx
    .insertInto('sessions')
    .values({
      user_id: userId,
      session_hash: hashSecret(cookie),
      awaits_factor: awaitsFactor ? 1 : 0,
      user_agent: browser.userAgent,
      address: browser.address,
      created_at: at,
      last_used_at: at,
      confirmed_at: at,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  // uses sessions_user. Whoever has the password alone ends nobody's session by signing in over and over.
  const owned = sql`user_id = ${userId} and awaits_factor = ${awaitsFactor ? 1 : 0}`
  await keepFirst(tx, 'sessions', { owned, order: sql`last_used_at desc, id desc`, most: mostSessions })
  return id
}

/**
 * Gives a session a new value, and notes that its user proved to be there: what knew the old value is out (oauth.md §2.2).
 * False where it has ended.
 */
export async function renewSession(
  tx: Tx,
  id: number,
  { cookie, at }: { cookie: string; at: number },
): Promise<boolean> {
  const renewed = await tx
    .updateTable('sessions')
    .set({ session_hash: hashSecret(cookie), confirmed_at: at, last_used_at: at })
    .where('id', '=', id)
    .returning('id')
    .execute()
  return renewed.length > 0
}

/** Notes that a form was sent in a session, by its digest; false where that is noted already. The last 20 are kept. */
export async function takeForm(tx: Tx, id: number, digest: string): Promise<boolean> {
  const [row] = await tx.selectFrom('sessions').select('sent_forms').where('id', '=', id).execute()
  const before = (row?.sent_forms ?? '').split(' ')
  if (before.includes(digest)) return false
  const sent_forms = [...before, digest].slice(-20).join(' ')
  await tx.updateTable('sessions').set({ sent_forms }).where('id', '=', id).execute()
  return true
}

/** Ends sessions of a user: one, or all but one. Returns how many ended. */
export async function endSessions(
  tx: Tx,
  userId: number,
  which: { readonly only: number } | { readonly except: number | undefined },
): Promise<number> {
  const ended = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId) // uses sessions_user
    .$if('only' in which, (query) => query.where('id', '=', 'only' in which ? which.only : 0))
    .$if('except' in which, (query) => query.where('id', '!=', ('except' in which && which.except) || 0))
    .returning('id')
    .execute()
  return ended.length
}

/** Notes that a session is in use, at most once a minute and without making the request wait. */
export function touchSession(deps: { write: Write; now(): number }, { id, lastUsedAt }: Session): void {
  const at = deps.now()
  if (at - lastUsedAt < 60_000) return
  // A note that is lost makes the session end a little earlier.
  deps
    .write((tx) => tx.updateTable('sessions').set({ last_used_at: at }).where('id', '=', id).execute())
    .catch(() => {})
}
