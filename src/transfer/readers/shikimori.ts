import type { StatusKind } from '../../library/statuses'
import { jsonValues } from '../file/json'
import type { Row } from '../row'
import { countIn, entryOf, fieldsOf, textIn } from './fields'
import { refsOf, tenPoint, watchedOf } from './mal'
import { jsonReader } from './reader'

/** `animes.json`. Ids are those of MyAnimeList; there are no dates. */
export const shikimoriJson = jsonReader('shikimori', /^\[\]\.target_id$/, async function* (file) {
  for await (const { value } of jsonValues(file, '$.*')) yield rowOf(value)
})

function rowOf(value: unknown): Row {
  const entry = fieldsOf(value)
  const status = entryOf(statuses, entry.status)
  return {
    ...refsOf(entry.target_id),
    title: textIn(entry.target_title),
    ...watchedOf(status, entry.status === 'rewatching', countIn(entry.episodes)),
    score: tenPoint(entry.score),
    rewatches: countIn(entry.rewatches),
    note: textIn(entry.text),
    ...(entry.target_type !== 'Anime' && { skipped: 'not_anime' }),
  }
}

const statuses: Readonly<Record<string, StatusKind>> = {
  planned: 'wanna_watch',
  watching: 'watching',
  rewatching: 'watching',
  completed: 'watched',
  on_hold: 'on_hold',
  dropped: 'stop_watching',
}
