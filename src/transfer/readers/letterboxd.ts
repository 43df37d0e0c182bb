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
      const film = `${cells.Name} (${cells.Year})`
      if (name !== 'diary.csv' && seen.has(film)) continue
      seen.add(film)
      yield rowOf(cells, name === 'watchlist.csv' ? 'wanna_watch' : 'watched', notes.get(film))
    }
  }
}

async function* filmsIn(file: InputFile | undefined): AsyncGenerator<Cells> {
  if (file !== undefined) yield* csvRows(file)
}

async function notesIn(file: InputFile | undefined): Promise<ReadonlyMap<string, string>> {
  const [notes, counts] = [new Map<string, string>(), createCounts()]
  for await (const { Name, Year, Review } of filmsIn(file))
    notes.set(`${Name} (${Year})`, counts.kept(textIn(Review)))
  return notes
}

function rowOf(cells: Cells, status: 'watched' | 'wanna_watch', note: string | undefined): Row {
  const score = scoreIn(cells.Rating)
  return {
    sourceId: textIn(cells['Letterboxd URI']),
    title: textIn(cells.Name),
    refs: [],
    year: countIn(cells.Year),
    media: 'movie',
    status,
    score: score === undefined ? undefined : { value: score, scale: 5 },
    finishedOn: dayIn(cells['Watched Date']),
    rewatches: cells.Rewatch === 'Yes' ? 1 : 0,
    note,
  }
}
