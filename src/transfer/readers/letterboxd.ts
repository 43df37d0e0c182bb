import { createCounts } from '../counts'
import { type CsvRow, csvCells, csvRows } from '../file/csv'
import type { InputFile } from '../file/input-file'
import type { ListRow } from '../row'
import { countIn, dayIn, textIn } from './fields'
import { inLists, ListPlaces, listName, listNote, listText } from './list-places'
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
  lists: async function* ({ lists }) {
    for (const file of lists) yield (await listIn(file)).said
  },
}

async function* rowsOf({ members, lists }: Contents): AsyncGenerator<ListRow> {
  const seen = new Set<string>()
  const places = await placesIn(lists)
  const notes = await notesIn(members.get('reviews.csv'))
  for (const name of ['diary.csv', 'ratings.csv', 'watched.csv', 'watchlist.csv']) {
    for await (const cells of filmsIn(members.get(name))) {
      const film = filmOf(cells)
      if (name !== 'diary.csv' && seen.has(film)) continue
      seen.add(film)
      const status = name === 'watchlist.csv' ? 'wanna_watch' : 'watched'
      yield { ...letterboxdRow(cells, status, notes.take(film, cells)), ...inLists(places.take(film)) }
    }
  }
  for (const [film, lists] of places.left) {
    const [, Name = '', Year = ''] = /^(.*) \((.*)\)$/s.exec(film) ?? []
    yield { ...letterboxdRow({ Name, Year }, undefined, undefined), lists }
  }
}

/** Films by name and year, in the order of their lists. */
async function placesIn(files: readonly InputFile[]): Promise<ListPlaces> {
  const places = new ListPlaces()
  for (const file of files) {
    const list = await listIn(file)
    for await (const cells of list.films())
      places.add(filmOf(cells), {
        ...{ name: list.said.name, place: countIn(cells.Position) },
        note: listNote(cells.Description),
      })
  }
  return places
}

/** A file of one list: a line of its name and description, and below that the films. */
async function listIn(file: InputFile) {
  const [heads, values] = [[] as string[], [] as string[]]
  for await (const line of csvCells(file)) {
    if (line.includes('Position')) break
    if (heads.length > 0) {
      values.push(...line)
      break
    }
    if (line.includes('Name') && line.includes('Description')) heads.push(...line)
  }
  const cell = (name: string) => values[heads.indexOf(name)] ?? ''
  const said = { name: listName(cell('Name')), text: listText(cell('Description')), isOrdered: true }
  return { said, films: () => (said.name === '' ? noFilms() : filmsBelow(file)) }
}

async function* noFilms(): AsyncGenerator<CsvRow> {}

async function* filmsBelow(file: InputFile): AsyncGenerator<CsvRow> {
  let columns: readonly string[] | undefined
  for await (const cells of csvCells(file)) {
    if (columns !== undefined) yield Object.fromEntries(columns.map((name, at) => [name, cells[at] ?? '']))
    else if (cells.includes('Position')) columns = cells
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

function letterboxdRow(
  cells: CsvRow,
  status: 'watched' | 'wanna_watch' | undefined,
  note: string | undefined,
): ListRow {
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
