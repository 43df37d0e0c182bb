import type { StatusKind } from '../../library/statuses'
import { jsonValues } from '../file/json'
import type { Row } from '../row'
import { countIn, dayIn, entryOf, fieldsOf, scoreIn, textIn } from './fields'
import { jsonReader } from './reader'

/** There are no ids and no years. `times` counts the first time too. */
export const animePlanet = jsonReader('anime-planet', /^entries\[\]\.eps$/, async function* (file) {
  for await (const { value } of jsonValues(file, '$.entries.*')) yield rowOf(value)
})

function rowOf(value: unknown): Row {
  const entry = fieldsOf(value)
  const status = entryOf(statuses, entry.status)
  const score = scoreIn(entry.rating)
  const times = countIn(entry.times) ?? 0
  return {
    sourceId: '',
    title: textIn(entry.name),
    refs: [],
    status,
    progress: countIn(entry.eps),
    score: score === undefined ? undefined : { value: score, scale: 5 },
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
