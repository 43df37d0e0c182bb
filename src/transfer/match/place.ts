import type { Read } from '../../db/open'
import { isOfSeries, worksWithId } from './by-id'
import { mappedGroup, placeMapped } from './by-mapping'
import { worksNamed } from './by-title'
import { type Choices, chosenWork } from './choices'
import { isOfYear } from './contradiction'
import { findGroup } from './find-group'
import { isOtherById } from './known-work'
import { contradicted, placeByWorkId, placeIn } from './place-by-work'
import { type PlacedPlay, placed, type UnplacedPlay, unplaced } from './placed-play'
import { mostOf } from './results'
import { choiceKeys, type SaidPlay } from './said-play'
import { groupOfSeries } from './series-group'
import type { TitleIndex } from './title-index'

export interface PlaceContext {
  readonly titles: TitleIndex
  /** What the person chose for series before, by `choiceKeys`. */
  readonly choices: Choices
}

/** The work and the episode that are meant, or why that is not sure: never a guess. Only reads. */
export async function place(
  read: Read,
  context: PlaceContext,
  said: SaidPlay,
): Promise<PlacedPlay | UnplacedPlay> {
  const taught = await placeTaught(read, context, said)
  if (taught !== undefined) return taught
  const mapped = said.isMovie ? undefined : await placeMapped(read, said)
  if (mapped !== undefined) return mapped
  const found = said.isMovie
    ? await placeFilm(read, context.titles, said)
    : ((await placeByWorkId(read, context.titles, said)) ?? (await placeInSeries(read, context.titles, said)))
  return 'work' in found ? withinList(found) : found
}

async function placeTaught(
  read: Read,
  { choices }: PlaceContext,
  said: SaidPlay,
): Promise<PlacedPlay | undefined> {
  if (choices.size === 0) return undefined
  for (const key of choiceKeys(said)) {
    const chosen = await chosenWork(read, choices, key)
    if (chosen === undefined) continue
    if (key.startsWith('title:') && isOtherById(chosen.work, said.refs)) continue
    return placed(chosen.work, said.episode + chosen.offset, 'taught')
  }
  return undefined
}

/** A number that the work cannot have is no episode of it. */
const withinList = (found: PlacedPlay): PlacedPlay | UnplacedPlay => {
  const { work, episode } = found
  const isIn = episode === null || (episode >= 1 && episode <= mostOf(work))
  return isIn ? found : unplaced('no_episode', [work])
}

/** By an id of the film, else by its title and year. */
async function placeFilm(read: Read, titles: TitleIndex, said: SaidPlay): Promise<PlacedPlay | UnplacedPlay> {
  for (const ref of said.refs) {
    const known = await worksWithId(read, ref)
    if (known.length === 0) continue
    // A series and the films cut from it may share an id.
    const whole = known.filter(({ isWhole }) => isWhole)
    const works = whole.length > 0 ? whole : known
    const doubt = await contradicted(read, titles, said, works)
    if (doubt !== undefined) return doubt
    const [work, another] = works
    if (work !== undefined && another === undefined) return placed(work, 1, 'work_id')
    return unplaced('several_works', works)
  }
  const named = said.titles.flatMap((title) => titles.worksCalled(title))
  const films = (await worksNamed(read, named)).filter(
    (work) => work.isWhole && !isOtherById(work, said.refs),
  )
  const year = said.year ?? (said.airDate === undefined ? undefined : Number(said.airDate.slice(0, 4)))
  const [film, another] = year === undefined ? films : films.filter(isOfYear(year))
  if (film === undefined) return unplaced('no_work', films)
  if (another !== undefined) return unplaced('several_works', films)
  return year === undefined ? unplaced('title_only', films) : placed(film, 1, 'title')
}

async function placeInSeries(
  read: Read,
  titles: TitleIndex,
  said: SaidPlay,
): Promise<PlacedPlay | UnplacedPlay> {
  for (const ref of said.refs.filter(isOfSeries)) {
    const isTmdb = ref.site === 'tmdb'
    const group = isTmdb ? await groupOfSeries(read, ref.id.replace('tv/', '')) : await mappedGroup(read, ref)
    if (group === undefined || group.works.length === 0) continue
    // TheTVDB's seasons are its own.
    return (
      (await contradicted(read, titles, said, group.works)) ?? (await placeIn(read, group, said, !isTmdb))
    )
  }
  const found = await findGroup(read, titles, said)
  if ('reason' in found) return unplaced(found.reason, found.works)
  const { group, isOwnTitle } = found
  if (!isOwnTitle) return await placeIn(read, group, said, true)
  const result = await placeIn(read, group, { ...said, season: undefined }, true)
  return 'work' in result && result.rule === 'season' ? { ...result, rule: 'own_title' } : result
}
