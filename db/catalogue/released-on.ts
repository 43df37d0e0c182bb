import type { Item } from './sources'
import { dateOf, day, hour, instant, isDate, isDayOnly } from './times'

/**
 * The day a work came out as Annict counts it, `YYYY-MM-DD`, or null when nobody knows. A known air date is best; but
 * one that is weeks away from the item's own begin belongs to another edition, a re-release, or is only a year.
 */
export function releasedOn(item: Dated, airDate: string | undefined): string | null {
  const begun = begunOn(item)
  if (airDate === undefined || !isDate(airDate)) return begun
  if (begun === null) return airDate
  return Math.abs(Date.parse(airDate) - Date.parse(begun)) <= 30 * day ? airDate : begun
}

type Dated = Pick<Item, 'begin' | 'broadcast' | 'comment'>

// Late night belongs to the evening before: a Japanese day lasts until 29:00, which is 20:00 UTC.
function begunOn(item: Dated): string | null {
  const begin = instant(item.begin)
  if (begin === null) return null
  if (isDayOnly(item.begin)) return dateOf(isChineseDay(item) ? begin + day : begin)
  return dateOf(begin + 4 * hour)
}

// Two conventions for a day alone. Newer items, known by having both keys, mean the Chinese midnight at which the day
// begins; older ones mean the date as it is written.
const isChineseDay = (item: Dated) => item.comment !== undefined && item.broadcast !== undefined
