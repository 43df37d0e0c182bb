import { usernameParam } from '../accounts/filters'
import { required } from '../api/params'
import type { Read } from '../db/open'
import type { Tx } from '../db/write'
import { invalidParams, notFound } from '../http/errors'

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
