import type { Read } from '../../db/open'
import type { Tx } from '../../db/write'
import { checkSecret, createSecret, hashSecret, type Random } from '../../lib/secret'

/** oauth.md §2.1 */
export type LinkPurpose = 'setup' | 'sign_up' | 'reset' | 'email' | 'sign_in'

export interface Link {
  readonly userId: number | null
  readonly email: string | null
  readonly invitationId: number | null
}

/** In milliseconds. */
const lifetimes: Readonly<Record<LinkPurpose, number>> = {
  setup: 30 * 60_000,
  sign_up: 3_600_000,
  reset: 3_600_000,
  email: 3_600_000,
  sign_in: 10 * 60_000,
}

/** Replaces earlier links for the same purpose and reader, and deletes expired ones. */
export async function createLink(
  tx: Tx,
  { now, random }: { now(): number; random: Random },
  { purpose, ...link }: { readonly purpose: LinkPurpose } & Partial<Link>,
): Promise<string> {
  const { userId = null, email = null, invitationId = null } = link
  const created_at = now()
  await endEarlier(tx, purpose, { userId, email })
  await tx.deleteFrom('one_time_links').where('expires_at', '<=', created_at).execute()
  const text = createSecret('ln', random)
  await tx
    .insertInto('one_time_links')
    .values({
      purpose,
      user_id: userId,
      email,
      invitation_id: invitationId,
      link_hash: hashSecret(text),
      created_at,
      expires_at: created_at + lifetimes[purpose],
    })
    .execute()
  return text
}

/** Undefined if it is unknown, expired or for another purpose, or if its user is disabled. */
export async function findLink(
  read: Read | Tx,
  purpose: LinkPurpose,
  text: string,
  at: number,
): Promise<Link | undefined> {
  if (!checkSecret('ln', text)) return undefined
  const row = await read
    .selectFrom('one_time_links')
    .leftJoin('users', 'users.id', 'one_time_links.user_id')
    .select(['user_id', 'one_time_links.email', 'invitation_id'])
    .where('link_hash', '=', hashSecret(text))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', at)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  return row && { userId: row.user_id, email: row.email, invitationId: row.invitation_id }
}

export async function spendLink(
  tx: Tx,
  purpose: LinkPurpose,
  text: string,
  at: number,
): Promise<Link | undefined> {
  const link = await findLink(tx, purpose, text, at)
  if (link === undefined) return undefined
  await tx.deleteFrom('one_time_links').where('link_hash', '=', hashSecret(text)).execute()
  return link
}

/** Called whenever a password, address, second factor or right changes, so that earlier links stop working. */
export async function endLinks(tx: Tx, userId: number): Promise<void> {
  await tx.deleteFrom('one_time_links').where('user_id', '=', userId).execute() // uses one_time_links_user
}

/** The user's links, or those to the address, or those with neither. */
async function endEarlier(
  tx: Tx,
  purpose: LinkPurpose,
  { userId, email }: Pick<Link, 'userId' | 'email'>,
): Promise<void> {
  const links = tx.deleteFrom('one_time_links').where('purpose', '=', purpose)
  if (userId !== null) return void (await links.where('user_id', '=', userId).execute())
  const same = email === null ? links.where('email', 'is', null) : links.where('email', '=', email)
  await same.execute()
}
