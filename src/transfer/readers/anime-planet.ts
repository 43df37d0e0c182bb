import type { StatusKind } from '../../library/statuses'
import type { ListRow } from '../row'
import { countIn, dayIn, entryOf, type Fields, textIn } from './fields'
import { jsonReader, rowsAt } from './reader'
import { scoreOf } from './row-parts'

/** Has no ids and no years. `times` includes the first time. */
export const animePlanet = jsonReader(
  'anime-planet',
  /^entries\[\]\.eps$/,
  rowsAt('$.entries.*', animePlanetRow),
)

function animePlanetRow(entry: Fields): ListRow {
  const status = entryOf(statuses, entry.status)
  const times = countIn(entry.times) ?? 0
  return {
    sourceId: '',
    title: textIn(entry.name),
    refs: [],
    status,
    progress: countIn(entry.eps),
    score: scoreOf(entry.rating, 5),
    startedOn: dayIn(entry.started),
    finishedOn: dayIn(entry.completed),
    rewatches: Math.max(0, times - 1),
    ...(status === undefined && { skipped: 'no_counterpart_status' }),
  }
}

const statuses: Readonly<Record<string, StatusKind>> = {
  watched: 'watched',
  watching: 'watching',
  'want to watch': 'wanna_watch',
  stalled: 'on_hold',
  dropped: 'stop_watching',
}
