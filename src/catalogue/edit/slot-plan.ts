import { isRealDate } from '../../lib/instant'

/** Broadcasts of one channel at the same time of the day. */
export interface ProgramSlot {
  /** `YYYY-MM-DD` in Japan: the evening of the first broadcast, or of the first week without one. */
  readonly beginsOn: string
  /** Since that evening's midnight in Japan, up to 29:59. */
  readonly minute: number
  /** Days from one evening to the next. */
  readonly every: number
  /** How many broadcasts there are; undefined: until the list ends. */
  readonly weeks: number | undefined
  /** Numbers, from 1, of the weeks without a broadcast: what follows comes a week later. */
  readonly skips: readonly number[]
  /** How many episodes come one after another on the first day. */
  readonly atOnce: number
}

export interface SlotEvening {
  /** `YYYY-MM-DD` in Japan. */
  readonly day: string
  /** Epoch milliseconds. */
  readonly at: number
  /** Places of its episodes, counted from 0 at the slot's first one; none in a week without a broadcast. */
  readonly places: readonly number[]
}

export const mostWeeks = 400

/** Evenings from the first to the last broadcast, for a list with `left` episodes from the slot's first one on. */
export function eveningsOf(slot: ProgramSlot, left: number): readonly SlotEvening[] {
  const { atOnce, skips, weeks = Math.min(broadcastsFor(left, atOnce), mostWeeks) } = slot
  const skipped = new Set(skips)
  const evenings: SlotEvening[] = []
  let broadcasts = 0
  for (let week = 1; broadcasts < weeks; week++) {
    const isFirst = broadcasts === 0
    const first = isFirst ? 0 : atOnce + broadcasts - 1
    const places = Array.from({ length: isFirst ? atOnce : 1 }, (_, at) => first + at)
    const evening = eveningOf(slot, week)
    if (skipped.has(week)) evenings.push({ ...evening, places: [] })
    else {
      evenings.push({ ...evening, places })
      broadcasts++
    }
  }
  return evenings
}

/** How many broadcasts a list of that many episodes takes. */
export const broadcastsFor = (episodes: number, atOnce: number): number => Math.max(0, episodes - atOnce + 1)

function eveningOf({ beginsOn, minute, every }: ProgramSlot, week: number) {
  const midnight = Date.parse(`${beginsOn}T00:00:00Z`) + (week - 1) * every * dayLength
  return {
    day: new Date(midnight).toISOString().slice(0, 10),
    at: midnight + minute * 60_000 - japanIsAhead,
  }
}

/**
 * Weeks without a broadcast as people write them: numbers from 1 and days, separated by commas or spaces. Returns the
 * numbers in order, or the part that is neither a number up to 400 nor one of the slot's days.
 */
export function readSkips(
  text: string,
  { beginsOn, every }: Pick<ProgramSlot, 'beginsOn' | 'every'>,
): readonly number[] | string {
  const weeks = new Set<number>()
  for (const part of text.normalize('NFKC').split(/[\s,、]+/)) {
    if (part === '') continue
    const week = isRealDate(part) ? daysBetween(beginsOn, part) / every + 1 : wholeNumber(part)
    if (week === undefined || !Number.isInteger(week) || week < 1 || week > mostWeeks) return part
    weeks.add(week)
  }
  return [...weeks].sort((one, other) => one - other)
}

const wholeNumber = (text: string) => (/^[0-9]{1,3}$/.test(text) ? Number(text) : undefined)

const daysBetween = (from: string, to: string) =>
  (Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / dayLength

const dayLength = 86_400_000
const japanIsAhead = 9 * 3_600_000
