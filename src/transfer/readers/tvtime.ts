import { type CsvRow, csvRows } from '../file/csv'
import type { InputFile } from '../file/input-file'
import type { ListRow } from '../row'
import { countIn, dayIn, textIn } from './fields'
import { createHistory } from './history'
import type { TimedPlay } from './plays'
import type { Contents, ListReader } from './reader'
import { calledBy } from './row-parts'

/**
 * The answer to a data request (GDPR): series and episodes from `tracking-prod-records-v2.csv`, or from the older files
 * if it is missing, and films. Other members, some of which contain secrets, are not opened. Times are UTC.
 */
export const tvtime: ListReader = {
  source: 'tvtime',
  recognises: (contents) => ['series', 'films', 'seen', 'watchedOn'].some((one) => membersOf(contents)[one]),
  rows: async function* (contents) {
    const { series, films, seen, watchedOn, followed } = membersOf(contents)
    if (series !== undefined) yield* seriesRows(series)
    else yield* olderRows(followed, seen ?? watchedOn)
    if (films !== undefined) yield* filmRows(films)
  },
}

const names: Readonly<Record<string, string>> = {
  trackingprodrecordsv2csv: 'series',
  trackingprodrecordscsv: 'films',
  seenepisodecsv: 'seen',
  watchedonepisodecsv: 'watchedOn',
  followedtvshowcsv: 'followed',
}

/** The dashes in names vary. */
function membersOf({ members }: Contents): Readonly<Record<string, InputFile | undefined>> {
  return Object.fromEntries(
    [...members].flatMap(([name, member]) => {
      const known = names[name.replaceAll(/[^a-z0-9]/g, '')]
      return known === undefined ? [] : [[known, member]]
    }),
  )
}

async function* seriesRows(file: InputFile): AsyncGenerator<ListRow> {
  const titles = createHistory()
  for await (const cells of csvRows(file)) {
    const [id, key] = [textIn(cells.s_id), textIn(cells.key)]
    const title = titles.of(id, () => seriesOf(textIn(cells.series_name), id))
    if (key.startsWith('watch-episode-')) titles.addPlay(title, playOf(cells))
    if (key.startsWith('user-series-')) title.row = { ...title.row, status: statusOf(cells) }
  }
  yield* titles.rows()
}

/** Series that share a name are called `Name (Year)`. */
function seriesOf(name: string, id: string): ListRow {
  const [, title = '', year] = /^(.*?)(?: \((\d{4})\))?$/.exec(name) ?? []
  return { ...calledBy('tvdb', id), title, year: countIn(year), mayBeOther: true }
}

/** `2023-05-06 12:34:56`, in UTC. */
function timeIn(cell: string | undefined): number | undefined {
  const at = Date.parse(`${textIn(cell).trim().replace(' ', 'T').replace(/Z?$/, '')}Z`)
  return Number.isNaN(at) ? undefined : at
}

function statusOf(cells: CsvRow): ListRow['status'] {
  if (cells.is_archived === 'true') return 'stop_watching'
  return cells.is_for_later === 'true' ? 'wanna_watch' : undefined
}

function playOf(cells: CsvRow): TimedPlay {
  const season = countIn(cells.season_number) ?? countIn(cells.s_no)
  return {
    season: cells.is_special === 'true' ? 0 : season,
    episode: countIn(cells.episode_number) ?? countIn(cells.ep_no) ?? 0,
    watchedAt: timeIn(cells.created_at),
  }
}

/**
 * `followed_tv_show.csv` with TheTVDB ids, and `seen_episode.csv` or `watched_on_episode.csv`, which identify a series
 * only by name.
 */
async function* olderRows(
  followed: InputFile | undefined,
  seen: InputFile | undefined,
): AsyncGenerator<ListRow> {
  const titles = createHistory()
  const titleIn = ({ tv_show_name: name = '', tv_show_id }: CsvRow) =>
    titles.of(name, () => seriesOf(name, textIn(tv_show_id)))
  if (followed !== undefined)
    for await (const cells of csvRows(followed)) {
      const title = titleIn(cells)
      if (isTrue(cells.archived)) title.row = { ...title.row, status: 'stop_watching' }
    }
  if (seen !== undefined)
    for await (const cells of csvRows(seen)) {
      titles.addPlay(titleIn(cells), {
        season: countIn(cells.episode_season_number),
        episode: countIn(cells.episode_number) ?? 0,
        watchedAt: timeIn(cells.created_at),
      })
    }
  yield* titles.rows()
}

const isTrue = (cell: string | undefined) => cell === '1' || cell === 'true'

/** The films of `tracking-prod-records.csv`: a line for each `watch`, `rewatch` and `towatch`. */
async function* filmRows(file: InputFile): AsyncGenerator<ListRow> {
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

const filmOf = (cells: CsvRow): ListRow => ({
  sourceId: textIn(cells.uuid),
  title: textIn(cells.movie_name),
  refs: [],
  year: countIn(dayIn(cells.release_date)?.slice(0, 4)),
  media: 'movie',
  mayBeOther: true,
})

/** The day that the user gave, otherwise when it was ticked. */
const watchedAt = (cells: CsvRow) => timeIn(cells.watch_date) ?? timeIn(cells.created_at)
