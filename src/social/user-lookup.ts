import { sql } from 'kysely'
import { usernameParam } from '../accounts/filters'
import { required } from '../api/params'
import { isSeen } from '../db/guard/audience'
import type { Read } from '../db/open'
import { preparedSql } from '../db/prepared'
import type { Tx } from '../db/write'
import { invalidParams, notFound } from '../http/errors'

/** `now` is in epoch milliseconds. */
export interface UserPair {
  readonly user: number
  readonly other: number
  readonly now: number
}

export const otherParam = { username: required(usernameParam('The user', 'ritsu')) }

/** Throws not_found, or invalid_params if it is the caller (D52). */
export async function otherUser(tx: Tx, username: string, callerId: number, verb: string): Promise<number> {
  const user = await findOther(tx, username)
  if (user === undefined) throw notFound('The user')
  if (user.id === callerId)
    throw invalidParams(`username must not be the caller's own: users cannot ${verb} themselves.`)
  return user.id
}

/** The user with this name, in any case; undefined if there is none, or only a deleted account. */
export async function findOther(
  tx: Tx,
  username: string,
): Promise<{ readonly id: number; readonly isDisabled: boolean } | undefined> {
  const key = username.toLowerCase()
  const user = await tx
    .selectFrom('users')
    .select(['id', 'disabled_at'])
    .where('username_key', '=', key)
    .executeTakeFirst()
  if (user === undefined || (await isDeleted(tx, user.id))) return undefined
  return { id: user.id, isDisabled: user.disabled_at !== null }
}

/** A deleted account whose comments were kept: it cannot be liked, followed or muted. */
export async function isDeleted(tx: Read | Tx, userId: number): Promise<boolean> {
  const rows = await tx.selectFrom('deletions').select('user_id').where('user_id', '=', userId).execute()
  return rows.length > 0
}

/** What others' writes refer to, and how errors name it. */
const written = {
  records: 'The record',
  reviews: 'The review',
  comments: 'The comment',
  lists: 'The list',
  meetings: 'The date',
} as const

type SeenTable = keyof typeof written

/**
 * The one way for a write to find a row of somebody else: whose it is, if `viewer` may see it. Throws not_found otherwise, as
 * if it did not exist (D72).
 */
export async function seenRow(
  tx: Tx,
  viewer: number,
  table: SeenTable,
  id: number,
): Promise<{ readonly user_id: number }> {
  const [row] = await queries[table](tx, { viewer, id })
  if (row === undefined) throw notFound(written[table])
  return row
}

const looker = { id: 'looker.id', isCrowd: '0' }

const queryOf = (table: SeenTable) =>
  preparedSql<{ user_id: number }, { viewer: number; id: number }>(
    (
      slot,
    ) => sql`select found.user_id from (select ${slot('viewer')} as id) as looker cross join ${sql.table(table)} as found
      where found.id = ${slot('id')} and ${sql.raw(isSeen(table, 'found', looker))}`,
  )

const queries = {
  records: queryOf('records'),
  reviews: queryOf('reviews'),
  comments: queryOf('comments'),
  lists: queryOf('lists'),
  meetings: queryOf('meetings'),
}
