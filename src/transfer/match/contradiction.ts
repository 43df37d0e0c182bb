import type { Read } from '../../db/open'
import type { ListRow } from '../row'
import type { KnownWork } from './known-work'
import type { Doubt } from './match'
import { unmatched } from './results'
import type { SaidName } from './said-play'
import { groupsOfWorks } from './series-group'
import type { TitleIndex } from './title-index'

/**
 * An id is not believed if title and time both contradict it: no work of its series has one of the titles, in any season,
 * and none was on air then. One of the two alone casts no doubt. Returns what the titles mean instead; undefined without a
 * contradiction. Reads the catalogue's names only if the time contradicts.
 */
export async function contradiction(
  read: Read,
  works: readonly KnownWork[],
  { titles, ...time }: SaidName,
  indexed: () => Promise<TitleIndex>,
): Promise<readonly number[] | undefined> {
  if (titles.length === 0 || works.some((work) => mayBeOf(work, time))) return undefined
  const series = (await groupsOfWorks(read, works)).flatMap((group) => group.works)
  if (series.some((work) => mayBeOf(work, time))) return undefined
  const { worksOfSeries } = await indexed()
  const named = titles.flatMap((title) => worksOfSeries(title).map(({ id }) => id))
  return [...works, ...series].some(({ id }) => named.includes(id)) ? undefined : named
}

/** For a row of a list. Proposes the works of the id and of the title. */
export const createDoubt =
  (read: Read, row: ListRow, indexed: () => Promise<TitleIndex>): Doubt =>
  async (works, site) => {
    const { title, year } = row
    const said = { titles: title === '' ? [] : [title], year }
    const named = await contradiction(read, works, said, indexed)
    if (named === undefined) return undefined
    const proposals = [...new Set([...named.slice(0, 2), ...works.map(({ id }) => id), ...named])]
    return { ...unmatched(row, proposals), matchedBy: site, reason: 'title_differs' }
  }

/** Whether the work may have been shown then; always without a time. */
function mayBeOf(work: KnownWork, { year, airDate }: Omit<SaidName, 'titles'>): boolean {
  if (airDate !== undefined) return isOnAir(work, airDate, { early: 14, late: 60 })
  return year === undefined || work.years.length === 0 || isOfYear(year)(work)
}

/** Years of broadcasts that begin at a turn of the year differ. */
export const isOfYear = (year: number) => (work: KnownWork) =>
  work.years.some((one) => Math.abs(one - year) <= 1)

/** Whether a day is among the weeks of a work, with days before and after; also if its beginning is unknown. */
export function isOnAir(
  { begins, count }: KnownWork,
  airDate: string,
  { early, late }: { readonly early: number; readonly late: number },
): boolean {
  const [begin, day] = [Date.parse(begins), Date.parse(airDate)]
  if (Number.isNaN(begin)) return true
  const end = begin + (count ?? Number.POSITIVE_INFINITY) * 7 * dayMs
  return day >= begin - early * dayMs && day <= end + late * dayMs
}

const dayMs = 24 * 60 * 60 * 1000
