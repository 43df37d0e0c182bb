import { type CsvRow, csvRows } from '../../file/csv'
import type { InputFile } from '../../file/input-file'
import type { Row } from '../../row'
import { countIn, textIn } from '../fields'
import { createHistory } from '../history'
import type { TimedPlay } from '../plays'
import type { Contents, Reader } from '../reader'
import { seriesOf, timeIn } from './cells'
import { filmRows } from './films'
import { olderRows } from './older'

/**
 * The answer to a data request (GDPR): series and episodes from `tracking-prod-records-v2.csv`, or from the older files
 * if it is missing, and films. Other members, some of which contain secrets, are not opened. Times are UTC.
 */
export const tvtime: Reader = {
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

async function* seriesRows(file: InputFile): AsyncGenerator<Row> {
  const titles = createHistory()
  for await (const cells of csvRows(file)) {
    const [id, key] = [textIn(cells.s_id), textIn(cells.key)]
    const title = titles.of(id, () => seriesOf(textIn(cells.series_name), id))
    if (key.startsWith('watch-episode-')) titles.addPlay(title, playOf(cells))
    if (key.startsWith('user-series-')) title.row = { ...title.row, status: statusOf(cells) }
  }
  yield* titles.rows()
}

function statusOf(cells: CsvRow): Row['status'] {
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
