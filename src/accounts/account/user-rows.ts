import { sql } from 'kysely'
import type { Read } from '../../db/open'
import { usernameKey } from './username'

export interface UserPage {
  readonly users: readonly UserRow[]
  readonly hasMore: boolean
}

export type UserRow = NonNullable<Awaited<ReturnType<typeof findUserRow>>>

export const listUsers = (read: Read) => userRows(read).orderBy('users.id').execute()

/** Oldest first; `text` is any part of the username, ignoring case. `page` counts from 1. */
export async function pageOfUsers(
  read: Read,
  { text, page }: { text: string; page: number },
): Promise<UserPage> {
  const rows = await userRows(read)
    .$if(text !== '', (query) =>
      query.where(sql<boolean>`instr(users.username_key, ${usernameKey(text)}) > 0`),
    )
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
    .select(['id', 'username', 'name', 'email', 'is_admin', 'disabled_at', 'created_at'])
