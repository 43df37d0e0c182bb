import type { Read } from '../../db/open'
import type { Tx, Write } from '../../db/write'
import { checkSecret, createSecret, hashSecret, type Random } from '../../lib/secret'
import type { Message } from '../../messages/languages'
import { valid } from '../../values/field-problem'
import { integerUpTo } from '../../values/number'
import { lineOfText } from '../../values/text'

export const mostUses = 1000

export const invitationUses = (rule: Message) => integerUpTo(mostUses, rule)

export const noteText = lineOfText(100, (t) => t.rules.note)

export interface NewInvitation {
  /** An administrator's id; null for the command line. */
  readonly createdBy: number | null
  readonly uses: number
  /** In milliseconds; undefined for never. */
  readonly expiresIn: number | undefined
  readonly note: string
}

/** The code is returned only here: the database keeps its hash. Throws a `FieldProblem` for a bad note. */
export async function createInvitation(
  { write, now, random }: { write: Write; now(): number; random: Random },
  { createdBy, uses, expiresIn, note }: NewInvitation,
): Promise<{ id: number; code: string }> {
  if (note !== '') valid('note', noteText, note)
  const code = createSecret('iv', random)
  const created_at = now()
  const invitation = {
    created_by: createdBy,
    note,
    code_hash: hashSecret(code),
    uses_left: uses,
    created_at,
    expires_at: expiresIn === undefined ? null : created_at + expiresIn,
  }
  const { id } = await write((tx) =>
    tx.insertInto('invitations').values(invitation).returning('id').executeTakeFirstOrThrow(),
  )
  return { id, code }
}

/** Undefined if the code is unknown, used up or expired. */
export async function findInvitation(read: Read, code: string, at: number): Promise<number | undefined> {
  if (!checkSecret('iv', code)) return undefined
  const row = await read
    .selectFrom('invitations')
    .select('id')
    .where('code_hash', '=', hashSecret(code))
    .where('uses_left', '>', 0)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', at)]))
    .executeTakeFirst()
  return row?.id
}

/**
 * Counts one use, in the write that creates the account. `invitedBy` is null for an invitation by the command line.
 * Undefined if it is used up, expired or withdrawn.
 */
export async function spendInvitation(
  tx: Tx,
  id: number,
  at: number,
): Promise<{ readonly invitedBy: number | null } | undefined> {
  const spent = await tx
    .updateTable('invitations')
    .set((row) => ({ uses_left: row('uses_left', '-', 1), used_count: row('used_count', '+', 1) }))
    .where('id', '=', id)
    .where('uses_left', '>', 0)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', at)]))
    .returning('created_by')
    .execute()
  return spent[0] && { invitedBy: spent[0].created_by }
}

/** Newest first. Times are epoch milliseconds, null for never. */
export function listInvitations(read: Read) {
  return read
    .selectFrom('invitations')
    .leftJoin('users', 'users.id', 'created_by')
    .select(['invitations.id', 'note', 'uses_left', 'used_count', 'invitations.created_at', 'expires_at'])
    .select('username')
    .orderBy('invitations.id', 'desc')
    .execute()
}

/** Both ways: by whom somebody was invited, and the first of those who came by their invitations, in the order of joining. */
export async function invitationsAround(read: Read, userId: number) {
  const invitedBy = await read
    .selectFrom('users')
    .innerJoin('users as inviter', 'inviter.id', 'users.invited_by')
    .select(['inviter.id', 'inviter.username'])
    .where('users.id', '=', userId)
    .executeTakeFirst()
  const invited = read.selectFrom('users').where('invited_by', '=', userId) // uses users_invited_by
  const first = await invited.select(['id', 'username']).orderBy('id').limit(mostShown).execute()
  const { count } = await invited
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return { invitedBy, invited: first, others: count - first.length }
}

const mostShown = 100

export async function withdrawInvitation({ write }: { write: Write }, id: number): Promise<boolean> {
  const gone = await write((tx) =>
    tx.deleteFrom('invitations').where('id', '=', id).returning('id').execute(),
  )
  return gone.length === 1
}
