import { localTime } from '../../lib/local-time'
import type { PageContext } from '../../pages/layout'

export const seasonNames = ['winter', 'spring', 'summer', 'autumn'] as const
export type SeasonName = (typeof seasonNames)[number]

/** A quarter of a year, or without `name` a whole year. */
export interface Season {
  readonly year: number
  readonly name: SeasonName | undefined
}

/** `2026-autumn` or `2026`; years from 1000, as in the catalogue. */
export function parseSeason(text: string): Season | undefined {
  const [, year, name] = /^([1-9][0-9]{3})(?:-([a-z]+))?$/.exec(text) ?? []
  if (year === undefined) return undefined
  const known = seasonNames.find((one) => one === name)
  return known === undefined && name !== undefined ? undefined : { year: Number(year), name: known }
}

export const seasonText = ({ year, name }: Season): string =>
  name === undefined ? `${year}` : `${year}-${name}`

/** The quarter containing a time in epoch milliseconds; winter begins in January. */
export function seasonAt(at: number, timeZone: string): Season {
  const { year, month } = localTime(at, timeZone)
  return { year, name: seasonNames[Math.floor((month - 1) / 3)] }
}

/** `by` quarters later, or for a whole year `by` years; undefined beyond what `parseSeason` accepts. */
export function seasonAfter({ year, name }: Season, by: number): Season | undefined {
  const place = name === undefined ? 0 : seasonNames.indexOf(name)
  const quarters = year * 4 + place + (name === undefined ? 4 * by : by)
  const later = Math.floor(quarters / 4)
  if (later < 1000 || later > 9999) return undefined
  return { year: later, name: name && seasonNames[quarters % 4] }
}

/** The range of its works' `season_rank`; for a year it includes 5, for works whose season is unknown. */
export function ranksOf({ year, name }: Season): { from: number; until: number } {
  if (name === undefined) return { from: year * 10 + 1, until: year * 10 + 5 }
  const rank = year * 10 + seasonNames.indexOf(name) + 1
  return { from: rank, until: rank }
}

interface Seasoned {
  readonly season_year: number | null
  readonly season: string | null
}

/** `2026年春`, `Spring 2026`; '' if unknown. */
export function seasonName({ t }: PageContext, { season_year, season }: Seasoned): string {
  if (season_year === null) return ''
  return isSeason(season) ? t.seasons.of(season_year, t.seasons.names[season]) : t.seasons.year(season_year)
}

const isSeason = (season: string | null): season is 'winter' | 'spring' | 'summer' | 'autumn' =>
  season !== null
