import { type CsvRow, csvRows } from '../../file/csv'
import type { InputFile } from '../../file/input-file'
import type { Row } from '../../row'
import { countIn, dayIn, textIn } from '../fields'
import { createHistory } from '../history'
import { timeIn } from './cells'

/** The films of `tracking-prod-records.csv`: a line for each `watch`, `rewatch` and `towatch`. */
export async function* filmRows(file: InputFile): AsyncGenerator<Row> {
  const films = createHistory()
  for await (const cells of csvRows(file)) {
    if (cells.entity_type !== 'movie') continue
    const film = filmOf(cells)
    const title = films.of(`${film.title} (${film.year})`, () => film)
    if (cells.type === 'watch' || cells.type === 'rewatch') {
      title.row = { ...title.row, status: 'watched' }
      films.addPlay(title, { episode: 0, watchedAt: watchedAt(cells) })
    } else if (cells.type === 'towatch' && title.row.status === undefined)
      title.row = { ...title.row, status: 'wanna_watch' }
  }
  for (const row of films.rows()) if (row.status !== undefined) yield row
}

const filmOf = (cells: CsvRow): Row => ({
  sourceId: textIn(cells.uuid),
  title: textIn(cells.movie_name),
  refs: [],
  year: countIn(dayIn(cells.release_date)?.slice(0, 4)),
  media: 'movie',
  mayBeOther: true,
})

/** The day that the user gave, otherwise when it was ticked. */
const watchedAt = (cells: CsvRow) => timeIn(cells.watch_date) ?? timeIn(cells.created_at)
