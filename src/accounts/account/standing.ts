import type { Tx, Write } from '../../db/write'
import { endLinks } from '../sign-in/one-time-link'
import { endSessions } from '../sign-in/session'
import { touchTokens } from '../token'
import { hideAll, showAll } from './privacy'

/** In code points. */
export const longestModerationReason = 1000

export type StandingChange = 'disable' | 'enable' | 'promote' | 'demote' | EditorChange

/** The role of editor, which ends no session (D93). */
export type EditorChange = 'make_editor' | 'end_editor'

/** `last`: refused, since this is the last administrator who can sign in. */
export type StandingOutcome = 'done' | 'unchanged' | 'last'

/** Who changes it, and of somebody who is disabled, why and whether all they wrote is hidden. */
export interface StandingDecision {
  /** An administrator's id; 0 for the command line. */
  readonly by: number
  /** At most `longestModerationReason`; '' without one. */
  readonly reason?: string
  readonly hidesAll?: boolean
}

/** The command line. */
const nobody: StandingDecision = { by: 0 }

/**
 * Ends the user's sessions (oauth.md §2.2) and links, except with the role of editor. Tokens of a disabled account are refused until it is enabled. To disable
 * is to suspend: it stands in the log of administrators, and closes what was reported about them. Where everything is hidden or
 * shown again, `finishMove` has to follow.
 */
export async function changeStanding(
  { write, now }: { write: Write; now(): number },
  userId: number,
  change: StandingChange,
  decision = nobody,
): Promise<StandingOutcome> {
  return await write(async (tx) => {
    const takesOne = change === 'disable' || change === 'demote'
    if (takesOne && (await isLastAdministrator(tx, userId))) return 'last'
    const changed = await standingUpdate(tx, change, now()).where('id', '=', userId).returning('id').execute()
    if (changed.length === 0) return 'unchanged'
    if (change === 'disable') await logSuspension(tx, userId, { ...decision, now: now() })
    if (change === 'make_editor' || change === 'end_editor') return 'done'
    if (change === 'enable') await undoSuspension(tx, userId, { ...decision, now: now() })
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
    case 'make_editor':
      return users.set({ is_editor: 1 }).where('is_editor', '=', 0)
    case 'end_editor':
      return users.set({ is_editor: 0 }).where('is_editor', '=', 1)
  }
}

interface DatedDecision extends StandingDecision {
  readonly now: number
}

async function logSuspension(tx: Tx, userId: number, decision: DatedDecision): Promise<void> {
  const { by, reason = '', hidesAll = false, now } = decision
  const privacy = hidesAll ? await hideAll(tx, userId, { by, now }) : null
  await tx
    .insertInto('moderations')
    .values({ kind: 'suspend', moderator_id: by, user_id: userId, privacy, reason, created_at: now })
    .execute()
  await tx
    .updateTable('reports')
    .set({ closed_at: now, closed_by: by, outcome: 'suspended' })
    .where('user_id', '=', userId) // uses reports_user
    .where('closed_at', 'is', null)
    .execute()
}

async function undoSuspension(tx: Tx, userId: number, { by, now }: DatedDecision): Promise<void> {
  const undone = await tx
    .updateTable('moderations')
    .set({ undone_at: now, undone_by: by })
    .where('user_id', '=', userId) // uses moderations_user
    .where('kind', '=', 'suspend')
    .where('undone_at', 'is', null)
    .returning('privacy')
    .execute()
  for (const { privacy } of undone) if (privacy !== null) await showAll(tx, userId, { privacy, now })
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
