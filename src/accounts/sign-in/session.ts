import { sql } from 'kysely'
import { deleteAllBut } from '../../db/delete-all-but'
import type { Read } from '../../db/open'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Tx, Write } from '../../db/write'
import { checkSecret, createSecret, hashSecret, type Random } from '../../lib/secret'
import { type Language, languages } from '../../messages/languages'
import { preferenceColumns, type StoredPreferences, storedPreferences } from '../account/preferences'

const day = 86_400_000

/** A session's idle and absolute timeouts, in milliseconds (oauth.md §2.2). */
const idleTime = 14 * day
export const longestTime = 90 * day

const mostSessions = 100

/** Time between password and second factor, in milliseconds. */
const factorTime = 10 * 60_000

/** Times are epoch milliseconds. */
export interface Session {
  readonly id: number
  readonly userId: number
  readonly username: string
  /** The path of the user's picture; '' if none. */
  readonly avatarUrl: string
  readonly isAdmin: boolean
  readonly hasFactor: boolean
  /** Null: whatever the browser asks for (Accept-Language). */
  readonly language: Language | null
  readonly preferences: StoredPreferences
  readonly confirmedAt: number
  readonly lastUsedAt: number
}

export interface Browser {
  readonly userAgent: string
  readonly address: string
}

/** Undefined if it is expired or unknown, or if its user is disabled. */
export async function findSession(
  { read, now }: { read: Read; now(): number },
  cookie: string,
): Promise<Session | undefined> {
  if (!checkSecret('se', cookie)) return undefined
  const at = now()
  const limits = { used: at - idleTime, made: at - longestTime }
  const [row] = await sessionRow(read, { hash: hashSecret(cookie), ...limits })
  if (row === undefined) return undefined
  const { id, user_id, username, avatar_url, is_admin, has_factor, language, confirmed_at, last_used_at } =
    row
  const rights = { isAdmin: is_admin === 1, hasFactor: has_factor === 1 }
  const user = { userId: user_id, username, avatarUrl: avatar_url, ...rights }
  const chosen = languages.find((one) => one === language) ?? null
  const preferences = storedPreferences(row)
  return { id, ...user, language: chosen, preferences, confirmedAt: confirmed_at, lastUsedAt: last_used_at }
}

const sessionRow = prepared((read, slot: SlotOf<{ hash: Uint8Array; used: number; made: number }>) =>
  read
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'user_id', 'username', 'avatar_url', 'is_admin', 'language', 'confirmed_at'])
    .select('last_used_at')
    .select(preferenceColumns)
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

/** Undefined if it has expired. */
export async function findSessionAwaitingFactor(
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

/** Most recently used first. Times are epoch milliseconds. */
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

/** For visitors: binds forms to the browser (CSRF) and is not stored on the server. */
export const anonymousCookie = (random: Random): string => createSecret('se', random)

/** `cookie` must be a new value. Deletes the user's sessions that had expired at `believed`. */
export async function startSession(
  tx: Tx,
  session: {
    userId: number
    cookie: string
    browser: Browser
    at: number
    believed: number
    awaitsFactor?: boolean
  },
): Promise<number> {
  const { userId, cookie, browser, at, believed, awaitsFactor = false } = session
  await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId) // uses sessions_user
    .where((is) =>
      is.or([
        is('last_used_at', '<=', believed - idleTime),
        is('created_at', '<=', believed - longestTime),
        is('awaits_factor', '=', 1).and('created_at', '<=', believed - factorTime),
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
  // uses sessions_user. Counted separately, so that nobody can evict full sessions with the password alone.
  const owned = sql`user_id = ${userId} and awaits_factor = ${awaitsFactor ? 1 : 0}`
  await deleteAllBut(tx, 'sessions', { owned, order: sql`last_used_at desc, id desc`, most: mostSessions })
  return id
}

/** For a user who has authenticated again; invalidates the old cookie (oauth.md §2.2). False if the session has ended. */
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

/** False if the form was sent before. Keeps the last 20 digests. */
export async function recordSentForm(tx: Tx, id: number, digest: string): Promise<boolean> {
  const [row] = await tx.selectFrom('sessions').select('sent_forms').where('id', '=', id).execute()
  const before = (row?.sent_forms ?? '').split(' ')
  if (before.includes(digest)) return false
  const sent_forms = [...before, digest].slice(-20).join(' ')
  await tx.updateTable('sessions').set({ sent_forms }).where('id', '=', id).execute()
  return true
}

/** Returns how many ended. */
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

/** Updates at most once a minute, without delaying the request. */
export function touchSession(deps: { write: Write; now(): number }, { id, lastUsedAt }: Session): void {
  const at = deps.now()
  if (at - lastUsedAt < 60_000) return
  // A lost update only makes the session expire a little earlier.
  deps
    .write((tx) => tx.updateTable('sessions').set({ last_used_at: at }).where('id', '=', id).execute())
    .catch(() => {})
}
