import type { PageContext } from '../../pages/layout'

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
