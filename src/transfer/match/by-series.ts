import type { Read } from '../../db/open'
import type { ListRow, Play } from '../row'
import { isOfSeries } from './by-id'
import { mappedGroup, placeMapped } from './by-mapping'
import { type Choices, chosenForSeason, sourceIdOf } from './choices'
import type { KnownWork } from './known-work'
import type { Doubt, Match, MatchWay } from './match'
import { isSplit, longWorkOf, type PlacedEpisode, worksNear, worksOfSeason } from './place-episode'
import { placeInGroup } from './place-in-group'
import { matched, unsure } from './results'
import { groupOfSeries, type MeantSeries } from './series-group'
import { lengthOfAll, renumbered, shifted, spread, withStatuses } from './spread'

/** Matches by a series' id at TMDB; undefined if none is known. */
export async function matchBySeries(
  read: Read,
  row: ListRow,
  { choices, doubt }: { readonly choices: Choices; readonly doubt: Doubt },
): Promise<readonly Match[] | undefined> {
  for (const ref of row.refs.filter(isOfSeries)) {
    const { site, id, season } = ref
    // How TheTVDB's series map to TMDB's may not be redistributed: only mapping files say it.
    const group =
      site === 'tvdb' ? await mappedGroup(read, ref) : await groupOfSeries(read, id.replace('tv/', ''))
    if (group === undefined || group.works.length === 0) continue
    const doubted = await doubt(group.works, site)
    return doubted === undefined
      ? await matchInGroup(read, row, { group, season, way: site, choices })
      : [doubted]
  }
  return undefined
}

/** Matches a row about a series: its works that the row has plays of, or one season. */
export const matchInGroup = async (
  read: Read,
  row: ListRow,
  meant: MeantSeries,
): Promise<readonly Match[]> =>
  (row.plays ?? []).length > 0 ? await matchPlays(read, row, meant) : matchSeason(row, meant)

/** A match for each work of a series that the row has plays of, and one for each doubtful season. */
async function matchPlays(read: Read, row: ListRow, meant: MeantSeries): Promise<readonly Match[]> {
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
  row: ListRow,
  { group, later, way, choices, seasons }: MeantSeries & { readonly seasons: Seasons },
  { season, episode }: Pick<Play, 'season' | 'episode'>,
): Promise<FoundEpisode | undefined> {
  const chosen = await chosenForSeason(read, choices, row, season)
  if (chosen !== undefined) return { way: 'choice', work: chosen.work, episode: episode + chosen.offset }
  const mapped = await placeMapped(read, { refs: row.refs, season, episode })
  if (mapped !== undefined && 'work' in mapped)
    return { way, work: mapped.work, episode: mapped.episode ?? episode }
  const isLater = later?.means(season) === true
  const meant = isLater ? { season: undefined, episode } : { season, episode }
  const found = await placeInGroup(read, isLater ? later.group : group, meant, way === 'title')
  if ('work' in found) return { ...found, way }
  const [long] = found.works
  const isWhole = found.reason === 'numbering' && seasons.all === (long?.count ?? row.total)
  const before = isWhole ? seasons.before.get(season) : undefined
  return long === undefined || before === undefined
    ? undefined
    : { way, work: long, episode: before + episode }
}

function addTo(left: Map<number | undefined, Play[]>, season: number | undefined, play: Play): void {
  const plays = left.get(season) ?? []
  plays.push(play)
  left.set(season, plays)
}

function matchPlaced(row: ListRow, { group }: MeantSeries, played: readonly PlayedWork[]): readonly Match[] {
  const places = new Map(group.works.map(({ id }, at) => [id, at]))
  const placeOf = ({ work }: PlayedWork) => places.get(work.id) ?? places.size
  const inOrder = played.toSorted((one, other) => placeOf(one) - placeOf(other))
  const shares = inOrder.map(({ work, plays }) => ({ work, row: { ...row, total: undefined, plays } }))
  return withStatuses(row, shares).map((share, at) => matched(share, inOrder[at]?.way ?? 'title'))
}

/** Separate matches, because choices are stored by season. */
function matchLeft(
  row: ListRow,
  { group, way, seasons }: MeantSeries & { readonly seasons: Seasons },
  left: ReadonlyMap<number | undefined, readonly Play[]>,
  isPart: boolean,
): readonly Match[] {
  return [...left].map(([season, plays], at) => {
    const { title, refs, mayBeOther } = row
    const said = isPart || at > 0 ? { title, refs, mayBeOther } : row
    const part: ListRow = { ...said, sourceId: sourceIdOf(row, season), plays }
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

function matchSeason(row: ListRow, meant: MeantSeries): readonly Match[] {
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
function ofLongWork(row: ListRow, { group, season, way }: MeantSeries, long: KnownWork): Match {
  const works = [long, ...worksNear(group, season).filter((work) => work !== long)]
  const hasEpisodes = row.progress !== undefined && row.progress !== 0
  const reason = hasEpisodes ? 'numbering' : 'several_works'
  return unsure({ ...row, sourceId: sourceIdOf(row, season) }, reason, works, way)
}

/** A rating of a series, or a wish to watch it, is about its first work. */
const isOfFirst = ({ status, progress }: ListRow) =>
  status === 'wanna_watch' || (status === undefined && progress === undefined)

/** The works that a row's episodes run through; empty if that is uncertain. */
function countedThrough(
  row: ListRow,
  works: readonly KnownWork[],
  { group, season }: MeantSeries,
): readonly KnownWork[] {
  const isSaid = season !== undefined && works.every(({ id }) => group.seasons.get(id) === season)
  if (works.length < 2 || lengthOfAll(works) === row.total || isSaid) return works
  return season !== undefined && !isSplit(works[0], works[1]) ? works.slice(0, 1) : []
}
