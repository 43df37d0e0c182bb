import type { StatusKind } from '../../library/statuses'
import type { ListRow } from '../row'
import { countIn, entryOf, type Fields, textIn } from './fields'
import { watchedOf } from './mal'
import { jsonReader, rowsAt } from './reader'
import { calledBy, scoreOf } from './row-parts'

/** `animes.json`. Ids are MyAnimeList's; there are no dates. */
export const shikimoriJson = jsonReader('shikimori', /^\[\]\.target_id$/, rowsAt('$.*', shikimoriRow))

function shikimoriRow(entry: Fields): ListRow {
  const status = entryOf(statuses, entry.status)
  return {
    ...calledBy('mal', entry.target_id),
    title: textIn(entry.target_title),
    ...watchedOf(status, entry.status === 'rewatching', countIn(entry.episodes)),
    score: scoreOf(entry.score, 10),
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
