import type { Read } from '../../db/open'
import type { Play, Row } from '../row'
import { chosenWork, sourceIdOf } from './choices'
import type { KnownWork } from './known-work'
import type { Match, MatchWay } from './match'
import { type PlacedEpisode, placeEpisode, worksNear, worksOfSeason } from './place-episode'
import { matched, unsure } from './results'
import { type MeantSeries, specialOfSeries } from './series-group'
import { renumbered, withStatuses } from './spread'

/** A match for each work of a series that the row has plays of, and one for each doubtful season. */
export async function matchPlays(read: Read, row: Row, meant: MeantSeries): Promise<readonly Match[]> {
  const placed = new Map<number, PlayedWork>()
  const left = new Map<number | undefined, Play[]>()
  for (const [at, play] of (row.plays ?? []).entries()) {
    // Gives other requests their turn.
    if (at % playsAtOnce === playsAtOnce - 1) await new Promise(setImmediate)
    const season = play.season ?? meant.season
    const found = await place(read, row, meant, { ...play, season })
    if (found === undefined) addTo(left, season, play)
    else {
      const { way, work, episode } = found
      const plays: Play[] = placed.get(work.id)?.plays ?? []
      plays.push(renumbered(play, episode - play.episode))
      placed.set(work.id, { way, work, plays })
    }
  }
  return [...matchPlaced(row, meant, [...placed.values()]), ...matchLeft(row, meant, left, placed.size > 0)]
}

/** Takes about 2 ms. */
const playsAtOnce = 1000

interface PlayedWork {
  readonly way: MatchWay
  readonly work: KnownWork
  readonly plays: Play[]
}

type FoundEpisode = PlacedEpisode & Pick<PlayedWork, 'way'>

/** Choices of the user take precedence. */
async function place(
  read: Read,
  row: Row,
  { group, series, way, choices }: MeantSeries,
  { season, episode }: Pick<Play, 'season' | 'episode'>,
): Promise<FoundEpisode | undefined> {
  const chosen = await chosenWork(read, choices, sourceIdOf(row, season))
  if (chosen !== undefined) return { way: 'choice', work: chosen.work, episode: episode + chosen.offset }
  if (season === 0) {
    const special = series === undefined ? undefined : await specialOfSeries(read, series, episode)
    return special && { way, work: special, episode: 1 }
  }
  const placed = placeEpisode(group, season, episode)
  return placed && { ...placed, way }
}

function addTo(left: Map<number | undefined, Play[]>, season: number | undefined, play: Play): void {
  const plays = left.get(season) ?? []
  plays.push(play)
  left.set(season, plays)
}

function matchPlaced(row: Row, { group }: MeantSeries, played: readonly PlayedWork[]): readonly Match[] {
  const places = new Map(group.works.map(({ id }, at) => [id, at]))
  const placeOf = ({ work }: PlayedWork) => places.get(work.id) ?? places.size
  const inOrder = played.toSorted((one, other) => placeOf(one) - placeOf(other))
  const shares = inOrder.map(({ work, plays }) => ({ work, row: { ...row, total: undefined, plays } }))
  return withStatuses(row, shares).map((share, at) => matched(share, inOrder[at]?.way ?? 'title'))
}

/** Separate matches, because choices are stored by season. */
function matchLeft(
  row: Row,
  { group, way }: MeantSeries,
  left: ReadonlyMap<number | undefined, readonly Play[]>,
  isPart: boolean,
): readonly Match[] {
  return [...left].map(([season, plays], at) => {
    const { title, refs, mayBeOther } = row
    const said = isPart || at > 0 ? { title, refs, mayBeOther } : row
    const part: Row = { ...said, sourceId: sourceIdOf(row, season), plays }
    const isKnown = season !== 0 && worksOfSeason(group, season).length > 0
    return unsure(part, isKnown ? 'episode_count_differs' : 'several_works', worksNear(group, season), way)
  })
}
