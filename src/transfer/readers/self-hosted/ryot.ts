import { jsonValues } from '../../file/json'
import type { ListPlace, ListRow, Play, WorkRef } from '../../row'
import { countIn, type Fields, fieldsOf, instantIn, objectsIn, textIn } from '../fields'
import { inLists, listName, listText } from '../list-places'
import { jsonReader, type ListReader, rowsAt } from '../reader'
import { refAt, refAtTmdb, scoreOf } from '../row-parts'

/** The complete export. Ratings are out of 100. */
export const ryot: ListReader = {
  ...jsonReader('ryot', /^metadata\[\]\.seen_history\[\]$/, rowsAt('$.metadata.*', ryotRow)),
  lists: async function* ({ file }) {
    for await (const { value } of jsonValues(file, '$.collections.*')) {
      const { name, collection_name = name, description } = fieldsOf(value)
      if (!ofProgram.has(listName(collection_name)))
        yield { name: listName(collection_name), text: listText(description) }
    }
  },
}

function ryotRow(item: Fields): ListRow {
  const lot = textIn(item.lot)
  const reviews = objectsIn(item.reviews)
  const texts = reviews.map((one) => fieldsOf(one.review))
  const [score] = reviews.flatMap((one) => scoreOf(one.rating, 100) ?? [])
  return {
    sourceId: textIn(item.identifier),
    title: textIn(item.source_id) || textIn(item.title),
    refs: refsOf(item, lot),
    media: lot === 'movie' ? 'movie' : undefined,
    status: statusOf(item),
    plays: objectsIn(item.seen_history).filter(isDone).map(playOf),
    score,
    note: texts.map((one) => textIn(one.text)).find((text) => text !== '') ?? '',
    isPrivate: texts.some((one) => textIn(one.visibility).toLowerCase() === 'private'),
    ...inLists(listsOf(item)),
    mayBeOther: lot !== 'anime',
    ...(!['anime', 'show', 'movie'].includes(lot) && { skipped: 'not_anime' }),
  }
}

function refsOf({ source, identifier }: Fields, lot: string): readonly WorkRef[] {
  if (source === 'tmdb') return refAtTmdb(lot === 'movie', identifier)
  if (source === 'myanimelist') return refAt('mal', identifier)
  return source === 'anilist' || source === 'tvdb' ? refAt(source, identifier) : []
}

/** The collections decide; without one, how the last viewing ended. */
function statusOf(item: Fields): ListRow['status'] {
  const names = objectsIn(item.collections).map((one) => textIn(one.collection_name))
  const states = objectsIn(item.seen_history).map((one) => textIn(one.state))
  if (states.includes('dropped')) return 'stop_watching'
  if (states.includes('on_a_hold')) return 'on_hold'
  if (names.includes('Completed')) return 'watched'
  if (names.includes('In Progress')) return 'watching'
  return names.includes('Watchlist') ? 'wanna_watch' : undefined
}

/** Collections of one's own. */
const listsOf = (item: Fields): readonly ListPlace[] =>
  objectsIn(item.collections).flatMap((one) => {
    const name = listName(one.collection_name)
    return name === '' || ofProgram.has(name) ? [] : [{ name }]
  })

/** What Ryot makes for everybody: statuses, reminders and what one has added by hand. */
const ofProgram: ReadonlySet<string> = new Set([
  ...['Completed', 'In Progress', 'Watchlist'],
  ...['Owned', 'Monitoring', 'Reminders', 'Custom'],
])

const isDone = (seen: Fields) => textIn(seen.state) === 'completed' || Number(seen.progress) === 100

function playOf(seen: Fields): Play {
  return {
    season: countIn(seen.show_season_number),
    episode: countIn(seen.anime_episode_number ?? seen.show_episode_number) ?? 0,
    watchedAt: instantIn(seen.ended_on) ?? instantIn(seen.started_on),
  }
}
