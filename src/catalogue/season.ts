import type { BangumiItem } from './default/sources'
import { dateOf, day } from './default/times'

/** Annict's name for the calendar quarter: `2023-10-01` is in `2023-autumn`. */
export function seasonName(date: string): string {
  const month = Number(date.slice(5, 7))
  return `${date.slice(0, 4)}-${quarters[Math.ceil(month / 3) - 1]}`
}

/** For works not listed by Annict. Series of 8+ weeks since 2015 are named after the quarter of most weeks (D59). */
export function seasonOf(
  { type, broadcast = '' }: Pick<BangumiItem, 'type' | 'broadcast'>,
  date: string,
  episodes: number,
): string {
  const isWeekly = type === 'tv' && date >= '2015' && episodes >= 8 && !broadcast.endsWith('/P0D')
  return seasonName(isWeekly ? dateOf(Date.parse(date) + 7 * day) : date)
}

/** The first and last quarter, counting from year 0. */
export function quartersOf(season: string): [first: number, last: number] {
  const [year, name = ''] = season.split('-')
  const start = Number(year) * 4
  const place = quarters.indexOf(name)
  return place === -1 ? [start, start + 3] : [start + place, start + place]
}

export function quarterOf(date: string, daysAfter: number): number {
  return quartersOf(seasonName(dateOf(Date.parse(date) + daysAfter * day)))[0]
}

export const quarters = ['winter', 'spring', 'summer', 'autumn']
