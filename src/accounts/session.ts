import type { Read } from '../db/open'
import { prepared, type SlotOf } from '../db/prepared'
import type { Tx, Write } from '../db/write'
import { checkSecret, createSecret, hashSecret, type Random } from '../lib/secret'
import { type Language, languages } from '../lib/words'

const day = 86_400_000

/** How long a session lasts unused, and at most, in milliseconds (oauth.md §2.2). */
export const idleTime = 14 * day
export const longestTime = 90 * day

/** Somebody who is signed in. Times are epoch milliseconds. */
export interface Session {
  readonly id: number
  readonly userId: number
  readonly username: string
  readonly isAdmin: boolean
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
  const { id, user_id, username, is_admin, language, confirmed_at, last_used_at } = row
  const chosen = languages.find((one) => one === language) ?? null
  const times = { confirmedAt: confirmed_at, lastUsedAt: last_used_at }
  return { id, userId: user_id, username, isAdmin: is_admin === 1, language: chosen, ...times }
}

const sessionRow = prepared((read, slot: SlotOf<{ hash: Uint8Array; used: number; made: number }>) =>
  read
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'user_id', 'username', 'is_admin', 'language', 'confirmed_at', 'last_used_at'])
    .where('session_hash', '=', slot('hash'))
    .where('awaits_factor', '=', 0)
    .where('sessions.last_used_at', '>', slot('used'))
    .where('sessions.created_at', '>', slot('made'))
    .where('disabled_at', 'is', null),
)

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
    .where((is) => is.or([is('last_used_at', '<=', at - idleTime), is('created_at', '<=', at - longestTime)]))
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
  return id
}

/** Gives a session a new value, and notes that its user proved to be there: what knew the old value is out (oauth.md §2.2). */
export async function renewSession(
  tx: Tx,
  id: number,
  { cookie, at }: { cookie: string; at: number },
): Promise<void> {
  await tx
    .updateTable('sessions')
    .set({ session_hash: hashSecret(cookie), confirmed_at: at, last_used_at: at })
    .where('id', '=', id)
    .execute()
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
