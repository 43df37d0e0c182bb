import type { Read } from '../../db/open'
import type { ListRow } from '../row'
import { matchInGroup } from './by-series'
import type { Choices } from './choices'
import { isOfYear } from './contradiction'
import { isOtherById, type KnownWork, knownWorks } from './known-work'
import type { Match } from './match'
import type { NamedSeason } from './name-table'
import { laterWorkCalled } from './own-title'
import { matched, unsure } from './results'
import { groupsOfWorks, isInSeries } from './series-group'
import type { TitleIndex } from './title-index'

/** Matches a work with the same title, year and medium; undefined if no work has the title. */
export async function matchByTitle(
  read: Read,
  row: ListRow,
  { worksCalled }: TitleIndex,
): Promise<readonly Match[] | undefined> {
  const named = worksCalled(row.title)
  const works = (await worksNamed(read, named)).filter(({ media }) => (row.media ?? media) === media)
  if (works.length === 0) return undefined
  const alike = works.filter((work) => !isOtherById(work, row.refs))
  const fitting = row.year === undefined ? [] : closest(row, alike.filter(isOfYear(row.year)), named)
  const [work, another] = fitting
  if (work !== undefined && another === undefined) return [matched({ row, work }, 'title')]
  if (work !== undefined) return [unsure(row, 'several_works', fitting, 'title')]
  if (row.mayBeOther === true && (row.year !== undefined || alike.length === 0)) return undefined
  return [inDoubt(row, closest(row, works, named))]
}

function inDoubt(row: ListRow, works: readonly KnownWork[]): Match {
  if (works.length > 1) return unsure(row, 'several_works', works, 'title')
  return unsure(row, row.year === undefined ? 'title_without_year' : 'title_differs', works, 'title')
}

export const worksNamed = (read: Read, named: readonly NamedSeason[]) =>
  knownWorks(read, [...new Set(named.slice(0, mostNamed).map(({ id }) => id))])

/** More works with one name cannot be told apart anyway. */
const mostNamed = 100

/** Of works with the same key, those with the very title or the same punctuation: けいおん！ and けいおん!! */
function closest(
  row: ListRow,
  works: readonly KnownWork[],
  named: readonly NamedSeason[],
): readonly KnownWork[] {
  const ranks = new Map(named.map(({ id, rank }) => [id, rank]))
  const best = Math.min(...works.map(({ id }) => ranks.get(id) ?? 0))
  const marks = marksIn(row.title)
  const tests: readonly ((work: KnownWork) => boolean)[] = [
    ({ id }) => ranks.get(id) === best,
    ({ title }) => title.normalize('NFKC') === row.title.normalize('NFKC'),
    ({ title }) => marksIn(title) === marks,
  ]
  return tests.reduce((left, test) => {
    const some = left.filter(test)
    return some.length > 0 ? some : left
  }, works)
}

const marksIn = (title: string) => title.normalize('NFKC').replaceAll(/[^!?]/g, '')

/** Matches a series by name, for sources that count by seasons. */
export async function matchBySeriesName(
  read: Read,
  row: ListRow,
  index: TitleIndex,
  choices: Choices,
): Promise<readonly Match[] | undefined> {
  const named = index.worksOfSeries(row.title)
  const works = (await worksNamed(read, named)).filter((work) => !isOtherById(work, row.refs))
  const groups = (await groupsOfWorks(read, withoutOthers(works, named))).filter(
    ({ works: [first] }) => row.year === undefined || (first !== undefined && isOfYear(row.year)(first)),
  )
  const [group, another] = groups
  if (group === undefined) return undefined
  const firsts = groups.flatMap(({ works: [first] }) => first ?? [])
  if (another !== undefined) return [unsure(row, 'several_works', firsts, 'title')]
  const later = laterWorkCalled(group, index, row.title)
  const matches = await matchInGroup(read, row, { group, later, way: 'title', choices })
  return row.year === undefined && isCommon(row.title) ? matches.map(doubted) : matches
}

/** Where works of the series exist, works that merely have its name as another name are something else. */
export function withoutOthers(
  works: readonly KnownWork[],
  named: readonly NamedSeason[],
): readonly KnownWork[] {
  if (!works.some(isInSeries)) return works
  const titled = new Set(named.filter(({ rank }) => rank === 0).map(({ id }) => id))
  return works.filter((work) => isInSeries(work) || titled.has(work.id))
}

/** Short names in Latin letters are common to several series: Monster, Dark. */
export const isCommon = (name: string) =>
  /^[ -~]*$/.test(name) && name.replaceAll(/[^a-z0-9]/gi, '').length < 10

const doubted = (match: Match): Match =>
  match.workId === null
    ? match
    : { ...match, reason: match.reason ?? 'title_without_year', proposals: [match.workId] }
