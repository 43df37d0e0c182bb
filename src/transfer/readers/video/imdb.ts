import type { CsvRow } from '../../file/csv'
import type { ListRow } from '../../row'
import { countIn, textIn } from '../fields'
import { csvReader } from '../reader'
import { scoreOf } from '../row-parts'

/** Ratings, the watchlist and other lists, which say alike what a title is. No work here has its ids. */
export const imdb = csvReader('imdb', ['Const', 'Title', 'Title Type'], imdbRow)

/** A list has a position for each title: what is on it without a rating is to be watched. */
function imdbRow(cells: CsvRow): ListRow {
  const type = (cells['Title Type'] ?? '').toLowerCase().replaceAll(/[^a-z]/g, '')
  const score = scoreOf(cells['Your Rating'], 10)
  return {
    sourceId: textIn(cells.Const),
    title: textIn(cells.Title),
    refs: [],
    year: countIn(cells.Year),
    media: /movie|film/.test(type) ? 'movie' : undefined,
    status: cells.Position !== undefined && score === undefined ? 'wanna_watch' : undefined,
    score,
    note: textIn(cells.Description),
    mayBeOther: true,
    ...(type === 'tvepisode' && { skipped: 'nothing_to_import' }),
  }
}
