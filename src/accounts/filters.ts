import { type RawBuilder, sql } from 'kysely'
import { type Filter, filter } from '../api/list-declaration'
import { idParam } from '../api/param-kinds'
import { param } from '../api/params'
import type { DB } from '../db/schema'
import type { ShownTable } from '../paging/paged-list'
import { matching } from '../values/text'

const username = matching('^[A-Za-z0-9_]+$', (t) => t.values.username)

/** Case-insensitive (D9). */
export const usernameParam = (description: string, example = 'mio') => param(username, description, example)

/** An unknown user yields an empty list (D19). */
export const byUsername = <T extends ShownTable>(
  table: T,
  column: keyof DB[T] & string,
  description: string,
): Filter<T> => ({
  ...filter(
    usernameParam(description),
    (username) => ({ key: username.toLowerCase() }),
    (_, slot) => sql`${sql.ref(`${table}.${column}`)} = ${userNamed(slot('key'))}`,
  ),
  isNaming: true,
})

export const byUser = <T extends ShownTable>(
  table: T,
  column: keyof DB[T] & string,
  description: string,
): Readonly<Record<'filter_user_id' | 'filter_username', Filter<T>>> => ({
  filter_user_id: {
    ...filter(
      idParam(description, 7),
      (user) => ({ user }),
      (_, slot) => sql`${sql.ref(`${table}.${column}`)} = ${slot('user')}`,
    ),
    isNaming: true,
  },
  filter_username: byUsername(table, column, description),
})

const userNamed = (key: RawBuilder<unknown>) =>
  sql<number | null>`(select id from users where username_key = ${key})`
