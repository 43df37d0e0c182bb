import { createCounts } from '../../counts'
import { type CsvRow, csvRows } from '../../file/csv'
import type { ListRow, Play } from '../../row'
import { dayIn, instantIn, textIn } from '../fields'
import type { Contents, ListReader } from '../reader'

/**
 * The viewing activity of a profile (`Title,Date`), or of an account's profiles (`ViewingActivity.csv`). A row is a season
 * or a film. Most titles of episodes have no number: they are counted.
 */
export const netflix: ListReader = {
  source: 'netflix',
  recognises: ({ columns }) =>
    columns.join() === 'Title,Date' ||
    ['Profile Name', 'Start Time', 'Title', 'Supplemental Video Type'].every((name) =>
      columns.includes(name),
    ),
  rows: rowsOf,
}

interface Season {
  readonly row: ListRow
  readonly episodes: Set<number | bigint>
  readonly plays: Play[]
}

async function* rowsOf({ file }: Contents): AsyncGenerator<ListRow> {
  const counts = createCounts()
  const seasons = new Map<string, Season>()
  for await (const cells of csvRows(file)) {
    if (textIn(cells['Supplemental Video Type']) !== '') continue
    const { title, episode } = partsOf(textIn(cells.Title))
    const user = cells['Profile Name']
    const key = `${user ?? ''}\0${title}`
    const known = seasons.get(key)
    if (known === undefined) counts.add('titles')
    const season = known ?? { row: netflixRow(title, user), episodes: new Set(), plays: [] }
    seasons.set(key, season)
    if (episode === undefined) seasons.set(key, { ...season, row: filmOf(season.row, cells) })
    else if (!season.episodes.has(Bun.hash(episode))) {
      counts.add('plays')
      season.episodes.add(Bun.hash(episode))
      const [, number] =
        /(?:episode|ep\.?|エピソード|第|#)\s*(\d{1,4})/i.exec(episode.normalize('NFKC')) ?? []
      if (number !== undefined) season.plays.push({ episode: Number(number), watchedAt: timeOf(cells) })
    }
  }
  for (const { row, episodes, plays } of seasons.values())
    if (episodes.size === 0) yield row
    else yield { ...row, ...(plays.length === episodes.size ? { plays } : { progress: episodes.size }) }
}

const netflixRow = (title: string, user: string | undefined): ListRow => ({
  ...{ sourceId: title, title, refs: [], status: 'watching', mayBeOther: true },
  ...(user !== undefined && { user }),
})

/** `Show: Season 2: Name`; without a season it is a film, or a series that cannot be told from one. */
function partsOf(text: string): { readonly title: string; readonly episode: string | undefined } {
  const [, show, season, number, episode] =
    /^(.+?): ((?:season|シーズン|series|part|パート)\s*(\d+)|limited series|リミテッドシリーズ|第\d+(?:期|シーズン|シリーズ|部)): (.+)$/i.exec(
      text,
    ) ?? []
  if (show === undefined || season === undefined) return { title: text, episode: undefined }
  const isFirst = number === '1' || /^(?:limited|リミテッド|第1\D)/i.test(season)
  return { title: isFirst ? show : `${show} ${number === undefined ? season : `Season ${number}`}`, episode }
}

const filmOf = (row: ListRow, cells: CsvRow): ListRow => ({
  ...row,
  status: 'watched',
  finishedOn: dayOf(cells),
})

const timeOf = (cells: CsvRow) =>
  instantIn(`${textIn(cells['Start Time']).trim().replace(' ', 'T')}Z`) ?? dayOf(cells)

/** `2024/1/15`, or `1/15/24` in the order of a country: only a number above 12 tells which is the day. */
function dayOf({ Date: date, 'Start Time': time }: CsvRow): string | undefined {
  const text = (date ?? time ?? '').trim()
  const two = (part: string | undefined) => (part ?? '').padStart(2, '0')
  const [, year, month, day] = /^(\d{4})[/.-](\d{1,2})[/.-](\d{1,2})/.exec(text) ?? []
  if (year !== undefined) return dayIn(`${year}-${two(month)}-${two(day)}`)
  const [, one, other, short] = /^(\d{1,2})[/.](\d{1,2})[/.](?:20)?(\d\d)$/.exec(text) ?? []
  if (Number(one) > 12) return dayIn(`20${short}-${two(other)}-${two(one)}`)
  return Number(other) > 12 ? dayIn(`20${short}-${two(one)}-${two(other)}`) : undefined
}
