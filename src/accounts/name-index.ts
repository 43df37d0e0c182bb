import type { Database } from 'bun:sqlite'
import { sql } from 'kysely'
import type { Read } from '../db/open'
import { preparedSql } from '../db/prepared'
import type { Tx } from '../db/write'
import { bigramsOf } from '../lib/bigrams'
import { fold, withoutMarks } from '../lib/fold'

export interface UserNames {
  readonly id: number
  readonly username_key: string
  readonly name: string
}

/** Both names in the form a search compares, each enclosed in line breaks, which no name contains. */
export const namesText = ({ username_key, name }: UserNames): string =>
  `\n${nameKey(username_key)}\n${nameKey(name)}\n`

/** The folded name (D17) without its punctuation, unless nothing else is left. */
export const nameKey = (text: string): string => withoutMarks(fold(text)) || fold(text)

/** To be called after writing names: searches compare unindexed names one by one. */
export async function indexNames(tx: Tx): Promise<void> {
  for (const user of await unindexedUsers(tx)) await add(tx, { id: user.id, grams: gramsOf(user) })
  await tx.deleteFrom('unindexed_users').execute()
}

/** Users that triggers have marked as new or renamed. */
export const unindexedUsers = async (read: Read | Tx): Promise<readonly UserNames[]> =>
  await unindexed(read, {})

const unindexed = preparedSql<UserNames, Record<never, never>>(() => sql.raw(selectUnindexed))

const selectUnindexed = `select id, username_key, name from unindexed_users cross join users using (id)`

const add = preparedSql<never, { id: number; grams: string }>(
  (slot) => sql`insert into users_search (rowid, grams) values (${slot('id')}, ${slot('grams')})`,
)

/** `indexNames` for upgrades and bulk writes, at most `limit` users; returns how many. Must run in a transaction. */
export function indexAllNames(handle: Database, limit = -1): number {
  const users = handle.query<UserNames, [number]>(`${selectUnindexed} limit ?`).all(limit)
  const add = handle.query('insert into users_search (rowid, grams) values (?, ?)')
  const unmark = handle.query('delete from unindexed_users where id = ?')
  for (const user of users) {
    add.run(user.id, gramsOf(user))
    unmark.run(user.id)
  }
  return users.length
}

export const gramsOf = (user: UserNames) => bigramsOf(namesText(user))
