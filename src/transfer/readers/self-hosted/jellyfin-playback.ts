import { csvCells } from '../../file/csv'
import type { ListRow } from '../../row'
import { countIn, textIn } from '../fields'
import type { ListReader } from '../reader'

/** Seconds: if the running time is unknown, a shorter playback does not count as a play. */
const leastPlayed = 300

/**
 * The export of Jellyfin's Playback Reporting: date, user, item, type, name, method, client, device and seconds, without
 * a header. Times are the server's. A row is a play.
 */
export const jellyfinPlayback: ListReader = {
  source: 'jellyfin-playback',
  recognises: ({ columns }) => columns.length === 9 && isTime.test(columns[0] ?? ''),
  rows: async function* ({ file }) {
    for await (const cells of csvCells(file)) yield jellyfinRow(cells)
  },
}

const isTime = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/

function jellyfinRow([
  at = '',
  user = '',
  item = '',
  type,
  name = '',
  ,
  ,
  ,
  seconds,
]: readonly string[]): ListRow {
  const [, series, season, number] = /^(.*) - s(\d+)e(\d+) - /i.exec(name) ?? []
  const play = {
    season: countIn(season),
    episode: countIn(number) ?? 0,
    watchedAt: isTime.exec(at)?.[0].replace(' ', 'T'),
  }
  return {
    sourceId: textIn(item),
    title: series ?? name,
    refs: [],
    media: type === 'Movie' ? 'movie' : undefined,
    plays: [play],
    user: user || undefined,
    mayBeOther: true,
    ...((countIn(seconds) ?? 0) < leastPlayed && { skipped: 'played_too_little' }),
  }
}
