import type { Read } from '../../db/open'
import type { Row } from '../row'
import { isOfSeries } from './by-id'
import { matchPlays } from './by-plays'
import { type Choices, sourceIdOf } from './choices'
import type { KnownWork } from './known-work'
import type { Match } from './match'
import { isSplit, worksNear, worksOfSeason } from './place-episode'
import { matched, unsure } from './results'
import { groupOfSeries, type MeantSeries } from './series-group'
import { lengthOfAll, spread } from './spread'

/** By the id of a series at TMDB; undefined where none is known. */
export async function matchBySeries(
  read: Read,
  row: Row,
  choices: Choices,
): Promise<readonly Match[] | undefined> {
  for (const { site, id, season } of row.refs.filter(isOfSeries)) {
    // Nobody may pass on which of its series is which at TMDB.
    if (site === 'tvdb') continue
    const series = id.replace('tv/', '')
    const group = await groupOfSeries(read, series)
    if (group.works.length > 0)
      return await matchInGroup(read, row, { group, season, series, way: site, choices })
  }
  return undefined
}

/** A row that is about a series: about those of its works that it has plays of, or about a season. */
export const matchInGroup = async (read: Read, row: Row, meant: MeantSeries): Promise<readonly Match[]> =>
  (row.plays ?? []).length > 0 ? await matchPlays(read, row, meant) : matchSeason(row, meant)

function matchSeason(row: Row, meant: MeantSeries): readonly Match[] {
  const { group, season, way } = meant
  const works = worksOfSeason(group, season)
  const counted = isOfFirst(row) ? works.slice(0, 1) : countedThrough(row, works, meant)
  return counted.length > 0
    ? spread(row, counted).map((share) => matched(share, way))
    : [unsure({ ...row, sourceId: sourceIdOf(row, season) }, 'several_works', worksNear(group, season), way)]
}

/** A rating of a series, or a wish to see it, is about the first of its works. */
const isOfFirst = ({ status, progress }: Row) =>
  status === 'wanna_watch' || (status === undefined && progress === undefined)

/** The works whose episodes a row counts through; empty where that is not sure. */
function countedThrough(
  row: Row,
  works: readonly KnownWork[],
  { group, season }: MeantSeries,
): readonly KnownWork[] {
  const isSaid = season !== undefined && works.every(({ id }) => group.seasons.get(id) === season)
  if (works.length < 2 || lengthOfAll(works) === row.total || isSaid) return works
  return season !== undefined && !isSplit(works[0], works[1]) ? works.slice(0, 1) : []
}
