import type { BangumiItem } from './sources'
import { dateOf, day, hour, instant, isDate, isDayOnly } from './times'

/** The release day in Annict's sense, or null. An air date weeks from the item's begin is another edition's: ignored. */
export function releasedOn(item: Dated, airDate: string | undefined): string | null {
  const begun = begunOn(item)
  if (airDate === undefined || !isDate(airDate)) return begun
  if (begun === null) return airDate
  return Math.abs(Date.parse(airDate) - Date.parse(begun)) <= 30 * day ? airDate : begun
}

type Dated = Pick<BangumiItem, 'begin' | 'broadcast' | 'comment'>

// A Japanese broadcast day lasts until 29:00, which is 20:00 UTC.
function begunOn(item: Dated): string | null {
  const begin = instant(item.begin)
  if (begin === null) return null
  if (isDayOnly(item.begin)) return dateOf(isChineseDay(item) ? begin + day : begin)
  return dateOf(begin + 4 * hour)
}

// In newer items (with both keys) a day without an hour is midnight in China, in older ones the date as written.
const isChineseDay = (item: Dated) => item.comment !== undefined && item.broadcast !== undefined
