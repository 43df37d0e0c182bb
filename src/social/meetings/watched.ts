import { sql } from 'kysely'
import { preparedSql } from '../../db/prepared'
import type { Tx } from '../../db/write'
import type { Deps } from '../../deps'
import { RecordedBefore } from '../../library/acts/act'
import { recordTogether } from '../../library/acts/record-acts'
import { actWithin } from '../../library/acts/write-act'
import { seenRow } from '../user-lookup'
import { tell } from './meetings'

type WatchedDeps = Pick<Deps, 'readBare' | 'write' | 'now' | 'wallClock'>

/** `early`: it has not begun. `apart`: they are not in it, or it was cancelled. `before`: somebody pressed it before. */
export type WatchedOutcome = 'done' | 'early' | 'apart' | 'before'

/**
 * Somebody who is in it says that they watched it: once. It is recorded for those who agreed to that beforehand, each by an act
 * of their own; the others are asked. Throws not_found for a date that they may not see.
 */
export async function watchedTogether(
  deps: WatchedDeps,
  userId: number,
  id: number,
): Promise<WatchedOutcome> {
  const at = deps.now()
  const outcome = await deps.write(async (tx): Promise<WatchedOutcome> => {
    await seenRow(tx, userId, 'meetings', id)
    const meeting = await tx
      .selectFrom('meetings')
      .innerJoin('meeting_people', 'meeting_id', 'id')
      .select(['begins_at', 'done_at'])
      .where('id', '=', id)
      .where('meeting_people.user_id', '=', userId)
      .where('answer', '=', 'in')
      .where('cancelled_at', 'is', null)
      .executeTakeFirst()
    if (meeting === undefined) return 'apart'
    if (meeting.done_at !== null) return 'before'
    if (meeting.begins_at > at) return 'early'
    await tx
      .updateTable('meetings')
      .set({ done_at: at, done_by: userId, marks_open: 1 })
      .where('id', '=', id)
      .execute()
    const hasNot = sql`answer in ('in', 'maybe') and (marks_too = 0 or answer = 'maybe') and exists (
      select 1 from meeting_episodes where meeting_episodes.meeting_id = ${id} and not exists (
        select 1 from records where records.user_id = told.id and records.episode_id = meeting_episodes.episode_id))`
    await tell(tx, { meeting: id, by: userId, step: 'watched', at, who: hasNot })
    return 'done'
  })
  if (outcome === 'done') await finishMarking(deps)
  return outcome
}

interface Marking {
  readonly meeting: number
  readonly user: number
  readonly work: number
  readonly begins_at: number
  /** JSON. */
  readonly episodes: string
}

/**
 * Records it for those for whom that has not been done yet, one person a write (promise 11). May be interrupted and called
 * again, also several times at once. Who left meanwhile gets nothing.
 */
export async function finishMarking(deps: WatchedDeps): Promise<void> {
  for (;;) {
    const open = await deps.readBare
      .selectFrom('meetings')
      .select('id')
      .where('marks_open', '=', 1)
      .executeTakeFirst()
    if (open === undefined) return
    for (const one of await unmarked(deps.readBare, { id: open.id }))
      await deps.write((tx) => markFor(tx, one, { at: deps.now(), believed: deps.wallClock.believed() }))
    await deps.write((tx) =>
      tx.updateTable('meetings').set({ marks_open: 0 }).where('id', '=', open.id).execute(),
    )
  }
}

const unmarked = preparedSql<Marking, { id: number }>(
  (slot) => sql`
    select meetings.id as meeting, meeting_people.user_id as user, work_id as work, begins_at,
      (select json_group_array(episode_id) from meeting_episodes where meeting_id = meetings.id) as episodes
    from meetings join meeting_people on meeting_id = meetings.id
    where meetings.id = ${slot('id')} and answer = 'in' and marks_too = 1 and marked_at is null
    order by meeting_people.user_id`,
)

async function markFor(
  tx: Tx,
  { meeting, user, work, begins_at, episodes }: Marking,
  { at, believed }: { readonly at: number; readonly believed: number },
): Promise<void> {
  const [own] = await tx
    .updateTable('meeting_people')
    .set({ marked_at: at })
    .where('meeting_id', '=', meeting)
    .where('user_id', '=', user)
    .where('marked_at', 'is', null)
    .returning('user_id')
    .execute()
  if (own === undefined) return
  const isHere = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', user)
    .where('disabled_at', 'is', null)
    .executeTakeFirst()
  if (isHere === undefined) return
  let record = 0
  const opening = { tx, userId: user, now: at, isLate: false }
  await actWithin(opening, believed, 'record', async (act) => {
    const marked = await recordTogether(act, {
      ...{ workId: work, episodeIds: JSON.parse(episodes), watchedAt: begins_at },
    })
    record = marked.lastRecord
    return marked
  }).catch((cause: unknown) => {
    if (!(cause instanceof RecordedBefore)) throw cause
  })
  await sql`
    update meeting_people set activity_id = (
      select id from activities where record_id = ${record}
      union all select activity_id from activity_records where record_id = ${record})
    where meeting_id = ${meeting} and user_id = ${user} and ${record} > 0`.execute(tx)
}

const hour = 3_600_000
const mostAtOnce = 50

/** Tells those who come that it begins within an hour, once. Whatever interrupts it, the next run goes on. */
export async function remindOfMeetings(deps: WatchedDeps): Promise<void> {
  await finishMarking(deps)
  const now = deps.now()
  const due = await deps.readBare
    .selectFrom('meetings')
    .select('id')
    .where('begins_at', '<=', now + hour) // uses meetings_due
    .where('begins_at', '>', now)
    .where('reminded_at', 'is', null)
    .where('done_at', 'is', null)
    .where('cancelled_at', 'is', null)
    .limit(mostAtOnce)
    .execute()
  for (const { id } of due)
    await deps.write(async (tx) => {
      const [told] = await tx
        .updateTable('meetings')
        .set({ reminded_at: now })
        .where('id', '=', id)
        .where('reminded_at', 'is', null)
        .where('cancelled_at', 'is', null)
        .returning('id')
        .execute()
      if (told !== undefined)
        await tell(tx, { meeting: id, by: null, step: 'soon', at: now, who: sql`answer in ('in', 'maybe')` })
    })
}
