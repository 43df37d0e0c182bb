import { sql } from 'kysely'
import { defineCommand } from '../api/command'
import { idParam, wordParam } from '../api/param-kinds'
import { clearable, param, required } from '../api/params'
import { anyWork, visibleWork } from '../catalogue/lookups'
import { prepared, type SlotOf } from '../db/prepared'
import type { Tx } from '../db/write'
import { invalidParams } from '../http/errors'
import { partialDate } from '../values/time'
import { flagColumn, privateOr, privateParam } from './flags'
import { insertStatusActivity, type WritingToken, writingTokenOf } from './new-activity'

export const statusKinds = ['wanna_watch', 'watching', 'watched', 'on_hold', 'stop_watching'] as const
export type StatusKind = (typeof statusKinds)[number]

const kinds = [...statusKinds, 'no_select'] as const

const dateParam = (what: string) =>
  clearable(param(partialDate, `Extension: when ${what}, as precisely as known`, '2016-03'))

/** Sets, changes or removes the status of a work (D36). */
export const setStatus = defineCommand({
  method: 'POST',
  path: '/v1/me/statuses',
  tag: 'Works',
  summary: "Sets the caller's status of a work",
  description:
    'Setting the current kind again changes nothing and adds no activity; `no_select` removes the status. Dates may ' +
    'be sent with any other kind, including the current one, and `private` too: without it, the status stays as it was.',
  params: {
    work_id: required(idParam('The work', 10079)),
    kind: required(wordParam(kinds, 'The status; no_select removes it')),
    started_on: dateParam('the caller began to watch it'),
    finished_on: dateParam('the caller finished it'),
    private: clearable(privateParam('the status')),
  },
  errors: ['not_found'],
  run: async ({ work_id, kind, started_on, finished_on, private: sent }, { deps, viewer }) => {
    const own = { user_id: viewer.userId }
    const writer = writingTokenOf(viewer)
    const mark = flagColumn(sent) ?? null
    const change = { ...own, now: deps.now(), started_on, finished_on, private: mark, writer }
    await deps.write(async (tx) => {
      // Works for hidden works too (D42).
      if (kind === 'no_select') await removeStatus(tx, { ...own, work_id: await anyWork(tx, work_id) })
      else await giveStatus(tx, { ...change, kind, work_id: await visibleWork(tx, work_id) })
    })
    return null
  },
})

type StatusKey = { user_id: number; work_id: number }

/** Partial dates (D71): undefined leaves a date unchanged, null clears it. */
export interface StatusDates {
  readonly started_on?: string | null | undefined
  readonly finished_on?: string | null | undefined
}

/**
 * `private`: null keeps what the status has; a new one gets what its user prefers (D72). `activity`: the one that tells of it.
 */
type StatusChange = StatusKey & {
  kind: StatusKind
  now: number
  private: number | null
  activity: number | null
}

/** Returns the id of its activity; undefined if the work already has that status (D36). */
export async function giveStatus(
  tx: Tx,
  {
    user_id,
    work_id,
    kind,
    now,
    started_on,
    finished_on,
    private: mark = null,
    writer = { token_id: null, application_id: null },
  }: Omit<StatusChange, 'private' | 'activity'> &
    Partial<Pick<StatusChange, 'private'>> &
    StatusDates & { readonly writer?: WritingToken },
): Promise<number | undefined> {
  const change = { user_id, work_id, kind, now, private: mark }
  const [activity] = await insertStatusActivity(tx, { ...change, ...writer })
  if (activity !== undefined) await changeStatus(tx, { ...change, activity: activity.id })
  else if (mark !== null) await setMark(tx, { user_id, work_id, private: mark })
  if (started_on !== undefined || finished_on !== undefined)
    await setDates(tx, { user_id, work_id }, { started_on, finished_on })
  return activity?.id
}

export const removeStatus = prepared((tx: Tx, slot: SlotOf<StatusKey>) =>
  tx.deleteFrom('statuses').where('user_id', '=', slot('user_id')).where('work_id', '=', slot('work_id')),
)

/** Throws invalid_params if the work would be finished before it was started. */
async function setDates(tx: Tx, { user_id, work_id }: StatusKey, dates: StatusDates): Promise<void> {
  const { started_on, finished_on } = await tx
    .updateTable('statuses')
    .set(dates)
    .where('user_id', '=', user_id)
    .where('work_id', '=', work_id)
    .returning(['started_on', 'finished_on'])
    .executeTakeFirstOrThrow()
  if (started_on === null || finished_on === null) return
  const known = Math.min(started_on.length, finished_on.length)
  if (finished_on.slice(0, known) < started_on.slice(0, known))
    throw invalidParams('finished_on must not be before started_on.')
}

/** Of a status that no activity tells of yet. */
export const nextActivity = sql<number>`(select ifnull(max(id), 0) + 1 from activities)`

/** Writes no activity. */
export const changeStatus = prepared((tx: Tx, slot: SlotOf<StatusChange>) =>
  tx
    .insertInto('statuses')
    .values({
      user_id: slot('user_id'),
      work_id: slot('work_id'),
      kind: slot('kind'),
      changed_at: slot('now'),
      private: privateOr(slot('private'), slot('user_id')),
      first_activity_id: sql`ifnull(${slot('activity')}, ${nextActivity})`,
    })
    .onConflict((row) =>
      row.doUpdateSet({
        kind: slot('kind'),
        changed_at: slot('now'),
        private: sql`ifnull(${slot('private')}, statuses.private)`,
      }),
    ),
)

const setMark = prepared((tx: Tx, slot: SlotOf<StatusKey & { private: number }>) =>
  tx
    .updateTable('statuses')
    .set({ private: slot('private') })
    .where('user_id', '=', slot('user_id'))
    .where('work_id', '=', slot('work_id')),
)
