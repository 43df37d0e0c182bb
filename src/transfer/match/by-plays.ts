import type { Read } from '../../db/open'
import type { Play, Row } from '../row'
import { chosenWork, sourceIdOf } from './choices'
import type { KnownWork } from './known-work'
import type { Match, MatchWay } from './match'
import { longWorkOf, type PlacedEpisode, placeEpisode, worksNear, worksOfSeason } from './place-episode'
import { matched, unsure } from './results'
import { type MeantSeries, specialOfSeries } from './series-group'
import { renumbered, shifted, withStatuses } from './spread'

/** A match for each work of a series that the row has plays of, and one for each doubtful season. */
export async function matchPlays(read: Read, row: Row, meant: MeantSeries): Promise<readonly Match[]> {
  const placed = new Map<number, PlayedWork>()
  const left = new Map<number | undefined, Play[]>()
  const seasons = seasonsIn(row.plays ?? [])
  for (const [at, play] of (row.plays ?? []).entries()) {
    // Gives other requests their turn.
    if (at % playsAtOnce === playsAtOnce - 1) await new Promise(setImmediate)
    const season = play.season ?? meant.season
    const found = await place(read, row, { ...meant, seasons }, { ...play, season })
    if (found === undefined) addTo(left, season, play)
    else {
      const { way, work, episode } = found
      const plays: Play[] = placed.get(work.id)?.plays ?? []
      plays.push(renumbered(play, episode - play.episode))
      placed.set(work.id, { way, work, plays })
    }
  }
  return [
    ...matchPlaced(row, meant, [...placed.values()]),
    ...matchLeft(row, { ...meant, seasons }, left, placed.size > 0),
  ]
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
  { group, series, way, choices, seasons }: MeantSeries & { readonly seasons: Seasons },
  { season, episode }: Pick<Play, 'season' | 'episode'>,
): Promise<FoundEpisode | undefined> {
  const chosen = await chosenWork(read, choices, sourceIdOf(row, season))
  if (chosen !== undefined) return { way: 'choice', work: chosen.work, episode: episode + chosen.offset }
  if (season === 0) {
    const special = series === undefined ? undefined : await specialOfSeries(read, series, episode)
    return special && { way, work: special, episode: 1 }
  }
  const long = longWorkOf(group, season, way === 'title')
  if (long !== undefined) {
    const before = seasons.all === (long.count ?? row.total) ? seasons.before.get(season) : undefined
    return before === undefined ? undefined : { way, work: long, episode: before + episode }
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
  { group, way, seasons }: MeantSeries & { readonly seasons: Seasons },
  left: ReadonlyMap<number | undefined, readonly Play[]>,
  isPart: boolean,
): readonly Match[] {
  return [...left].map(([season, plays], at) => {
    const { title, refs, mayBeOther } = row
    const said = isPart || at > 0 ? { title, refs, mayBeOther } : row
    const part: Row = { ...said, sourceId: sourceIdOf(row, season), plays }
    const near = worksNear(group, season)
    const long = longWorkOf(group, season, way === 'title')
    if (long !== undefined) {
      const offset = seasons.before.get(season) ?? 0
      const works = [long, ...near.filter((work) => work !== long)]
      return { ...unsure(shifted(part, offset), 'numbering', works, way), offset }
    }
    const isKnown = season !== 0 && worksOfSeason(group, season).length > 0
    return unsure(part, isKnown ? 'episode_count_differs' : 'several_works', near, way)
  })
}

/** How far a list tells itself where the seasons of a long work begin. */
interface Seasons {
  /** The number of episodes before each season, as far as the seasons before it have no gap. */
  readonly before: ReadonlyMap<number | undefined, number>
  /** The number of all episodes; undefined if there is a gap. */
  readonly all: number | undefined
}

function seasonsIn(plays: readonly Play[]): Seasons {
  const numbers = new Map<number, Set<number>>()
  for (const { season = 0, episode } of plays)
    if (season > 0) numbers.set(season, (numbers.get(season) ?? new Set()).add(episode))
  const before = new Map<number | undefined, number>()
  let sum = 0
  for (let season = 1; ; season += 1) {
    before.set(season, sum)
    const own = numbers.get(season)
    if (own === undefined) return { before, all: numbers.size === season - 1 ? sum : undefined }
    if (Math.max(...own) !== own.size || own.has(0)) return { before, all: undefined }
    sum += own.size
  }
}
