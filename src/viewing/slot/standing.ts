import { sql } from 'kysely'
import { isGrowing } from '../../catalogue/estimate/broadcast-rule'
import { preparedSql } from '../../db/prepared'
import { localTime } from '../../lib/local-time'
import { type Habit, habitsOf } from '../../library/showings/habit'
import { dateOfDay, type OwnSlot, ownSlots, weekdayOfDay } from '../../library/showings/own-slot'
import { broadcastZone, clockOfMinute } from '../../library/showings/slots'
import { readerTime } from '../../pages/local-format'
import type { MemberVisit } from '../../web/visit'
import { isPlainNumber } from '../parts/episode-name'
import type { ShownWork } from '../work/view'

export const slotFields = [
  ...(['weekday', 'time', 'channel_id', 'first_episode', 'begins_on', 'time_zone', 'every_weeks'] as const),
]

export type SlotTexts = Readonly<Record<(typeof slotFields)[number], string>>

export interface Standing {
  readonly slot: OwnSlot | undefined
  readonly habit: Habit | undefined
  readonly next: NextNumber | undefined
}

export async function standingOf(
  { deps, session, now, preferences }: MemberVisit,
  work: ShownWork,
): Promise<Standing> {
  const user = session.userId
  const slot = (await ownSlots(deps.seen, { user })).find(({ work_id }) => work_id === work.id)
  const habits = await habitsOf(deps.seen, [work.id], { user, now, timeZone: preferences.timeZone })
  const [next] = await nextNumber(deps.seen, { user, work: work.id })
  return { slot, habit: habits.get(work.id), next }
}

export interface NextNumber {
  readonly number: string | null
  readonly may_grow: number
  readonly last_number: string | null
}

/** Uses episodes_work, episodes_work_place and records_user_episode. */
const nextNumber = preparedSql<NextNumber, { user: number; work: number }>(
  (slot) => sql`
    select (select e.number from episodes as e where e.work_id = works.id and e.hidden = 0
        and not exists (select 1 from records where user_id = ${slot('user')} and episode_id = e.id)
        and not exists (select 1 from skips where user_id = ${slot('user')} and episode_id = e.id)
      order by e.sort_number, e.id limit 1) as number,
      ${sql.raw(isGrowing)} as may_grow,
      (select e.number from episodes as e where e.work_id = works.id and e.hidden = 0
        order by e.sort_number desc, e.id desc limit 1) as last_number
    from works where id = ${slot('work')}`,
)

/** What the work has; else a habit, the first broadcast, or today. */
export function textsOf(visit: MemberVisit, work: ShownWork, { slot, habit, next }: Standing): SlotTexts {
  const { now, preferences } = visit
  const today = localTime(now, broadcastZone).dayNumber
  const first = next?.number ?? String(work.episodes_count + 1)
  const fresh = {
    ...{ first_episode: isPlainNumber(first) ? first : '1', begins_on: dateOfDay(today) },
    ...{ channel_id: '', every_weeks: '1', time_zone: broadcastZone },
  }
  if (slot !== undefined)
    return {
      ...{ weekday: String(slot.weekday), time: clockOfMinute(slot.minute), time_zone: slot.time_zone },
      ...{ first_episode: String(slot.first_episode), begins_on: slot.begins_on },
      ...{ channel_id: String(slot.channel_id ?? ''), every_weeks: String(slot.every_weeks) },
    }
  if (habit !== undefined) {
    const time_zone = preferences.timeZone
    return { ...fresh, weekday: String(habit.weekday), time: clockOfMinute(habit.minute), time_zone }
  }
  if (work.broadcast_begin === null) return { ...fresh, weekday: String(weekdayOfDay(today)), time: '' }
  const { clock, weekday } = readerTime(
    { preferences: { ...preferences, timeZone: broadcastZone, hasLongNights: true } },
    work.broadcast_begin,
  )
  return { ...fresh, weekday: String(weekday), time: clock }
}
