import { createCounts } from '../counts'
import { csvRows } from '../file/csv'
import type { InputFile } from '../file/input-file'
import type { Row } from '../row'
import { countIn, dayIn, scoreIn, textIn } from './fields'
import type { Contents, Reader } from './reader'

type Cells = Readonly<Record<string, string | undefined>>

/**
 * The export: films by title and year, most of which are no anime. The diary has a row a watch; what stands in it is not
 * read again from the lists of what was watched and rated.
 */
export const letterboxd: Reader = {
  source: 'letterboxd',
  recognises: (contents) =>
    contents.kind === 'archive' && ['diary.csv', 'watched.csv'].some((name) => contents.members.has(name)),
  rows: (contents) => rowsOf(contents.kind === 'archive' ? contents.members : new Map()),
}

async function* rowsOf(members: Extract<Contents, { kind: 'archive' }>['members']): AsyncGenerator<Row> {
  const seen = new Set<string>()
  const notes = await notesIn(members.get('reviews.csv'))
  for (const name of ['diary.csv', 'ratings.csv', 'watched.csv', 'watchlist.csv']) {
    for await (const cells of filmsIn(members.get(name))) {
      const film = filmOf(cells)
      if (name !== 'diary.csv' && seen.has(film)) continue
      seen.add(film)
      yield rowOf(cells, name === 'watchlist.csv' ? 'wanna_watch' : 'watched', notes.take(film, cells))
    }
  }
}

async function* filmsIn(file: InputFile | undefined): AsyncGenerator<Cells> {
  if (file !== undefined) yield* csvRows(file)
}

/** A review is of the watch on its day; one without a day is of the film, and taken once. */
async function notesIn(file: InputFile | undefined) {
  const [notes, counts] = [new Map<string, string>(), createCounts()]
  for await (const cells of filmsIn(file))
    notes.set(keyOf(filmOf(cells), cells), counts.kept(textIn(cells.Review)))
  const take = (film: string, cells: Cells): string | undefined => {
    const key = [keyOf(film, cells), keyOf(film, {})].find((one) => notes.has(one)) ?? ''
    const note = notes.get(key)
    notes.delete(key)
    return note
  }
  return { take }
}

const filmOf = ({ Name, Year }: Cells) => `${Name} (${Year})`

const keyOf = (film: string, cells: Cells) => `${film} ${dayIn(cells['Watched Date']) ?? ''}`

function rowOf(cells: Cells, status: 'watched' | 'wanna_watch', note: string | undefined): Row {
  const score = scoreIn(cells.Rating)
  const watchedAt = dayIn(cells['Watched Date'])
  return {
    sourceId: textIn(cells['Letterboxd URI']),
    title: textIn(cells.Name),
    refs: [],
    year: countIn(cells.Year),
    media: 'movie',
    status,
    score: score === undefined ? undefined : { value: score, scale: 5 },
    plays: watchedAt === undefined ? [] : [{ episode: 0, watchedAt }],
    rewatches: cells.Rewatch === 'Yes' ? 1 : 0,
    note,
  }
}
