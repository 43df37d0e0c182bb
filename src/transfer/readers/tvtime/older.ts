import { type CsvRow, csvRows } from '../../file/csv'
import type { InputFile } from '../../file/input-file'
import type { Row } from '../../row'
import { countIn, textIn } from '../fields'
import { createHistory } from '../history'
import { seriesOf, timeIn } from './cells'

/**
 * `followed_tv_show.csv` with TheTVDB ids, and `seen_episode.csv` or `watched_on_episode.csv`, which identify a series
 * only by name.
 */
export async function* olderRows(
  followed: InputFile | undefined,
  seen: InputFile | undefined,
): AsyncGenerator<Row> {
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
