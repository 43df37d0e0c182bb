import type { Item } from './sources'
import { dateOf, day, hour, instant, isDate, isDayOnly } from './times'

/** Annict's day, or null. An air date weeks from the item's begin belongs to another edition and is ignored. */
export function releasedOn(item: Dated, airDate: string | undefined): string | null {
  const begun = begunOn(item)
  if (airDate === undefined || !isDate(airDate)) return begun
  if (begun === null) return airDate
  return Math.abs(Date.parse(airDate) - Date.parse(begun)) <= 30 * day ? airDate : begun
}

type Dated = Pick<Item, 'begin' | 'broadcast' | 'comment'>

// A Japanese broadcast day lasts until 29:00, which is 20:00 UTC.
function begunOn(item: Dated): string | null {
  const begin = instant(item.begin)
  if (begin === null) return null
  if (isDayOnly(item.begin)) return dateOf(isChineseDay(item) ? begin + day : begin)
  return dateOf(begin + 4 * hour)
}

// A bare day of newer items (with both keys) is midnight in China; of older ones the date as written.
const isChineseDay = (item: Dated) => item.comment !== undefined && item.broadcast !== undefined
