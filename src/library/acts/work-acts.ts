import { anyWork, visibleWork } from '../../catalogue/lookups'
import type { Tx } from '../../db/write'
import { invalidParams } from '../../http/errors'
import { trimmed } from '../../lib/white-space'
import { beginLap } from '../laps'
import { nextEpisode } from '../next-episode'
import { removeStatus, type StatusKind } from '../statuses'
import { type Act, type ActDeps, StatusChangedSince } from './act'
import { followWithStatus, isStatusNewer, logStatus } from './status-change'
import { writeAct } from './write-act'

type OnWork = { readonly workId: number }

/**
 * Dates may be partial (D71); undefined leaves a date unchanged, null clears it. The same kind with another mark changes the
 * mark alone (D72).
 */
export const chooseStatus = (
  deps: ActDeps,
  userId: number,
  {
    workId,
    kind,
    startedOn,
    finishedOn,
    isPrivate,
  }: OnWork & {
    readonly kind: StatusKind | 'no_select'
    readonly startedOn?: string | null | undefined
    readonly finishedOn?: string | null | undefined
    readonly isPrivate?: boolean | undefined
  },
): Promise<Act> =>
  writeAct(deps, userId, 'status', async (act) => {
    const { tx, log } = act
    if (kind === 'no_select') {
      const own = { user_id: userId, work_id: await anyWork(tx, workId) }
      if (await isStatusNewer(act, own.work_id)) throw new StatusChangedSince()
      await log.changed('statuses', own.work_id, own.work_id, () => removeStatus(tx, own))
      return { workId: own.work_id }
    }
    const work_id = await visibleWork(tx, workId)
    const dates = { started_on: startedOn, finished_on: finishedOn }
    await logStatus(act, log, { work_id, kind, dates, isPrivate })
    return { workId: work_id, statusKind: kind }
  })

/** Watching again (D63): the status becomes watching. Throws invalid_params if the current lap has no record. */
export const startLap = (deps: ActDeps, userId: number, { workId }: OnWork): Promise<Act> =>
  writeAct(deps, userId, 'lap', async (act) => {
    const work_id = await visibleWork(act.tx, workId)
    const lap = await beginLap(act.tx, { user_id: userId, work_id, now: act.now })
    await act.log.inserted('laps', work_id, lap)
    await followWithStatus(act, { work_id, kind: 'watching' })
    return { workId: work_id }
  })

/** "+1" (D62): `episodeId` of the act is the episode to record next. */
export const addNextEpisode = (deps: ActDeps, userId: number, { workId }: OnWork): Promise<Act> =>
  writeAct(deps, userId, 'episode', async ({ tx, log }) => {
    const work = await visibleWork(tx, workId)
    const { id, isNew } = await nextEpisode(tx, work)
    if (isNew) await log.inserted('episodes', work, id)
    return { workId: work, episodeId: id }
  })

/** Private (D64), up to 10,000 characters; a blank text deletes the note. */
export const writeNote = (
  deps: ActDeps,
  userId: number,
  { workId, text }: OnWork & { readonly text: string },
): Promise<Act> =>
  writeAct(deps, userId, 'note', async ({ tx, now, log }) => {
    const work_id = await anyWork(tx, workId)
    const note = { user_id: userId, work_id, text: trimmed(text), updated_at: now }
    if (note.text.length > maxNote && [...note.text].length > maxNote)
      throw invalidParams(`text must be at most ${maxNote} characters long.`)
    await log.changed('notes', work_id, work_id, () =>
      note.text === '' ? deleteNote(tx, note) : keepNote(tx, note),
    )
    return { workId: work_id }
  })

const maxNote = 10_000

type Note = {
  readonly user_id: number
  readonly work_id: number
  readonly text: string
  readonly updated_at: number
}

const deleteNote = (tx: Tx, { user_id, work_id }: Note): Promise<unknown> =>
  tx.deleteFrom('notes').where('user_id', '=', user_id).where('work_id', '=', work_id).execute()

/** Saving the same text again changes nothing. */
const keepNote = (tx: Tx, { text, updated_at, ...own }: Note): Promise<unknown> =>
  tx
    .insertInto('notes')
    .values({ ...own, text, updated_at })
    .onConflict((note) => note.doUpdateSet({ text, updated_at }).where('notes.text', '<>', text))
    .execute()
