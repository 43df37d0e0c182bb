import { csvRows } from '../file/csv'
import type { InputFile } from '../file/input-file'
import type { Play, Row } from '../row'
import { countIn, idIn, textIn } from './fields'
import type { Contents, Reader } from './reader'

type Cells = Readonly<Record<string, string | undefined>>

/**
 * The answer to a request for one's data (GDPR): series and their episodes of `tracking-prod-records-v2.csv`. Other
 * members, some of which hold secrets, are not opened. Times are UTC.
 */
export const tvtime: Reader = {
  source: 'tvtime',
  recognises: (contents) => trackingIn(contents) !== undefined,
  rows: (contents) => rowsOf(trackingIn(contents)),
}

/** Names vary in their dashes. */
function trackingIn(contents: Contents): InputFile | undefined {
  if (contents.kind !== 'archive') return undefined
  const [, member] =
    [...contents.members].find(
      ([name]) => name.replaceAll(/[^a-z0-9]/g, '') === 'trackingprodrecordsv2csv',
    ) ?? []
  return member
}

async function* rowsOf(file: InputFile | undefined): AsyncGenerator<Row> {
  if (file === undefined) return
  const series = new Map<string, Row & { plays: Play[] }>()
  for await (const cells of csvRows(file)) {
    const id = textIn(cells.s_id)
    const known = series.get(id) ?? { ...seriesOf(cells, id), plays: [] }
    const key = textIn(cells.key)
    if (key.startsWith('watch-episode-')) known.plays.push(playOf(cells))
    series.set(id, key.startsWith('user-series-') ? { ...known, status: statusOf(cells) } : known)
  }
  yield* series.values()
}

/** `Name (Year)` of series that share a name. */
function seriesOf(cells: Cells, id: string): Row {
  const [, title = '', year] = /^(.*?)(?: \((\d{4})\))?$/.exec(textIn(cells.series_name)) ?? []
  const known = idIn(id)
  return {
    sourceId: id,
    title,
    refs: known === undefined ? [] : [{ site: 'tvdb', id: known }],
    year: countIn(year),
    mayBeOther: true,
  }
}

function statusOf(cells: Cells): Row['status'] {
  if (cells.is_archived === 'true') return 'stop_watching'
  return cells.is_for_later === 'true' ? 'wanna_watch' : undefined
}

function playOf(cells: Cells): Play {
  const at = Date.parse(`${textIn(cells.created_at).replace(' ', 'T')}Z`)
  return {
    season: countIn(cells.season_number ?? cells.s_no),
    episode: countIn(cells.episode_number ?? cells.ep_no) ?? 0,
    watchedAt: Number.isNaN(at) ? undefined : at,
  }
}
