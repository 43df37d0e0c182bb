import { type RawBuilder, sql } from 'kysely'
import { survivor } from '../../catalogue/survivors'
import { preparedSql } from '../../db/prepared'
import { instantOf } from '../../lib/local-time'

/** When a person watches a work, or what they know of its broadcast (D80). */
export interface OwnSlot {
  readonly work_id: number
  /** 0 is Sunday; a time after midnight belongs to the evening before. */
  readonly weekday: number
  /** Since the evening's midnight, up to 29:59. */
  readonly minute: number
  readonly time_zone: string
  readonly every_weeks: number
  /** `YYYY-MM-DD`, the evening of the first episode. */
  readonly begins_on: string
  /** The number of the first episode. */
  readonly first_episode: number
  /** JSON of the evenings without a broadcast; it and what follows come a week later. */
  readonly skipped: string
  readonly ended_at: number | null
  readonly changed_at: number
  readonly channel_id: number | null
  readonly channel: string | null
  /** How many shown episodes precede the first one. */
  readonly base: number
}

const slotsOf = (user: RawBuilder<number>, condition: RawBuilder<unknown>) => sql<OwnSlot>`
    select s.work_id, s.weekday, s.minute, s.time_zone, s.every_weeks, s.begins_on, s.first_episode, s.skipped, s.ended_at,
      s.changed_at, channels.id as channel_id, channels.name as channel,
      ifnull((
        select (select count(*) from episodes as e
          where e.work_id = first.work_id and e.hidden = 0 and (e.sort_number, e.id) < (first.sort_number, first.id))
        from episodes as first
        where first.work_id = s.work_id and first.number = cast(s.first_episode as text) and first.hidden = 0
        order by first.sort_number, first.id limit 1), s.first_episode - 1) as base
    from own_slots as s join works on works.id = s.work_id and works.hidden = 0
      left join channels on channels.id = ${survivor('channels', sql.ref('s.channel_id'))} and channels.hidden = 0
    where s.user_id = ${user} and ${condition}
    order by s.work_id`

/** The slots that have not ended, by work. A first episode that the list does not have yet comes after it. */
export const ownSlots = preparedSql<OwnSlot, { user: number }>((slot) =>
  slotsOf(slot('user'), sql`s.ended_at is null`),
)

export const slotsEndedSince = preparedSql<OwnSlot, { user: number; since: number }>((slot) =>
  slotsOf(slot('user'), sql`s.ended_at >= ${slot('since')}`),
)

const dayLength = 86_400_000

/** Days since 1970-01-01. */
export const dayNumberOf = (date: string): number => Date.parse(`${date}T00:00:00Z`) / dayLength

export const dateOfDay = (dayNumber: number): string =>
  new Date(dayNumber * dayLength).toISOString().slice(0, 10)

export const weekdayOfDay = (dayNumber: number): number => (((dayNumber + 4) % 7) + 7) % 7

/** The first such day from `dayNumber` on. */
export const nextWeekday = (dayNumber: number, weekday: number): number =>
  dayNumber + ((weekday - weekdayOfDay(dayNumber) + 7) % 7)

const skippedDays = ({ skipped }: Pick<OwnSlot, 'skipped'>): readonly number[] =>
  (JSON.parse(skipped) as readonly string[]).map(dayNumberOf)

type Evenings = Pick<OwnSlot, 'begins_on' | 'every_weeks' | 'skipped'>

/** The evenings of the slot as days since 1970-01-01, without an end. */
function* eveningsOf(slot: Evenings): Generator<number> {
  const skipped = new Set(skippedDays(slot))
  for (let day = dayNumberOf(slot.begins_on); ; day += 7 * slot.every_weeks) {
    while (skipped.has(day)) day += 7
    yield day
  }
}

/** When the wall clock of the slot's zone shows its time on an evening, in epoch milliseconds. */
export const slotTime = ({ minute, time_zone }: Pick<OwnSlot, 'minute' | 'time_zone'>, evening: number) =>
  instantOf(evening * dayLength + minute * 60_000, time_zone)

export interface TimeSpan {
  /** Epoch milliseconds, from the first to before the second. */
  readonly from: number
  readonly until: number
}

export interface Occurrence {
  /** Counted from 0. */
  readonly k: number
  readonly at: number
}

/** Those in the span among the first `most`. */
export function slotOccurrences(
  slot: Evenings & Pick<OwnSlot, 'minute' | 'time_zone'>,
  { from, until }: TimeSpan,
  most: number,
): readonly Occurrence[] {
  const found: Occurrence[] = []
  let k = 0
  for (const evening of eveningsOf(slot)) {
    // A time may be up to 30 hours after the evening's midnight, and a zone up to 14 from UTC.
    if (k >= most || evening * dayLength > until + dayLength) return found
    const at = evening * dayLength < from - 3 * dayLength ? undefined : slotTime(slot, evening)
    if (at !== undefined && at >= from && at < until) found.push({ k, at })
    k++
  }
  return found
}

/** The first evening from now on, as days since 1970-01-01: the one that "no broadcast this week" moves. */
export function nextEvening(slot: Evenings & Pick<OwnSlot, 'minute' | 'time_zone'>, now: number): number {
  for (const evening of eveningsOf(slot)) if (slotTime(slot, evening) > now) return evening
  throw new RangeError('evenings have no end')
}
