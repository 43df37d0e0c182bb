import type { Read } from '../../db/open'
import type { Row } from '../row'
import { isOfSeries } from './by-id'
import { matchPlays } from './by-plays'
import { type Choices, sourceIdOf } from './choices'
import type { Doubt } from './contradiction'
import type { KnownWork } from './known-work'
import type { Match } from './match'
import { isSplit, longWorkOf, worksNear, worksOfSeason } from './place-episode'
import { matched, unsure } from './results'
import { groupOfSeries, type MeantSeries } from './series-group'
import { lengthOfAll, spread } from './spread'

/** Matches by a series' id at TMDB; undefined if none is known. */
export async function matchBySeries(
  read: Read,
  row: Row,
  { choices, doubt }: { readonly choices: Choices; readonly doubt: Doubt },
): Promise<readonly Match[] | undefined> {
  for (const { site, id, season } of row.refs.filter(isOfSeries)) {
    // How its series map to TMDB's may not be redistributed.
    if (site === 'tvdb') continue
    const series = id.replace('tv/', '')
    const group = await groupOfSeries(read, series)
    if (group.works.length === 0) continue
    const doubted = await doubt(group.works, site)
    return doubted === undefined
      ? await matchInGroup(read, row, { group, season, series, way: site, choices })
      : [doubted]
  }
  return undefined
}

/** Matches a row about a series: its works that the row has plays of, or one season. */
export const matchInGroup = async (read: Read, row: Row, meant: MeantSeries): Promise<readonly Match[]> =>
  (row.plays ?? []).length > 0 ? await matchPlays(read, row, meant) : matchSeason(row, meant)

function matchSeason(row: Row, meant: MeantSeries): readonly Match[] {
  const { group, season, way } = meant
  const long = longWorkOf(group, season, way === 'title')
  if (long !== undefined) return [ofLongWork(row, meant, long)]
  const works = worksOfSeason(group, season)
  const counted = isOfFirst(row) ? works.slice(0, 1) : countedThrough(row, works, meant)
  return counted.length > 0
    ? spread(row, counted).map((share) => matched(share, way))
    : [unsure({ ...row, sourceId: sourceIdOf(row, season) }, 'several_works', worksNear(group, season), way)]
}

/** Only episodes depend on where the season begins. */
function ofLongWork(row: Row, { group, season, way }: MeantSeries, long: KnownWork): Match {
  const works = [long, ...worksNear(group, season).filter((work) => work !== long)]
  const hasEpisodes = row.progress !== undefined && row.progress !== 0
  const reason = hasEpisodes ? 'numbering' : 'several_works'
  return unsure({ ...row, sourceId: sourceIdOf(row, season) }, reason, works, way)
}

/** A rating of a series, or a wish to watch it, is about its first work. */
const isOfFirst = ({ status, progress }: Row) =>
  status === 'wanna_watch' || (status === undefined && progress === undefined)

/** The works that a row's episodes run through; empty if that is uncertain. */
function countedThrough(
  row: Row,
  works: readonly KnownWork[],
  { group, season }: MeantSeries,
): readonly KnownWork[] {
  const isSaid = season !== undefined && works.every(({ id }) => group.seasons.get(id) === season)
  if (works.length < 2 || lengthOfAll(works) === row.total || isSaid) return works
  return season !== undefined && !isSplit(works[0], works[1]) ? works.slice(0, 1) : []
}
