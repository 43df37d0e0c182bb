import type { StatusKind } from '../../library/statuses'
import { csvRows } from '../file/csv'
import type { Row, WorkRef } from '../row'
import { countIn, instantIn, scoreIn, textIn } from './fields'
import type { Contents, Reader } from './reader'

type Cells = Readonly<Record<string, string | undefined>>

/** The CSV export: marks of series and films. A series that is complete was seen to its end. */
export const neodb: Reader = {
  source: 'neodb',
  recognises: (contents) => marksIn(contents).length > 0,
  rows: async function* (contents) {
    for (const file of marksIn(contents)) for await (const cells of csvRows(file)) yield rowOf(cells)
  },
}

const marksIn = (contents: Contents) =>
  contents.kind === 'archive'
    ? ['tv_mark.csv', 'movie_mark.csv'].flatMap((name) => contents.members.get(name) ?? [])
    : []

function rowOf(cells: Cells): Row {
  const status = statuses[textIn(cells.status)]
  const score = scoreIn(cells.rating)
  const [, year] = /year:(\d{4})/.exec(textIn(cells.info)) ?? []
  return {
    sourceId: textIn(cells.links).split(' ', 1)[0] ?? '',
    title: textIn(cells.title),
    refs: textIn(cells.links).split(/\s+/).flatMap(refIn),
    year: countIn(year),
    status,
    progress: status === 'watched' ? 'all' : undefined,
    score: score === undefined ? undefined : { value: score, scale: 10 },
    note: textIn(cells.comment),
    updatedAt: instantIn(cells.timestamp),
    mayBeOther: true,
  }
}

function refIn(link: string): readonly WorkRef[] {
  const [, subject] = /(?:bgm|bangumi)\.tv\/subject\/(\d+)/.exec(link) ?? []
  if (subject !== undefined) return [{ site: 'bangumi', id: subject }]
  const [, kind, id, season] = /themoviedb\.org\/(tv|movie)\/(\d+)(?:\/season\/(\d+))?/.exec(link) ?? []
  return id === undefined ? [] : [{ site: 'tmdb', id: `${kind}/${id}`, season: countIn(season) }]
}

const statuses: Readonly<Record<string, StatusKind>> = {
  wishlist: 'wanna_watch',
  progress: 'watching',
  complete: 'watched',
  dropped: 'stop_watching',
}
