import { createCounts } from '../counts'
import { type CsvRow, csvRows } from '../file/csv'
import type { InputFile } from '../file/input-file'
import type { ListRow } from '../row'
import { countIn, dayIn, textIn } from './fields'
import type { Contents, ListReader } from './reader'
import { scoreOf } from './row-parts'

/**
 * The export: films by title and year, few of them anime. The diary has a row per viewing; films in it are not read
 * again from the lists of watched and rated ones.
 */
export const letterboxd: ListReader = {
  source: 'letterboxd',
  recognises: ({ members }) => members.has('diary.csv') || members.has('watched.csv'),
  rows: rowsOf,
}

async function* rowsOf({ members }: Contents): AsyncGenerator<ListRow> {
  const seen = new Set<string>()
  const notes = await notesIn(members.get('reviews.csv'))
  for (const name of ['diary.csv', 'ratings.csv', 'watched.csv', 'watchlist.csv']) {
    for await (const cells of filmsIn(members.get(name))) {
      const film = filmOf(cells)
      if (name !== 'diary.csv' && seen.has(film)) continue
      seen.add(film)
      yield letterboxdRow(
        cells,
        name === 'watchlist.csv' ? 'wanna_watch' : 'watched',
        notes.take(film, cells),
      )
    }
  }
}

async function* filmsIn(file: InputFile | undefined): AsyncGenerator<CsvRow> {
  if (file !== undefined) yield* csvRows(file)
}

/** A review belongs to the viewing on its day; without a day it belongs to the film, and is used once. */
async function notesIn(file: InputFile | undefined) {
  const [notes, counts] = [new Map<string, string>(), createCounts()]
  for await (const cells of filmsIn(file))
    notes.set(viewingKey(filmOf(cells), cells), counts.kept(textIn(cells.Review)))
  const take = (film: string, cells: CsvRow): string | undefined => {
    const key = [viewingKey(film, cells), viewingKey(film, {})].find((one) => notes.has(one)) ?? ''
    const note = notes.get(key)
    notes.delete(key)
    return note
  }
  return { take }
}

const filmOf = ({ Name, Year }: CsvRow) => `${Name} (${Year})`

const viewingKey = (film: string, cells: CsvRow) => `${film} ${dayIn(cells['Watched Date']) ?? ''}`

function letterboxdRow(cells: CsvRow, status: 'watched' | 'wanna_watch', note: string | undefined): ListRow {
  const watchedAt = dayIn(cells['Watched Date'])
  return {
    sourceId: textIn(cells['Letterboxd URI']),
    title: textIn(cells.Name),
    refs: [],
    year: countIn(cells.Year),
    media: 'movie',
    status,
    score: scoreOf(cells.Rating, 5),
    plays: watchedAt === undefined ? [] : [{ episode: 0, watchedAt }],
    rewatches: cells.Rewatch === 'Yes' ? 1 : 0,
    note,
  }
}
