import type { Read } from '../../db/open'
import { isOfSeries, worksWithId } from './by-id'
import { contradiction } from './contradiction'
import { type KnownWork, knownWorks } from './known-work'
import { countThrough, type SeriesGroup } from './place-episode'
import { placeInGroup } from './place-in-group'
import { type PlacedPlay, placed, type UnplacedPlay, unplaced } from './placed-play'
import { continuedEpisode } from './relations'
import type { SaidName, SaidPlay } from './said-play'
import { groupsOfWorks } from './series-group'
import type { TitleIndex } from './title-index'

/**
 * By the id of one work, which servers often keep for all seasons of its series: a later season is looked up there, and so
 * is a number beyond its end. Undefined if no id is known.
 */
export async function placeByWorkId(
  read: Read,
  titles: TitleIndex,
  said: SaidPlay,
): Promise<PlacedPlay | UnplacedPlay | undefined> {
  for (const ref of said.refs.filter((one) => !isOfSeries(one))) {
    const works = withEpisodes(await worksWithId(read, ref))
    const [work] = works
    if (work === undefined) continue
    const doubt = await contradicted(read, titles, said, works)
    if (doubt !== undefined) return doubt
    const group = await groupAround(read, titles, works)
    return (said.season ?? 1) === 1
      ? await placeFrom(read, group, works, said.episode)
      : await placeIn(read, group, said, false)
  }
  return undefined
}

/** A series and the films cut from it may share an id: an episode is of the series. */
function withEpisodes(works: readonly KnownWork[]): readonly KnownWork[] {
  const series = works.filter(({ isWhole }) => !isWhole)
  return series.length > 0 ? series : works
}

/** By TMDB's series, else by name; the work alone if it is broadcast as part of none. */
async function groupAround(
  read: Read,
  { worksOfSeries }: TitleIndex,
  works: readonly KnownWork[],
): Promise<SeriesGroup> {
  const isIn = (group: SeriesGroup) => works.every(({ id }) => group.works.some((one) => one.id === id))
  const named = async () => {
    const ids = works.flatMap(({ title }) => worksOfSeries(title).map(({ id }) => id))
    return await groupsOfWorks(read, await knownWorks(read, [...new Set(ids)]))
  }
  const own = (await groupsOfWorks(read, works)).find((group) => isIn(group) && group.series.length > 0)
  return own ?? (await named()).find(isIn) ?? { series: [], works, seasons: new Map() }
}

async function placeFrom(
  read: Read,
  group: SeriesGroup,
  works: readonly KnownWork[],
  episode: number,
): Promise<PlacedPlay | UnplacedPlay> {
  const [work] = works
  if (work === undefined) return unplaced('no_work', [])
  // A film has no second episode: the id may be one that a server keeps for what came after it.
  if (work.isWhole && episode > 1) return unplaced('no_episode', [...works, ...group.works])
  if (work.isWhole) return placed(work, episode, 'work_id')
  const related = continuedEpisode(work, episode)
  const meant = related === undefined ? [] : await worksWithIds(read, related.ids)
  const at = group.works.findIndex(({ id }) => id === work.id)
  const rest = works.length > 1 ? works : group.works.slice(Math.max(0, at))
  const found =
    related === undefined || meant.length === 0
      ? countThrough(rest, episode)
      : countThrough(meant, related.episode)
  return found === undefined
    ? unplaced('no_episode', [...works, ...group.works])
    : placed(found.work, found.episode, 'work_id')
}

/** By the first of `mal:21`, `anilist:21` that is known. */
async function worksWithIds(read: Read, ids: readonly string[]): Promise<readonly KnownWork[]> {
  for (const known of ids) {
    const [site, id = ''] = known.split(':')
    const works = await worksWithId(read, { site: site === 'mal' ? site : 'anilist', id })
    if (works.length > 0) return works
  }
  return []
}

/** Undefined if title and time do not contradict the id. */
export async function contradicted(
  read: Read,
  titles: TitleIndex,
  said: SaidName,
  works: readonly KnownWork[],
): Promise<UnplacedPlay | undefined> {
  const named = await contradiction(read, works, said, async () => titles)
  return named && unplaced('contradiction', [...(await knownWorks(read, named.slice(0, 2))), ...works])
}

/** Within a series. `isNamed`: it was found by its name only. */
export async function placeIn(
  read: Read,
  group: SeriesGroup,
  said: SaidPlay,
  isNamed: boolean,
): Promise<PlacedPlay | UnplacedPlay> {
  const found = await placeInGroup(read, group, said, isNamed)
  return 'work' in found ? placed(found.work, found.episode, found.rule) : unplaced(found.reason, found.works)
}
