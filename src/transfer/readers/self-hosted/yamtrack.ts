import type { StatusKind } from '../../../library/statuses'
import { createCounts } from '../../counts'
import { type CsvRow, csvRows } from '../../file/csv'
import type { ListRow, Play, WorkRef } from '../../row'
import { countIn, dayIn, entryOf, instantIn, textIn } from '../fields'
import { listName, listNote } from '../list-places'
import type { ListReader } from '../reader'
import { refAt, refAtTmdb, scoreOf } from '../row-parts'

/**
 * The CSV export; a fork of it adds lists to the media, marked by `row_type`. It has lines for a series at TMDB, for its
 * seasons and for each of their episodes: a row is a season with its plays, or the series if nothing else is there.
 */
export const yamtrack: ListReader = {
  source: 'yamtrack',
  recognises: ({ columns }) => ['media_id', 'source', 'media_type'].every((name) => columns.includes(name)),
  rows: async function* ({ file }) {
    const series = createSeries()
    for await (const cells of csvRows(file)) {
      if ((cells.row_type ?? 'media') !== 'media') yield listRow(cells)
      else if (ofSeries.has(cells.media_type ?? '')) series.add(cells)
      else yield yamtrackRow(cells)
    }
    yield* series.rows()
  },
}

/** A line of a list names one of its works, or, without an id, the list alone. */
function listRow(cells: CsvRow): ListRow {
  const name = listName(cells.list_name)
  const { sourceId, title, refs, media } = yamtrackRow(cells)
  if (textIn(cells.media_id) === '' || name === '') return { sourceId, title: name, refs, skipped: 'list' }
  return { sourceId, title, refs, media, lists: [{ name, note: listNote(cells.notes) }] }
}

const ofSeries: ReadonlySet<string> = new Set(['tv', 'season', 'episode'])

type Season = ListRow & { readonly plays: Play[] }

/** Joins the lines of series, which are in any order; rows are in order of first mention. */
function createSeries() {
  const counts = createCounts()
  const titles = new Map<string, Season>()
  const add = (cells: CsvRow): void => {
    const key = `${idOf(cells)}/${cells.season_number}`
    const row = yamtrackRow(cells)
    const { sourceId, title, refs } = row
    const known = titles.get(key)
    const { plays, ...said } = known ?? { sourceId, title, refs, plays: [] }
    if (known === undefined) counts.add('titles')
    if (cells.media_type === 'episode') {
      counts.add('plays')
      plays.push(playOf(cells))
      titles.set(key, { ...said, plays })
    } else titles.set(key, { ...row, ...said, ...(said.status && again(said)), plays })
  }
  const rows = function* (): Generator<ListRow> {
    const wholes = new Map([...titles].filter(([key]) => key.endsWith('/')))
    const seasons = [...titles].filter(([key]) => !key.endsWith('/'))
    const known = new Set(seasons.map(([key]) => wholeOf(key)))
    for (const [key, row] of titles) {
      const whole = wholes.get(wholeOf(key))
      if (whole !== row) wholes.delete(wholeOf(key))
      else if (known.has(key)) continue
      const { score = whole?.score, note = whole?.note } = row
      yield { ...row, score, note, progress: row.plays.length > 0 ? undefined : row.progress }
    }
  }
  return { add, rows }
}

const idOf = ({ source, media_id }: CsvRow) => `${source}/${media_id}`

const wholeOf = (key: string) => key.replace(/[^/]*$/, '')

/** A season that was watched again has a line for each time. */
const again = ({ rewatches = 0 }: ListRow): Pick<ListRow, 'rewatches'> => ({ rewatches: rewatches + 1 })

function yamtrackRow(cells: CsvRow): ListRow {
  const type = cells.media_type ?? ''
  const isRepeating = cells.status === 'Repeating'
  return {
    sourceId: textIn(cells.media_id),
    title: textIn(cells.title),
    refs: refsOf(cells),
    media: type === 'movie' ? 'movie' : undefined,
    status: entryOf(statuses, cells.status),
    ...((type === 'anime' || type === 'season') && {
      progress: isRepeating ? 'all' : countIn(cells.progress),
    }),
    score: scoreOf(cells.score, 10),
    startedOn: dayIn(cells.start_date),
    finishedOn: dayIn(cells.end_date),
    rewatches: countIn(cells.repeats),
    note: textIn(cells.notes),
    updatedAt: instantIn((cells.progressed_at ?? cells.progress_changed ?? '').replace(' ', 'T')),
    ...(!mediaTypes.has(type) && { skipped: 'not_anime' }),
  }
}

/** An episode of a series at TMDB, watched at the time given. Its dates are not the season's. */
function playOf(cells: CsvRow): Play {
  const at = cells.end_date || cells.start_date || ''
  const watchedAt = instantIn(at.replace(' ', 'T')) ?? dayIn(at)
  const season = countIn(cells.season_number)
  return { season, episode: countIn(cells.episode_number) ?? 0, watchedAt }
}

function refsOf({ source, media_id, media_type, season_number }: CsvRow): readonly WorkRef[] {
  if (source === 'mal') return refAt('mal', media_id)
  return source === 'tmdb' ? refAtTmdb(media_type === 'movie', media_id, countIn(season_number)) : []
}

const mediaTypes: ReadonlySet<string> = new Set(['anime', 'tv', 'season', 'episode', 'movie'])

const statuses: Readonly<Record<string, StatusKind>> = {
  Completed: 'watched',
  'In progress': 'watching',
  Repeating: 'watching',
  Planning: 'wanna_watch',
  Paused: 'on_hold',
  Dropped: 'stop_watching',
}
