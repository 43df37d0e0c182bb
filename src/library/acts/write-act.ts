import { sql } from 'kysely'
import type { Tx } from '../../db/write'
import type { StatusKind } from '../statuses'
import type { Act, ActDeps, ActKind } from './act'
import { type Change, type ChangeLog, changeLog } from './change-log'
import { findAct } from './find-acts'

/** What an act changed: if undo cannot undo all of `aside`, it leaves `aside` as it is. */
export interface ActChanges {
  readonly essential: readonly Change[]
  readonly aside: readonly Change[]
}

export interface OpenAct {
  readonly tx: Tx
  readonly userId: number
  /** Epoch milliseconds. */
  readonly now: number
  readonly log: ChangeLog
  /** For changes that follow from the others, such as a change of status. */
  readonly aside: ChangeLog
}

interface Subject {
  readonly workId: number
  readonly episodeId?: number
  readonly count?: number
  readonly statusKind?: StatusKind | undefined
}

export async function writeAct(
  { write, warmRead, now, wallClock }: ActDeps,
  userId: number,
  kind: ActKind,
  change: (act: OpenAct) => Promise<Subject>,
): Promise<Act> {
  const at = now()
  const actId = await write(async (tx) => {
    const [essential, aside]: [Change[], Change[]] = [[], []]
    const act = { tx, userId, now: at, log: changeLog(tx, essential), aside: changeLog(tx, aside) }
    const subject = await change(act)
    await dropOldActs(tx, userId, wallClock.believed())
    return insertAct(tx, { user_id: userId, kind, created_at: at }, subject, { essential, aside })
  })
  return findAct(warmRead(), userId, actId)
}

async function insertAct(
  tx: Tx,
  row: { readonly user_id: number; readonly kind: ActKind; readonly created_at: number },
  { workId, episodeId, count, statusKind }: Subject,
  changes: ActChanges,
): Promise<number> {
  const { id } = await tx
    .insertInto('acts')
    .values({
      ...row,
      work_id: workId,
      episode_id: episodeId ?? null,
      count: count ?? 0,
      status_kind: statusKind ?? null,
      before: JSON.stringify(changes),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

export const keptMs = 30 * 86_400_000
const maxActs = 10_000

/** At most 200 expired acts, and 200 beyond the newest 10,000, at once: a write stays short. Uses acts_user. */
async function dropOldActs(tx: Tx, userId: number, believed: number): Promise<void> {
  await sql`delete from acts where id in (
    select id from (select id, created_at from acts where user_id = ${userId} order by id limit 200)
    where created_at < ${believed - keptMs}
    union all
    select id from (select id from acts where user_id = ${userId} order by id desc limit 200 offset ${maxActs - 1}))`.execute(
    tx,
  )
}
