import { findRows } from '../../catalogue/search/find'
import type { Read } from '../../db/open'
import type { ListRow } from '../row'
import { matchById } from './by-id'
import { matchBySeries, matchInGroup } from './by-series'
import { matchBySeriesName, matchByTitle } from './by-title'
import { type Choices, chosenWork, entryIdOf } from './choices'
import { createDoubt } from './contradiction'
import type { Match, Matcher } from './match'
import { matched, unmatched } from './results'
import { groupsOfWorks } from './series-group'
import { shifted } from './spread'
import { indexTitles, type TitleIndex } from './title-index'

/** A search takes about a millisecond: a list of unknown titles would take minutes. */
const mostSearches = 1000

/** For the rows of one list; reads the catalogue's names when the first row needs them. */
export function createMatcher(read: Read, { choices }: { readonly choices: Choices }): Matcher {
  let titles: Promise<TitleIndex> | undefined
  const indexed = () => {
    titles ??= indexTitles(read)
    return titles
  }
  let searches = 0
  const proposed = async (row: ListRow, { worksOfSeries }: TitleIndex): Promise<readonly number[]> => {
    const named = [...new Set(worksOfSeries(row.title).map(({ id }) => id))]
    if (named.length > 0 || row.mayBeOther === true || row.title === '' || searches >= mostSearches)
      return named
    searches++
    return await findRows(read, 'works', row.title)
  }
  const byNames = async (row: ListRow): Promise<readonly Match[]> => {
    const index = await indexed()
    const found = isPlayedBySeason(row) ? await matchBySeriesName(read, row, index, choices) : undefined
    return found ?? (await matchByTitle(read, row, index)) ?? [unmatched(row, await proposed(row, index))]
  }
  return async (row) => {
    if (isNoWork(row)) return [unmatched(row)]
    const doubt = createDoubt(read, row, indexed)
    return (
      (await matchByChoice(read, row, choices)) ??
      (await matchById(read, row, doubt)) ??
      (await matchBySeries(read, row, { choices, doubt })) ??
      (await byNames(row))
    )
  }
}

const isPlayedBySeason = ({ plays = [], media }: ListRow) =>
  media !== 'movie' && plays.some(({ season }) => season !== undefined)

const isNoWork = ({ skipped, error }: ListRow) =>
  error !== undefined ||
  (skipped !== undefined && !['private', 'duplicate_in_file', 'nothing_to_import'].includes(skipped))

/** Matches the work that the user chose for the row before; undefined if there is no choice. */
async function matchByChoice(
  read: Read,
  row: ListRow,
  choices: Choices,
): Promise<readonly Match[] | undefined> {
  const chosen =
    (await chosenWork(read, choices, entryIdOf(row))) ?? (await chosenWork(read, choices, row.sourceId))
  if (chosen === undefined) return undefined
  const seasons = new Set(row.plays?.map((play) => play.season))
  const [group] = seasons.size > 1 ? await groupsOfWorks(read, [chosen.work]) : []
  if (group !== undefined) return await matchInGroup(read, row, { group, way: 'choice', choices })
  return [matched({ work: chosen.work, row: shifted(row, chosen.offset) }, 'choice')]
}
