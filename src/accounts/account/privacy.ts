import { CompiledQuery, sql } from 'kysely'
import { type Audience, audiences, levelUpdate } from '../../../db/facts/withheld'
import type { Read } from '../../db/open'
import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'

export const profiles = ['public', 'members', 'private'] as const
export const commenters = ['everyone', 'following', 'nobody'] as const

/** Who sees a person and what they write; booleans are 0 or 1. What is undefined stays as it is. */
export interface PrivacyChange {
  readonly privacy?: (typeof profiles)[number] | undefined
  readonly private_by_default?: number | undefined
  readonly comments_from?: (typeof commenters)[number] | undefined
  readonly listed?: number | undefined
  readonly indexable?: number | undefined
}

/** Changes it, and lets rows that move do so afterwards. */
export async function savePrivacy(
  deps: MoveDeps & Pick<Deps, 'now'>,
  userId: number,
  change: PrivacyChange,
): Promise<void> {
  const isMoving = await deps.write((tx) => changePrivacy(tx, userId, { change, now: deps.now() }))
  if (isMoving) void finishMoveOrLog(deps, userId)
}

/**
 * From this commit on nobody outside sees anything of a profile that becomes private. Returns whether `finishMove` has to
 * follow, as its rows get their levels in pieces. A later change replaces one that is still under way.
 */
export async function changePrivacy(
  tx: Tx,
  userId: number,
  { change, now }: { readonly change: PrivacyChange; readonly now: number },
): Promise<boolean> {
  const { privacy: before } = await tx
    .selectFrom('users')
    .select('privacy')
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  if (Object.values(change).some((value) => value !== undefined))
    await tx.updateTable('users').set(change).where('id', '=', userId).execute()
  const { privacy: after = before } = change
  if ((before === 'private') === (after === 'private')) return false
  const level = after === 'private' ? 1 : 0
  if (level === 0) await acceptAll(tx, userId, now)
  await beginMove(tx, userId, { level, now })
  return true
}

async function beginMove(
  tx: Tx,
  userId: number,
  { level, now }: { readonly level: 0 | 1 | 2; readonly now: number },
): Promise<void> {
  await tx
    .insertInto('privacy_moves')
    .values({ user_id: userId, level, began_at: now })
    .onConflict((row) => row.column('user_id').doUpdateSet({ level, began_at: now }))
    .execute()
}

type Profile = (typeof profiles)[number]

/**
 * Makes everything that somebody wrote their own, from this commit on, for `by`, the administrator's id. Returns who saw the
 * profile before, for `showAll`. `finishMove` has to follow.
 */
export async function hideAll(
  tx: Tx,
  userId: number,
  { by, now }: { readonly by: number; readonly now: number },
): Promise<Profile> {
  const { privacy } = await tx
    .selectFrom('users')
    .select('privacy')
    .$narrowType<{ privacy: Profile }>()
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  await tx
    .updateTable('users')
    .set({ privacy: 'private', all_hidden_by: by })
    .where('id', '=', userId)
    .execute()
  await beginMove(tx, userId, { level: 2, now })
  return privacy
}

/** The way back of `hideAll`: rows appear as they are moved. */
export async function showAll(
  tx: Tx,
  userId: number,
  { privacy, now }: { readonly privacy: string; readonly now: number },
): Promise<void> {
  await tx.updateTable('users').set({ privacy, all_hidden_by: null }).where('id', '=', userId).execute()
  if (privacy !== 'private') await acceptAll(tx, userId, now)
  await beginMove(tx, userId, { level: privacy === 'private' ? 1 : 0, now })
}

/** Who asked to follow a profile that is no longer private follows it (D76). */
async function acceptAll(tx: Tx, userId: number, now: number): Promise<void> {
  await sql`
    insert or ignore into follows (follower_id, followed_id, created_at)
    select follower_id, followed_id, ${now} from follow_requests where followed_id = ${userId} and declined_at is null`.execute(
    tx,
  )
  await tx.deleteFrom('follow_requests').where('followed_id', '=', userId).execute()
}

type MoveDeps = Pick<Deps, 'read' | 'write' | 'log'>

/**
 * Gives a profile's rows their level in many short writes (promise 11), then ends the move. What counts is the profile as it is
 * at each of them, so that the newest choice wins. May be interrupted and called again, also several times at once.
 */
export async function finishMove(
  { read, write }: Pick<MoveDeps, 'read' | 'write'>,
  userId: number,
): Promise<void> {
  while (await isMoving(read, userId)) {
    for (const audience of audiences)
      for (const person of audience.people)
        while ((await write((tx) => movePiece(tx, { audience, person, userId }))) > 0)
          await new Promise(setImmediate)
    await write((tx) => endMove(tx, userId))
  }
}

/** Those that a stop or a kill interrupted. */
export async function finishMoves(deps: MoveDeps): Promise<void> {
  const open = await deps.read.selectFrom('privacy_moves').select('user_id').execute()
  for (const { user_id } of open) await finishMoveOrLog(deps, user_id)
}

/** Never rejects: a failure is logged, and the next start resumes the move. Does nothing if nothing moves. */
export async function finishMoveOrLog(deps: MoveDeps, userId: number): Promise<void> {
  try {
    await finishMove(deps, userId)
  } catch (cause) {
    deps.log('privacy_move_interrupted', { user: userId, why: String(cause) })
  }
}

const isMoving = async (read: Read, userId: number): Promise<boolean> =>
  (await read.selectFrom('privacy_moves').select('level').where('user_id', '=', userId).execute()).length > 0

interface MovedRows {
  readonly audience: Audience
  /** The column with the person whose profile moves. */
  readonly person: string
  readonly userId: number
}

/** Rows of a piece: with their counters some 0.5 ms each. */
const rowsAtOnce = 40

/** Returns how many rows were moved. */
async function movePiece(tx: Tx, { audience, person, userId }: MovedRows): Promise<number> {
  const key = audience.table === 'statuses' ? 'work_id' : 'id'
  const some = `${key} in (select ${key} from ${audience.table} where ${person} = ?1 and ${isLate(audience)} limit ${rowsAtOnce})`
  const { numAffectedRows } = await tx.executeQuery(
    CompiledQuery.raw(levelUpdate(audience, person, some), [userId]),
  )
  return Number(numAffectedRows ?? 0n)
}

/** Ends it, unless a row has another level again, as a change of the profile meanwhile leaves it. */
async function endMove(tx: Tx, userId: number): Promise<void> {
  const late = audiences.flatMap((audience) =>
    audience.people.map(
      (person) =>
        sql`exists (select 1 from ${sql.table(audience.table)} where ${sql.ref(person)} = ${userId} and ${sql.raw(isLate(audience))})`,
    ),
  )
  await sql`delete from privacy_moves where user_id = ${userId} and not (${sql.join(late, sql` or `)})`.execute(
    tx,
  )
}

const isLate = ({ table, level }: Audience): string =>
  `withheld <> ${level.replaceAll(/\brow\./g, `${table}.`)}`
