import { sql } from 'kysely'
import type { Tx } from '../../db/write'
import { ApiError } from '../../http/errors'
import type { StatusKind } from '../statuses'
import { ChangeLog } from '../undo/change-log'
import {
  type Act,
  type ActDeps,
  type ActKind,
  ForgottenAct,
  keptMs,
  NothingChanged,
  RecordedBefore,
  StatusChangedSince,
} from './act'
import { findAct } from './find-acts'
import { type FormReceipt, receiptOf, writeReceipt } from './receipts'

export interface OpenAct {
  readonly tx: Tx
  readonly userId: number
  /** When it was done, in epoch milliseconds. */
  readonly now: number
  /** It was pressed earlier than now. */
  readonly isLate: boolean
  readonly log: ChangeLog
  /** For changes that follow from the others, such as a change of status. */
  readonly aside: ChangeLog
}

interface Subject {
  readonly workId: number
  readonly listId?: number
  /** The person whom it is about instead. */
  readonly otherId?: number
  readonly episodeId?: number
  readonly count?: number
  readonly statusKind?: StatusKind | undefined
}

/**
 * With a `formId` that was received before, does nothing and answers as then (D107). Throws `NothingChanged`,
 * `ForgottenAct`, or whatever `change` throws.
 */
export async function writeAct(
  { write, warmRead, now, wallClock, formId, doneAt }: ActDeps,
  userId: number,
  kind: ActKind,
  change: (act: OpenAct) => Promise<Subject>,
): Promise<Act> {
  const at = now()
  const written = await write(async (tx): Promise<ActOutcome> => {
    const first = formId === undefined ? undefined : await receiptOf(tx, { userId, formId })
    if (first !== undefined) return first
    const open = { tx, userId, now: doneAt ?? at, isLate: doneAt !== undefined && doneAt < at }
    const outcome = await actWithin(open, wallClock.believed(), kind, change)
    if (formId !== undefined) await writeReceipt(tx, { userId, formId, at }, outcome)
    return outcome
  })
  const { actId } = written
  if (actId !== null)
    return await findAct(warmRead(), userId, actId).catch((cause) => {
      throw cause instanceof ApiError && cause.type === 'not_found' ? new ForgottenAct(actId) : cause
    })
  throw written.why ?? (kind === 'record' ? new RecordedBefore() : new NothingChanged(kind))
}

/** `why` it was not done. */
export interface ActOutcome extends FormReceipt {
  readonly why?: Error
}

type Opening = Pick<OpenAct, 'tx' | 'userId' | 'now' | 'isLate'>

/** Within a write that changes other things too. `believed`: the wall clock's time, for what has expired. */
export async function actWithin(
  opening: Opening,
  believed: number,
  kind: ActKind,
  change: (act: OpenAct) => Promise<Subject>,
): Promise<ActOutcome> {
  await dropOldActs(opening.tx, opening.userId, believed)
  const log = new ChangeLog(opening.tx, opening.userId, 'act')
  try {
    const subject = await change({ ...opening, log, aside: log.aside })
    if (log.isEmpty) throw new NothingChanged(kind)
    const actId = await insertAct(opening, kind, subject)
    await log.write({ act_id: actId })
    return { actId, result: 'done' }
  } catch (cause) {
    if (isDoneBefore(cause) && log.isEmpty) return { actId: null, result: 'before', why: cause }
    throw cause
  }
}

const isDoneBefore = (cause: unknown): cause is Error =>
  [NothingChanged, RecordedBefore, StatusChangedSince].some((kind) => cause instanceof kind)

async function insertAct(
  { tx, userId, now }: Opening,
  kind: ActKind,
  { workId, listId, otherId, episodeId, count, statusKind }: Subject,
): Promise<number> {
  const { id } = await tx
    .insertInto('acts')
    .values({
      user_id: userId,
      kind,
      created_at: now,
      work_id: workId,
      list_id: listId ?? 0,
      other_id: otherId ?? null,
      episode_id: episodeId ?? null,
      count: count ?? 0,
      status_kind: statusKind ?? null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return id
}

const maxActs = 10_000

/**
 * At most 200 expired acts, and 200 beyond the newest 10,000, with at most 500 changes at once: a write stays short. Uses
 * acts_user and changes_act.
 */
async function dropOldActs(tx: Tx, userId: number, believed: number): Promise<void> {
  const old = sql`(
    select id from (select id, created_at from acts where user_id = ${userId} order by id limit 200)
    where created_at < ${believed - keptMs}
    union all
    select id from (select id from acts where user_id = ${userId} order by id desc limit 200 offset ${maxActs - 1}))`
  await sql`delete from changes where id in (select id from changes where act_id in ${old} limit 500)`.execute(
    tx,
  )
  await sql`delete from acts where id in ${old} and not exists (
    select 1 from changes where act_id = acts.id)`.execute(tx)
}
