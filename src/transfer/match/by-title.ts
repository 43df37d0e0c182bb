import type { Read } from '../../db/open'
import type { ListRow } from '../row'
import { matchInGroup } from './by-series'
import type { Choices } from './choices'
import { type KnownWork, knownWorks } from './known-work'
import type { Doubt, Match } from './match'
import type { NamedSeason } from './name-table'
import { matched, unmatched, unsure } from './results'
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
  const alike = works.filter((work) => !contradicts(work, row))
  const fitting = row.year === undefined ? [] : closest(row, alike.filter(isOfYear(row.year)), named)
  const [work, another] = fitting
  if (work !== undefined && another === undefined) return [matched({ row, work }, 'title')]
  if (work !== undefined) return [unsure(row, 'several_works', fitting, 'title')]
  if (row.mayBeOther === true && (row.year !== undefined || alike.length === 0)) return undefined
  return [inDoubt(row, closest(row, works, named))]
}

/**
 * An id is not believed if title and year both contradict it: no work of the series has the title, in any season, or is of
 * that year. One of the two alone casts no doubt. Reads the catalogue's names only if the year contradicts.
 */
export const createDoubt =
  (read: Read, row: ListRow, titles: () => Promise<TitleIndex>): Doubt =>
  async (works, site) => {
    const { title, year } = row
    if (title === '' || year === undefined || works.some(mayBeOf(year))) return undefined
    const series = (await groupsOfWorks(read, works)).flatMap((group) => group.works)
    if (series.some(mayBeOf(year))) return undefined
    const named = (await titles()).worksOfSeries(title).map(({ id }) => id)
    if ([...works, ...series].some(({ id }) => named.includes(id))) return undefined
    const proposals = [...new Set([...named.slice(0, 2), ...works.map(({ id }) => id), ...named])]
    return { ...unmatched(row, proposals), matchedBy: site, reason: 'title_differs' }
  }

const mayBeOf = (year: number) => (work: KnownWork) => work.years.length === 0 || isOfYear(year)(work)

const isOfYear = (year: number) => (work: KnownWork) => work.years.some((one) => Math.abs(one - year) <= 1)

function inDoubt(row: ListRow, works: readonly KnownWork[]): Match {
  if (works.length > 1) return unsure(row, 'several_works', works, 'title')
  return unsure(row, row.year === undefined ? 'title_without_year' : 'title_differs', works, 'title')
}

const worksNamed = (read: Read, named: readonly NamedSeason[]) =>
  knownWorks(read, [...new Set(named.slice(0, mostNamed).map(({ id }) => id))])

/** More works with one name cannot be told apart anyway. */
const mostNamed = 100

/** A work that has a different id than the row at the same site is another one. */
const contradicts = ({ ids }: KnownWork, { refs }: ListRow): boolean =>
  refs.some(({ site, id }) => {
    const [kind] = site === 'tmdb' ? (/^(?:tv|movie)\//.exec(id) ?? ['?']) : ['']
    const own = ids.filter((one) => one.startsWith(`${site}:${kind}`))
    return own.length > 0 && !own.some((one) => `${one}/`.startsWith(`${site}:${id}/`))
  })

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
  { worksOfSeries }: TitleIndex,
  choices: Choices,
): Promise<readonly Match[] | undefined> {
  const named = worksOfSeries(row.title)
  const works = (await worksNamed(read, named)).filter((work) => !contradicts(work, row))
  const groups = (await groupsOfWorks(read, withoutOthers(works, named))).filter(
    ({ works: [first] }) => row.year === undefined || (first !== undefined && isOfYear(row.year)(first)),
  )
  const [group, another] = groups
  if (group === undefined) return undefined
  const firsts = groups.flatMap(({ works: [first] }) => first ?? [])
  if (another !== undefined) return [unsure(row, 'several_works', firsts, 'title')]
  const matches = await matchInGroup(read, row, { group, way: 'title', choices })
  return row.year === undefined && isCommon(row.title) ? matches.map(doubted) : matches
}

/** Where works of the series exist, works that merely have its name as another name are something else. */
function withoutOthers(works: readonly KnownWork[], named: readonly NamedSeason[]): readonly KnownWork[] {
  if (!works.some(isInSeries)) return works
  const titled = new Set(named.filter(({ rank }) => rank === 0).map(({ id }) => id))
  return works.filter((work) => isInSeries(work) || titled.has(work.id))
}

/** Short names in Latin letters are common to several series: Monster, Dark. */
const isCommon = (name: string) => /^[ -~]*$/.test(name) && name.replaceAll(/[^a-z0-9]/gi, '').length < 10

const doubted = (match: Match): Match =>
  match.workId === null
    ? match
    : { ...match, reason: match.reason ?? 'title_without_year', proposals: [match.workId] }
