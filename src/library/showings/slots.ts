import { sql } from 'kysely'
import { visibleRow, visibleWork } from '../../catalogue/lookups'
import { prepared, type SlotOf } from '../../db/prepared'
import type { Tx } from '../../db/write'
import { invalidParams } from '../../http/errors'
import { localTime } from '../../lib/local-time'
import { integerBetween, integerUpTo } from '../../values/number'
import { matching } from '../../values/text'
import { realDay } from '../../values/time'
import { mapped, type Value } from '../../values/value'
import { maxEpisodes } from '../next-episode'
import { dateOfDay, dayNumberOf, nextWeekday } from './own-slot'

/** `23:00`, or `25:30` for half past one in the night after; in minutes since the evening's midnight. */
export const slotClock: Value<number> = mapped(
  matching('^([01]?[0-9]|2[0-9]):[0-5][0-9]$', (t) => t.values.slotTime),
  (clock) => Number(clock.split(':')[0]) * 60 + Number(clock.split(':')[1]),
)

export const clockOfMinute = (minute: number): string =>
  `${Math.floor(minute / 60)}:${String(minute % 60).padStart(2, '0')}`

export const slotWeekday = integerBetween(0, 6)
export const slotEpisode = integerUpTo(maxEpisodes)
export const slotWeeks = integerUpTo(2)
export const slotDay = realDay((t) => t.values.realDay)

/** What a person says of a slot; what is left out is filled in by `newSlot`. */
export interface SlotChoice {
  readonly workId: number
  readonly weekday: number
  readonly minute: number
  readonly timeZone?: string | undefined
  /** By default, the number of the next unseen episode. */
  readonly firstEpisode?: number | undefined
  /** `YYYY-MM-DD`; the first such weekday from then on, by default from today on. */
  readonly beginsOn?: string | undefined
  readonly everyWeeks?: number | undefined
  readonly channelId?: number | undefined
}

export const broadcastZone = 'Asia/Tokyo'

/** The columns of a slot. Throws not_found for an unknown or hidden work or channel, invalid_params for a day far away. */
export async function newSlot(tx: Tx, user_id: number, choice: SlotChoice, now: number) {
  const { weekday, minute, timeZone: time_zone = broadcastZone, everyWeeks: every_weeks = 1 } = choice
  const work_id = await visibleWork(tx, choice.workId)
  const [work] = await slottedWork(tx, { user: user_id, work: work_id })
  if (work === undefined || work.no_episodes === 1)
    throw invalidParams('work_id must be the id of a work with episodes.')
  const today = localTime(now, time_zone).dayNumber
  const from = choice.beginsOn === undefined ? today : dayNumberOf(choice.beginsOn)
  if (Math.abs(from - today) > farthest)
    throw invalidParams(`begins_on must be at most ${farthest} days from today.`)
  const channel_id =
    choice.channelId === undefined ? null : await visibleRow(tx, 'channels', choice.channelId, 'The channel')
  return {
    ...{ user_id, work_id, weekday, minute, time_zone, every_weeks, channel_id },
    begins_on: dateOfDay(nextWeekday(from, weekday)),
    first_episode: choice.firstEpisode ?? Math.min(work.next_number, maxEpisodes),
    ...{ skipped: '[]', ended_at: null, changed_at: now },
  }
}

/** Days. */
const farthest = 400

/** `next_number`: of the first episode without a record or skip in any lap, else the one after the list. */
const slottedWork = prepared((tx: Tx, slot: SlotOf<{ user: number; work: number }>) =>
  tx
    .selectFrom('works')
    .select('no_episodes')
    .select(
      sql<number>`max(1, ifnull((
        select cast(e.number as integer) from episodes as e
        where e.work_id = works.id and e.hidden = 0 and cast(e.number as integer) > 0
          and not exists (select 1 from records where user_id = ${slot('user')} and episode_id = e.id)
          and not exists (select 1 from skips where user_id = ${slot('user')} and episode_id = e.id)
        order by e.sort_number, e.id limit 1), episodes_count + 1))`.as('next_number'),
    )
    .where('id', '=', slot('work')),
)

type NewSlot = Awaited<ReturnType<typeof newSlot>>

/** Slots without an end that one person may have. */
const mostSlots = 300

/** Setting the same again changes nothing. Throws invalid_params for one too many. */
export async function putSlot(tx: Tx, slot: NewSlot): Promise<void> {
  const { user_id, work_id, ...columns } = slot
  const { n } = await tx
    .selectFrom('own_slots')
    .select(({ fn }) => fn.countAll<number>().as('n'))
    .where('user_id', '=', user_id)
    .where('work_id', '<>', work_id)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (n >= mostSlots)
    throw invalidParams(`work_id must not be beyond ${mostSlots} works with a time of one’s own.`)
  const differs = Object.entries(columns)
    .filter(([name]) => name !== 'changed_at')
    .map(([name, value]) => sql`own_slots.${sql.ref(name)} is not ${value}`)
  await tx
    .insertInto('own_slots')
    .values(slot)
    .onConflict((row) => row.doUpdateSet(columns).where(sql<boolean>`(${sql.join(differs, sql` or `)})`))
    .execute()
}

type SlotKey = { readonly user_id: number; readonly work_id: number }

/** Whether there was one without an end. */
export async function endSlotOf(
  tx: Tx,
  { user_id, work_id, now }: SlotKey & { now: number },
): Promise<boolean> {
  const ended = await tx
    .updateTable('own_slots')
    .set({ ended_at: now, changed_at: now })
    .where('user_id', '=', user_id)
    .where('work_id', '=', work_id)
    .where('ended_at', 'is', null)
    .returning('work_id')
    .execute()
  return ended.length > 0
}
