import { type RawBuilder, type SqlBool, sql } from 'kysely'
import { deleteAllBut } from '../../db/delete-all-but'
import type { Read } from '../../db/open'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Tx, Write } from '../../db/write'
import { checkSecret, createSecret, hashSecret, type Random } from '../../lib/secret'
import { type Language, languages } from '../../messages/languages'
import { preferenceColumns, type StoredPreferences, storedPreferences } from '../account/preferences'
import type { Browser, SignInWay } from './sign-ins'

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
  readonly isEditor: boolean
  /** An app or a passkey as second step. */
  readonly hasFactor: boolean
  readonly hasPassword: boolean
  /** Null: whatever the browser asks for (Accept-Language). */
  readonly language: Language | null
  readonly preferences: StoredPreferences
  readonly confirmedAt: number
  readonly lastUsedAt: number
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
  const { id, user_id, username, avatar_url, is_admin, is_editor, language } = row
  const { has_factor, has_password, confirmed_at, last_used_at } = row
  const roles = { isAdmin: is_admin === 1, isEditor: is_editor === 1 }
  const rights = { ...roles, hasFactor: has_factor === 1, hasPassword: has_password === 1 }
  const user = { userId: user_id, username, avatarUrl: avatar_url, ...rights }
  const chosen = languages.find((one) => one === language) ?? null
  const preferences = storedPreferences(row)
  return { id, ...user, language: chosen, preferences, confirmedAt: confirmed_at, lastUsedAt: last_used_at }
}

const sessionRow = prepared((read, slot: SlotOf<{ hash: Uint8Array; used: number; made: number }>) =>
  read
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'user_id', 'username', 'avatar_url', 'is_admin', 'is_editor', 'language'])
    .select(['confirmed_at', 'last_used_at'])
    .select(preferenceColumns)
    .select(({ or, eb, exists, selectFrom }) =>
      or([
        eb('has_passkey_step', '=', 1),
        exists(
          selectFrom('second_factors')
            .select('user_id')
            .whereRef('second_factors.user_id', '=', 'users.id')
            .where('second_factors.confirmed_at', 'is not', null),
        ),
      ]).as('has_factor'),
    )
    .select(({ eb }) => eb('password_hash', '<>', '').as('has_password'))
    .where('session_hash', '=', slot('hash'))
    .where('awaits_factor', '=', 0)
    .where('sessions.last_used_at', '>', slot('used'))
    .where('sessions.created_at', '>', slot('made'))
    .where('disabled_at', 'is', null),
)

/** Of a row of `sessions`. */
export const hasNotEnded = (now: RawBuilder<number>) => sql<SqlBool>`(sessions.awaits_factor = 0
  and sessions.last_used_at > ${now} - ${sql.lit(idleTime)} and sessions.created_at > ${now} - ${sql.lit(longestTime)})`

/** Undefined if it has expired. */
export async function findSessionAwaitingFactor(
  { read, now }: { read: Read; now(): number },
  cookie: string | undefined,
): Promise<{ id: number; userId: number; keptForm: string | null } | undefined> {
  if (cookie === undefined) return undefined
  const row = await read
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['sessions.id', 'user_id', 'kept_form'])
    .where('session_hash', '=', hashSecret(cookie))
    .where('awaits_factor', '=', 1)
    .where('sessions.created_at', '>', now() - factorTime)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row && { id: row.id, userId: row.user_id, keptForm: row.kept_form }
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

export interface NewSession {
  readonly userId: number
  /** A new value. */
  readonly cookie: string
  readonly browser: Browser
  readonly at: number
  readonly believed: number
  readonly awaitsFactor?: boolean
  readonly keptForm?: string | null | undefined
  /** By default the password. */
  readonly way?: SignInWay
  /** The session ends when these are removed. */
  readonly passkeyId?: number | undefined
  readonly identityId?: number | undefined
  /** When the person last proved who they are, if not now; 0: never. */
  readonly confirmedAt?: number | undefined
}

/** Deletes the user's sessions that had expired at `believed`. */
export async function startSession(tx: Tx, session: NewSession): Promise<number> {
  const { userId, cookie, browser, at, believed, awaitsFactor = false, keptForm = null } = session
  const { way = 'password', passkeyId = null, identityId = null, confirmedAt = at } = session
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
      confirmed_at: confirmedAt,
      kept_form: keptForm,
      ...{ way, passkey_id: passkeyId, identity_id: identityId },
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

/** What this person tried to save while signed out (`src/web/kept-form.ts`); null drops it. */
export const storeKeptForm = (tx: Tx, id: number, kept_form: string | null): Promise<unknown> =>
  tx.updateTable('sessions').set({ kept_form }).where('id', '=', id).execute()

export const keptFormOf = prepared((read, slot: SlotOf<{ id: number }>) =>
  read.selectFrom('sessions').select('kept_form').where('id', '=', slot('id')),
)

/** Those that began with the password, a passkey or an identity. */
interface SessionOrigin {
  readonly way?: SignInWay
  readonly passkeyId?: number
  readonly identityId?: number
}

/** Returns how many ended. */
export async function endSessions(
  tx: Tx,
  userId: number,
  which: { readonly only: number } | ({ readonly except: number | undefined } & SessionOrigin),
): Promise<number> {
  const { way, passkeyId, identityId }: SessionOrigin = 'only' in which ? {} : which
  const ended = await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId) // uses sessions_user
    .$if(way !== undefined, (query) => query.where('way', '=', way ?? ''))
    .$if(passkeyId !== undefined, (query) => query.where('passkey_id', '=', passkeyId ?? 0))
    .$if(identityId !== undefined, (query) => query.where('identity_id', '=', identityId ?? 0))
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
