import { jsonValues } from '../file/json'
import type { Play, Row, WorkRef } from '../row'
import { countIn, type Fields, fieldsOf, idIn, instantIn, listOf, scoreIn, textIn } from './fields'
import { jsonReader } from './reader'

/** The complete export. Ratings are out of 100. */
export const ryot = jsonReader('ryot', /^metadata\[\]\.seen_history\[\]$/, async function* (file) {
  for await (const { value } of jsonValues(file, '$.metadata.*')) yield rowOf(fieldsOf(value))
})

function rowOf(item: Fields): Row {
  const lot = textIn(item.lot)
  const reviews = listOf(item.reviews).map(fieldsOf)
  const texts = reviews.map((one) => fieldsOf(one.review))
  const [score] = reviews.flatMap((one) => scoreIn(one.rating) ?? [])
  return {
    sourceId: textIn(item.identifier),
    title: textIn(item.source_id) || textIn(item.title),
    refs: refsOf(item, lot),
    media: lot === 'movie' ? 'movie' : undefined,
    status: statusOf(item),
    plays: listOf(item.seen_history).map(fieldsOf).filter(isDone).map(playOf),
    score: score === undefined ? undefined : { value: score, scale: 100 },
    note: texts.map((one) => textIn(one.text)).find((text) => text !== '') ?? '',
    isPrivate: texts.some((one) => textIn(one.visibility).toLowerCase() === 'private'),
    mayBeOther: lot !== 'anime',
    ...(!['anime', 'show', 'movie'].includes(lot) && { skipped: 'not_anime' }),
  }
}

function refsOf(item: Fields, lot: string): readonly WorkRef[] {
  const id = idIn(item.identifier)
  if (id === undefined) return []
  if (item.source === 'myanimelist') return [{ site: 'mal', id }]
  if (item.source === 'anilist') return [{ site: 'anilist', id }]
  if (item.source === 'tvdb') return [{ site: 'tvdb', id }]
  return item.source === 'tmdb' ? [{ site: 'tmdb', id: `${lot === 'movie' ? 'movie' : 'tv'}/${id}` }] : []
}

/** The collection says it; where there is none, how the last time ended. */
function statusOf(item: Fields): Row['status'] {
  const names = listOf(item.collections).map((one) => textIn(fieldsOf(one).collection_name))
  const states = listOf(item.seen_history).map((one) => textIn(fieldsOf(one).state))
  if (states.includes('dropped')) return 'stop_watching'
  if (states.includes('on_a_hold')) return 'on_hold'
  if (names.includes('Completed')) return 'watched'
  if (names.includes('In Progress')) return 'watching'
  return names.includes('Watchlist') ? 'wanna_watch' : undefined
}

const isDone = (seen: Fields) => textIn(seen.state) === 'completed' || Number(seen.progress) === 100

function playOf(seen: Fields): Play {
  return {
    season: countIn(seen.show_season_number),
    episode: countIn(seen.anime_episode_number ?? seen.show_episode_number) ?? 0,
    watchedAt: instantIn(seen.ended_on) ?? instantIn(seen.started_on),
  }
}
