import type { Read } from '../../db/open'
import type { Row, WorkRef } from '../row'
import type { KnownWork } from './known-work'
import type { Match } from './match'
import { unmatched } from './results'
import { groupsOfWorks } from './series-group'
import type { TitleIndex } from './title-index'

/** Finds out whether an id's works cannot be meant: the row to be checked, or undefined without doubts. */
export type Doubt = (works: readonly KnownWork[], site: WorkRef['site']) => Promise<Match | undefined>

/**
 * An id is not believed if title and year both contradict it: no work of the series has the title, in any season, or is of
 * that year. One of the two alone casts no doubt. Reads the catalogue's names only if the year contradicts.
 */
export const createDoubt =
  (read: Read, row: Row, titles: () => Promise<TitleIndex>): Doubt =>
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

export const isOfYear = (year: number) => (work: KnownWork) =>
  work.years.some((one) => Math.abs(one - year) <= 1)
