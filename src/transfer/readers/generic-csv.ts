import { ratingStates } from '../../library/ratings'
import { statusKinds } from '../../library/statuses'
import { unguarded } from '../export/texts'
import { type CsvRow, csvRows } from '../file/csv'
import type { Play, Row, WorkRef } from '../row'
import { countIn, dayIn, idIn, instantIn, partialDateIn, textIn } from './fields'
import type { Reader } from './reader'
import { scoreOf } from './row-parts'

/** Columns that identify a line's work, best first. */
const idColumns = {
  work_id: 'work',
  annict_id: 'annict',
  mal_id: 'mal',
  anilist_id: 'anilist',
  anidb_id: 'anidb',
  bangumi_id: 'bangumi',
  tmdb_id: 'tmdb',
} as const satisfies Readonly<Record<string, WorkRef['site']>>

const known: ReadonlySet<string> = new Set([
  ...Object.keys(idColumns),
  ...['title', 'year', 'season', 'status', 'episode', 'progress', 'watched_at', 'rating', 'comment'],
  ...['started_on', 'finished_on', 'rewatches'],
])

/** A custom table. Columns are identified by name, in any order; unknown ones are ignored. */
export const genericCsv: Reader = {
  source: 'csv',
  recognises: ({ columns }) => columns.filter((name) => known.has(name)).length > 1,
  rows: async function* ({ file }) {
    for await (const cells of csvRows(file)) yield rowOf(bare(cells))
  },
}

/** Removes the guard against formulas that kiroku's exports add to cells. */
const bare = (cells: CsvRow): CsvRow =>
  Object.fromEntries(Object.entries(cells).map(([name, cell]) => [name, unguarded(cell)]))

function rowOf(cells: CsvRow): Row {
  const rating = ratingStates.find((state) => state === cells.rating?.trim())
  const play = playOf(cells)
  return {
    sourceId: '',
    title: textIn(cells.title).trim(),
    refs: refsOf(cells),
    year: countIn(cells.year),
    status: statusKinds.find((kind) => kind === cells.status?.trim()),
    progress: countIn(cells.progress),
    ...(play === undefined ? { rating, note: textIn(cells.comment) } : { plays: [{ ...play, rating }] }),
    score: rating === undefined ? scoreOf(cells.rating, undefined) : undefined,
    startedOn: partialDateIn(cells.started_on),
    finishedOn: partialDateIn(cells.finished_on),
    rewatches: countIn(cells.rewatches),
    error: errorIn(cells),
  }
}

function playOf(cells: CsvRow): Play | undefined {
  const episode = countIn(cells.episode)
  if (episode === undefined) return undefined
  return {
    season: countIn(cells.season),
    episode,
    watchedAt: instantIn(cells.watched_at) ?? dayIn(cells.watched_at),
    comment: textIn(cells.comment),
  }
}

const refsOf = (cells: CsvRow): readonly WorkRef[] =>
  Object.entries(idColumns).flatMap(([column, site]) => {
    const [, kind = '', id] = /^((?:tv|movie)\/)?(\d+)$/.exec(cells[column]?.trim() ?? '') ?? []
    const season = site === 'tmdb' ? countIn(cells.season) : undefined
    return idIn(id) === undefined ? [] : [{ site, id: `${kind}${id}`, season }]
  })

/** The first column with an invalid cell. */
function errorIn(cells: CsvRow): string | undefined {
  const wrong = Object.entries(rules).find(([column, [rule]]) => {
    const cell = cells[column]?.trim() ?? ''
    return cell !== '' && !rule(cell)
  })
  return wrong && `${wrong[0]} must be ${wrong[1][1]}`
}

const isCount = (cell: string) => countIn(cell) !== undefined
const isDate = (cell: string) => partialDateIn(cell) !== undefined

const rules: Readonly<Record<string, readonly [(cell: string) => boolean, string]>> = {
  episode: [isCount, 'a whole number from 0'],
  progress: [isCount, 'a whole number from 0'],
  rewatches: [isCount, 'a whole number from 0'],
  year: [(cell) => /^\d{4}$/.test(cell), 'a year'],
  status: [(cell) => statusKinds.some((kind) => kind === cell), `one of ${statusKinds.join(', ')}`],
  started_on: [isDate, 'a date, a month or a year'],
  finished_on: [isDate, 'a date, a month or a year'],
}
