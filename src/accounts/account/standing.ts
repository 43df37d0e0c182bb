import type { Tx, Write } from '../../db/write'
import { endLinks } from '../sign-in/one-time-link'
import { endSessions } from '../sign-in/session'
import { touchTokens } from '../token'

export type StandingChange = 'disable' | 'enable' | 'promote' | 'demote'

/** `last`: refused, since this is the last administrator who can sign in. */
export type StandingOutcome = 'done' | 'unchanged' | 'last'

/** Ends the user's sessions (oauth.md §2.2) and links. Tokens of a disabled account are refused until it is enabled. */
export async function changeStanding(
  { write, now }: { write: Write; now(): number },
  userId: number,
  change: StandingChange,
): Promise<StandingOutcome> {
  return await write(async (tx) => {
    const takesOne = change === 'disable' || change === 'demote'
    if (takesOne && (await isLastAdministrator(tx, userId))) return 'last'
    const changed = await standingUpdate(tx, change, now()).where('id', '=', userId).returning('id').execute()
    if (changed.length === 0) return 'unchanged'
    await endSessions(tx, userId, { except: undefined })
    await endLinks(tx, userId)
    await touchTokens(tx, userId)
    return 'done'
  })
}

function standingUpdate(tx: Tx, change: StandingChange, at: number) {
  const users = tx.updateTable('users')
  switch (change) {
    case 'disable':
      return users.set({ disabled_at: at }).where('disabled_at', 'is', null)
    case 'enable':
      // A deleted account stays disabled, even if its comments are kept.
      return users
        .set({ disabled_at: null })
        .where('disabled_at', 'is not', null)
        .where('id', 'not in', tx.selectFrom('deletions').select('user_id'))
    case 'promote':
      return users.set({ is_admin: 1 }).where('is_admin', '=', 0)
    case 'demote':
      return users.set({ is_admin: 0 }).where('is_admin', '=', 1)
  }
}

export async function isLastAdministrator(tx: Tx, userId: number): Promise<boolean> {
  const administrators = await tx
    .selectFrom('users')
    .select('id')
    .where('is_admin', '=', 1)
    .where('disabled_at', 'is', null)
    .limit(2)
    .execute()
  return administrators.length === 1 && administrators[0]?.id === userId
}
