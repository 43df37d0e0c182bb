import type { Read } from '../../db/open'
import type { Tx, Write } from '../../db/write'
import { checkSecret, createSecret, hashSecret, type Random } from '../../lib/secret'
import type { Message } from '../../messages/languages'
import { valid } from '../../values/field-problem'
import { integerUpTo } from '../../values/number'
import { lineOfText } from '../../values/text'

/** How many accounts an invitation is for at most. */
export const mostUses = 1000

/** How many accounts an invitation is for, from 1 to `mostUses`. */
export const usesOf = (rule: Message) => integerUpTo(mostUses, rule)

/** What an invitation is told from others by, where it is not blank. */
export const noteText = lineOfText(100, (t) => t.rules.note)

/** What an invitation is to be. */
export interface NewInvitation {
  /** The administrator; null for the command line. */
  readonly createdBy: number | null
  /** How many accounts it is for. */
  readonly uses: number
  /** In milliseconds; undefined for ever. */
  readonly expiresIn: number | undefined
  /** What it is for, so that it can be told from others; may be ''. */
  readonly note: string
}

/** Makes an invitation. The code is shown this once: only its hash is kept. Throws a `FieldProblem` for a bad note. */
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

/** The id of the invitation with that code; undefined when it is unknown, used up or over. */
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

/** Counts one use, in the write that makes the account. False when none is left or it is over or withdrawn. */
export async function spendInvitation(tx: Tx, id: number, at: number): Promise<boolean> {
  const spent = await tx
    .updateTable('invitations')
    .set((row) => ({ uses_left: row('uses_left', '-', 1), used_count: row('used_count', '+', 1) }))
    .where('id', '=', id)
    .where('uses_left', '>', 0)
    .where((is) => is.or([is('expires_at', 'is', null), is('expires_at', '>', at)]))
    .returning('id')
    .execute()
  return spent.length === 1
}

/** Every invitation that was not withdrawn, newest first. Times are epoch milliseconds, null for never. */
export function listInvitations(read: Read) {
  return read
    .selectFrom('invitations')
    .leftJoin('users', 'users.id', 'created_by')
    .select(['invitations.id', 'note', 'uses_left', 'used_count', 'invitations.created_at', 'expires_at'])
    .select('username')
    .orderBy('invitations.id', 'desc')
    .execute()
}

/** Ends an invitation at once, also for those who have begun to use it. False where there is none with that id. */
export async function withdrawInvitation({ write }: { write: Write }, id: number): Promise<boolean> {
  const gone = await write((tx) =>
    tx.deleteFrom('invitations').where('id', '=', id).returning('id').execute(),
  )
  return gone.length === 1
}
