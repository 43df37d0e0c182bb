import { type RawBuilder, sql } from 'kysely'
import { countedBy, type Filter, filter } from '../api/list-declaration'
import { idParam } from '../api/param-kinds'
import { param } from '../api/params'
import type { ShownTable } from '../api/resource'
import type { DB } from '../db/schema'
import { matching } from '../values/text'

const username = matching('^[A-Za-z0-9_]+$', (t) => t.values.username)

/** Case-insensitive (D9). */
export const usernameParam = (description: string, example = 'mio') => param(username, description, example)

/** An unknown user yields an empty list (D19). `list` is the kind of `row_counts` that counts each user's rows. */
export const byUsername = <T extends ShownTable>(
  table: T,
  column: keyof DB[T] & string,
  description: string,
  list: string,
): Filter<T> =>
  countedBy(
    list,
    (slot) => userNamed(slot('key')),
    filter(
      usernameParam(description),
      (username) => ({ key: username.toLowerCase() }),
      (_, slot) => sql`${sql.ref(`${table}.${column}`)} = ${userNamed(slot('key'))}`,
    ),
  )

export const byUser = <T extends ShownTable>(
  table: T,
  column: keyof DB[T] & string,
  description: string,
  list: string,
): Readonly<Record<'filter_user_id' | 'filter_username', Filter<T>>> => ({
  filter_user_id: countedBy(
    list,
    (slot) => slot('user'),
    filter(
      idParam(description, 7),
      (user) => ({ user }),
      (_, slot) => sql`${sql.ref(`${table}.${column}`)} = ${slot('user')}`,
    ),
  ),
  filter_username: byUsername(table, column, description, list),
})

const userNamed = (key: RawBuilder<unknown>) =>
  sql<number | null>`(select id from users where username_key = ${key})`
