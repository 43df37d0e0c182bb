import type { Read } from '../../db/open'
import { isCommon, withoutOthers, worksNamed } from './by-title'
import { isOfYear, isOnAir } from './contradiction'
import type { KnownWork } from './known-work'
import { isOtherById } from './known-work'
import { fromWorkCalled, laterWorkCalled } from './own-title'
import type { SeriesGroup } from './place-episode'
import type { SaidName, SaidPlay } from './said-play'
import { groupsOfWorks } from './series-group'
import type { TitleIndex } from './title-index'

export interface FoundGroup {
  /** From the work on that the name is the title of, if it is a later one: its episodes are counted from there. */
  readonly group: SeriesGroup
  /** The name is that of one work, which is where counting begins. */
  readonly isOwnTitle: boolean
}

export interface NoGroup {
  readonly reason: 'no_work' | 'several_works' | 'title_only'
  readonly works: readonly KnownWork[]
}

/** The series with one of the names said, of which no id is known. */
export async function findGroup(
  read: Read,
  index: TitleIndex,
  said: SaidPlay,
): Promise<FoundGroup | NoGroup> {
  let missed: NoGroup = { reason: 'no_work', works: [] }
  for (const title of said.titles.flatMap(withoutYear)) {
    const found = await groupCalled(read, index, said, title)
    if ('group' in found || found.reason !== 'no_work') return found
    if (missed.works.length === 0) missed = found
  }
  return missed
}

/** `Title (2025)`, as servers tell series of one name apart, also without the year. */
const withoutYear = (title: string): readonly string[] => {
  const bare = title.replace(/\s*\(\d{4}\)\s*$/, '')
  return bare === title || bare === '' ? [title] : [title, bare]
}

async function groupCalled(
  read: Read,
  index: TitleIndex,
  said: SaidPlay,
  title: string,
): Promise<FoundGroup | NoGroup> {
  const named = index.worksOfSeries(title)
  const works = (await worksNamed(read, named)).filter((work) => !isOtherById(work, said.refs))
  const all = await groupsOfWorks(read, withoutOthers(works, named))
  const [group, another] = all.length > 1 ? all.filter((one) => mayBeThen(one, said)) : all
  if (group === undefined || (all.length === 1 && isOfOtherYear(group, said)))
    return { reason: 'no_work', works }
  if (another !== undefined)
    return { reason: 'several_works', works: all.flatMap(({ works: [first] }) => first ?? []) }
  const isUndated = said.year === undefined && said.airDate === undefined
  if (isUndated && isCommon(title) && !works.some((work) => work.title.normalize('NFKC') === title))
    return { reason: 'title_only', works: group.works }
  return ofOwnTitle(group, index, said, title)
}

/** Of several series with one name, the one on air on that day, else in that year. */
const mayBeThen = ({ works }: SeriesGroup, { airDate, year }: SaidName): boolean => {
  if (airDate !== undefined) return works.some((work) => isOnAir(work, airDate, { early: 3, late: 60 }))
  return year === undefined || works.some(isOfYear(year))
}

const isOfOtherYear = ({ works }: SeriesGroup, { airDate, year }: SaidName): boolean =>
  airDate === undefined &&
  year !== undefined &&
  works.every(({ years }) => years.length > 0) &&
  !works.some(isOfYear(year))

/** Without season and day, the name must be exactly one work's. */
function ofOwnTitle(
  group: SeriesGroup,
  index: TitleIndex,
  { season, airDate }: SaidPlay,
  title: string,
): FoundGroup | NoGroup {
  if (season === undefined && airDate === undefined) {
    const own = fromWorkCalled(group, index, title)
    return own === undefined ? { reason: 'title_only', works: group.works } : { group: own, isOwnTitle: true }
  }
  const later = laterWorkCalled(group, index, title)
  return later?.means(season) ? { group: later.group, isOwnTitle: true } : { group, isOwnTitle: false }
}
