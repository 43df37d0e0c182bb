import { unguarded } from '../../export/texts'
import { csvCells } from '../../file/csv'
import type { ListPlace, ListRow, Play, Score, WorkRef } from '../../row'
import { idIn } from '../fields'
import { inLists, listName, listNote } from '../list-places'
import type { ListReader } from '../reader'
import {
  dateIn,
  hundredIn,
  mediaIn,
  momentIn,
  numberIn,
  privateIn,
  ratingIn,
  statusIn,
  tableScore,
} from './cells'
import { areEnough, knownColumns, type TableColumns, type TableField } from './columns'

/** A table of one's own, whose columns are known by their names in any order; others are ignored. */
export const ownTable: ListReader = {
  source: 'csv',
  recognises: ({ columns }) => areEnough(knownColumns(columns)),
  rows: (contents) => tableWith(knownColumns(contents.columns)).rows(contents),
}

/** The same for a table whose columns the user has named. */
export const tableWith = ({ columns, all }: TableColumns): ListReader => ({
  source: 'csv',
  recognises: () => true,
  rows: async function* ({ file }) {
    let isHeader = true
    for await (const line of csvCells(file)) {
      if (!isHeader) yield tableRow(cellsOf(line, columns), all)
      isHeader = false
    }
  },
})

/** A cell without the guard against formulas that kiroku's exports add; blank where there is no column. */
type CellOf = (field: TableField) => string

const cellsOf =
  (line: readonly string[], columns: TableColumns['columns']): CellOf =>
  (field) =>
    unguarded(line[columns[field] ?? -1] ?? '').trim()

function tableRow(cell: CellOf, all: TableColumns['all']): ListRow {
  const rating = ratingIn(cell('rating'))
  const score = hundredIn(cell('score')) || undefined
  const episode = numberIn(cell('episode'))
  const status = statusIn(cell('status')) ?? all
  // Without an episode, the day on which something was watched says that all of it was.
  const day = episode === undefined ? dateIn(cell('watched_at').split(/[ T]/, 1)[0] ?? '') : undefined
  const seen = day !== undefined && cell('status') === '' ? 'watched' : undefined
  return {
    sourceId: '',
    title: cell('title'),
    refs: refsOf(cell),
    year: numberIn(cell('year')),
    media: mediaIn(cell('media')),
    status: status ?? seen,
    progress: numberIn(cell('progress')),
    total: numberIn(cell('total')) || undefined,
    ...(episode === undefined
      ? { rating, note: cell('comment') }
      : { plays: [{ ...playOf(cell, episode), rating, score }] }),
    score: scoreOfWork(cell, episode === undefined ? score : undefined),
    startedOn: dateIn(cell('started_on')),
    finishedOn: dateIn(cell('finished_on')) ?? ((status ?? seen) === 'watched' ? day : undefined),
    rewatches: numberIn(cell('rewatches')),
    ...inLists(listsOf(cell)),
    isPrivate: privateIn(cell('private')),
    error: errorIn(cell),
  }
}

/** Names with `|` between them; the note and the position are of each. */
function listsOf(cell: CellOf): readonly ListPlace[] {
  const names = new Set(cell('list').split('|').map(listName))
  const [place, note] = [numberIn(cell('position')) || undefined, listNote(cell('list_note'))]
  return [...names].flatMap((name) => (name === '' ? [] : [{ name, place, note }]))
}

/** The number from 1 to 100 beside a word, or whatever is instead of a word. */
function scoreOfWork(cell: CellOf, score: number | undefined): Score | undefined {
  if (score !== undefined) return { value: score, scale: 100 }
  return ratingIn(cell('rating')) === undefined ? tableScore(cell('rating')) : undefined
}

const playOf = (cell: CellOf, episode: number): Play => ({
  season: numberIn(cell('season')),
  episode,
  watchedAt: momentIn(cell('watched_at')),
  comment: cell('comment'),
})

/** Columns that identify a line's work, best first. */
const idColumns = [
  ['work_id', 'work'],
  ['annict_id', 'annict'],
  ['mal_id', 'mal'],
  ['anilist_id', 'anilist'],
  ['anidb_id', 'anidb'],
  ['bangumi_id', 'bangumi'],
  ['tmdb_id', 'tmdb'],
] as const satisfies readonly (readonly [TableField, WorkRef['site']])[]

const refsOf = (cell: CellOf): readonly WorkRef[] =>
  idColumns.flatMap(([field, site]) => {
    const [, kind = '', id] = /^((?:tv|movie)\/)?(\d+)$/.exec(idOf(cell(field))) ?? []
    const season = site === 'tmdb' ? numberIn(cell('season')) : undefined
    return idIn(id) === undefined ? [] : [{ site, id: `${kind}${id}`, season }]
  })

/** An id may be given as the address of the work at its site. */
const idOf = (text: string): string =>
  /^https?:\/\/[^/]+\/(?:[^?#]*\/)?(?:anime\/|works\/|subject\/|a(?=\d)|(?=tv\/|movie\/))((?:tv\/|movie\/)?\d+)/.exec(
    text,
  )?.[1] ?? text

/** The first column with an invalid cell. */
function errorIn(cell: CellOf): string | undefined {
  const wrong = rules.find(([field, isRight]) => cell(field) !== '' && !isRight(cell(field)))
  return wrong && `${wrong[0]} must be ${wrong[2]}`
}

const isCount = (cell: string) => numberIn(cell) !== undefined
const isDate = (cell: string) => dateIn(cell) !== undefined || /^0000|-00/.test(cell)

const rules: readonly (readonly [TableField, (cell: string) => boolean, string])[] = [
  ['episode', isCount, 'a whole number from 0'],
  ['progress', isCount, 'a whole number from 0'],
  ['rewatches', isCount, 'a whole number from 0'],
  ['score', (cell) => hundredIn(cell) !== undefined, 'a whole number from 0 to 100'],
  ['private', (cell) => privateIn(cell) !== undefined, 'yes or no'],
  ['year', (cell) => /^\d{4}年?$/.test(cell), 'a year'],
  [
    'status',
    (cell) => statusIn(cell) !== undefined,
    'watching, watched, on_hold, stop_watching or wanna_watch, or a common word for it',
  ],
  ['started_on', isDate, 'a date such as 2024-05-01 or 2024/5/1, a month or a year'],
  ['finished_on', isDate, 'a date such as 2024-05-01 or 2024/5/1, a month or a year'],
]
