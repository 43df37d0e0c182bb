import type { Tx } from '../../db/write'
import { invalidParams } from '../../http/errors'
import type { ImportOptions } from '../plan/planned-row'
import { asksOf, formatsFor, mustAnswer, userIn } from './file-facts'
import { findOwn, requireState, type StoredImport, updateImport } from './import-store'
import { rowsIn } from './rows/counts'

/** The user's import to act on. `now`: epoch milliseconds. */
export interface OwnImport {
  readonly userId: number
  readonly id: number
  readonly now: number
}

/** Stores other options, so that all rows are planned again. Throws invalid_params unless it is a preview. */
export async function beginPlanning(tx: Tx, { userId, id, now }: OwnImport, options: Partial<ImportOptions>) {
  const one = await findOwn(tx, userId, id)
  requireState(one, 'preview')
  const { conflict, scoreFormat, timeZone, user, ...flags } = { ...one.options, ...options }
  const { largestScore } = one.facts
  if (scoreFormat !== null && !formatsFor(largestScore ?? 0).includes(scoreFormat))
    throw invalidParams(
      `score_format must be a scale that the largest score of the file, ${largestScore}, fits.`,
    )
  await updateImport(tx, id, {
    conflict,
    score_format: scoreFormat,
    time_zone: timeZone,
    file_user: userIn(one.facts, user),
    completes_watched: flags.completesWatched ? 1 : 0,
    all_private: flags.isAllPrivate ? 1 : 0,
    includes_private: flags.includesPrivate ? 1 : 0,
    leaves_out: JSON.stringify(flags.leavesOut),
    done: 0,
    changed_at: now,
  })
}

/** Has the rows checked again, to accept probable ones. Throws invalid_params unless it can be applied. */
export async function beginAccepting(tx: Tx, asked: OwnImport): Promise<void> {
  requireApplicable(await findOwn(tx, asked.userId, asked.id))
  await updateImport(tx, asked.id, { done: 0, changed_at: asked.now })
}

/** Returns whether there is anything to apply. Throws invalid_params unless it is a preview without open questions. */
export async function beginApplying(tx: Tx, { userId, id, now }: OwnImport): Promise<boolean> {
  const one = await findOwn(tx, userId, id)
  if (one.state === 'applying') return true
  requireApplicable(one)
  const lists = one.facts.lists.length
  await updateImport(tx, id, {
    state: 'applying',
    done: 0,
    total: rowsIn(one.counts) + lists,
    changed_at: now,
  })
  return one.counts.new + one.counts.conflict + lists > 0
}

function requireApplicable(one: StoredImport): void {
  requireState(one, 'preview')
  const [open] = mustAnswer(asksOf(one.facts, one.options), one.options)
  if (open !== undefined) throw invalidParams(`${open} must be chosen first: ${reasons[open]}`)
}

const reasons = {
  score_format: 'the file does not tell the scale of its scores.',
  user: 'the file is of several people.',
} as const

const undoableStates = ['applied', 'applying', 'failed'] as const
type UndoableState = (typeof undoableStates)[number]

/** Returns false if it was undone or is being undone. Throws invalid_params if it has not changed anything yet. */
export async function beginUndoing(
  tx: Tx,
  { userId, id, now }: OwnImport,
  from: readonly UndoableState[] = undoableStates,
): Promise<boolean> {
  const one = await findOwn(tx, userId, id)
  if (one.state === 'undone') return false
  if (one.state === 'undoing') return true
  requireState(one, ...from)
  const { total } = await tx
    .selectFrom('changes') // uses changes_import
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('import_id', '=', id)
    .where('left_because', 'is', null)
    .executeTakeFirstOrThrow()
  await updateImport(tx, id, { state: 'undoing', done: 0, total, error: null, changed_at: now })
  return true
}

/** Throws invalid_params while work on it is running. */
export async function beginDeleting(tx: Tx, { userId, id }: Pick<OwnImport, 'userId' | 'id'>): Promise<void> {
  const one = await findOwn(tx, userId, id)
  requireState(one, 'preview', 'applied', 'undone', 'failed', 'expired')
  await updateImport(tx, id, { state: 'deleting' })
}
