import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { usernameKey } from './user'

/** As the list of users shows it; times are epoch milliseconds. */
export interface ListedUser extends UserRow {
  readonly avatar_url: string
  readonly records_count: number
  /** Null without a session. */
  readonly last_seen_at: number | null
}

/** How many users there are of each kind, and how many people wait to join. */
export const countUsers = (read: Read) =>
  read
    .selectFrom('users')
    .select(({ selectFrom }) =>
      selectFrom('join_requests')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .as('waiting'),
    )
    .select(({ fn }) => fn.countAll<number>().as('all'))
    .select(({ fn }) => fn.sum<number | null>('is_admin').as('administrators'))
    .select(({ fn }) => fn.count<number>('disabled_at').as('suspended'))
    .executeTakeFirstOrThrow()

export interface UserPage {
  readonly users: readonly ListedUser[]
  readonly hasMore: boolean
}

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUserRow>>>

/** With `ways`: words with spaces between them, of how each could sign in, whatever the server is set to. */
export const listUsers = (read: Read) =>
  userRows(read)
    .select(
      sql<string>`trim(iif(password_hash <> '', 'password ', '') ||
        iif(exists (select 1 from passkeys where user_id = users.id and is_verified = 1), 'passkey ', '') ||
        iif(exists (select 1 from identities where user_id = users.id), 'provider', ''))`.as('ways'),
    )
    .orderBy('users.id')
    .execute()

export const userKinds = ['administrators', 'suspended'] as const
export type UserKind = (typeof userKinds)[number]

/** Oldest first; `text` is any part of the username or of the e-mail address, ignoring case. `page` counts from 1. */
export async function pageOfUsers(
  read: Read,
  { text, page, kind }: { text: string; page: number; kind?: UserKind | undefined },
): Promise<UserPage> {
  const key = usernameKey(text)
  const rows = await userRows(read)
    .select(['avatar_url', 'records_count'])
    .select(({ selectFrom }) =>
      selectFrom('sessions')
        .select(({ fn }) => fn.max('last_used_at').as('at'))
        .whereRef('user_id', '=', 'users.id')
        .as('last_seen_at'),
    )
    .$if(text !== '', (query) =>
      query.where(
        sql<boolean>`instr(users.username_key, ${key}) > 0 or instr(lower(users.email), ${key}) > 0`,
      ),
    )
    .$if(kind === 'administrators', (query) => query.where('is_admin', '=', 1))
    .$if(kind === 'suspended', (query) => query.where('disabled_at', 'is not', null))
    .orderBy('users.id')
    .limit(pageLength + 1)
    .offset((page - 1) * pageLength)
    .execute()
  return { users: rows.slice(0, pageLength), hasMore: rows.length > pageLength }
}

export const findUserRow = (read: Read, id: number) =>
  userRows(read).where('users.id', '=', id).executeTakeFirst()

const pageLength = 50

const userRows = (read: Read) =>
  read
    .selectFrom('users')
    .select(['id', 'username', 'name', 'email', 'is_admin', 'is_editor', 'disabled_at', 'created_at'])
