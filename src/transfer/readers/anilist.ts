import type { Media } from '../../catalogue/default/sources'
import type { StatusKind } from '../../library/statuses'
import type { InputFile } from '../file/input-file'
import { jsonValues } from '../file/json'
import { favorites, type ListRow, type Score } from '../row'
import { countIn, entryOf, type Fields, fieldsOf, fuzzyDayIn, secondsIn, textIn } from './fields'
import { inLists, ListPlaces, listName } from './list-places'
import { watchedOf } from './mal'
import { jsonReader } from './reader'
import { refAt, scoreOf } from './row-parts'

const collection = /^(?:\[\]\.)?(?:data\.)?[^.[]+\.lists\[\]\.entries\[\]\.(?:mediaId|media\.id)$/

/** Below these, an answer has a collection: `data.X`, `X`, and both in an array. */
const collections = ['$.*', '$.*.*', '$.*.data.*']

/**
 * The answer of `MediaListCollection`, under any alias, with or without `data`, or an array of such answers. Entries of custom lists that are also
 * on another list are read once. Favorites without an entry come last.
 */
export const anilist = jsonReader('anilist', collection, async function* (file) {
  const scale = await scaleIn(file)
  const { places, favorite } = await placesIn(file)
  const seen = new Set<string>()
  for await (const { value } of entriesIn(file)) {
    const id = textIn(fieldsOf(value).id)
    if (id !== '' && seen.has(id)) continue
    seen.add(id)
    yield { ...anilistRow(value, scale), ...inLists(places.take(mediaOf(value))) }
  }
  for (const [id, lists] of places.left)
    if (favorite.has(id)) yield { ...anilistRow({ media: favorite.get(id) }, undefined), lists }
})

/** Which anime, by their ids, are in which custom lists, and the favorites by their ids. */
async function placesIn(file: InputFile) {
  const places = new ListPlaces()
  const { custom, favorite } = await customListsIn(file)
  if (custom.size > 0)
    for await (const { value, keys } of entriesIn(file)) {
      const name = custom.get(keys.slice(0, -2).join())
      if (name !== undefined) places.add(mediaOf(value), { name })
    }
  for (const id of favorite.keys()) places.add(id, { name: favorites })
  return { places, favorite }
}

/** Names of custom lists by where they are in the file, and the favorites by their ids. */
async function customListsIn(file: InputFile) {
  const [custom, names, favorite] = [new Set<string>(), new Map<string, string>(), new Map<string, Fields>()]
  const lists = collections.flatMap((path) => [`${path}.lists.*.isCustomList`, `${path}.lists.*.name`])
  for await (const { value, keys } of jsonValues(file, ...lists, ...favoritePaths)) {
    const list = keys.slice(0, -1).join()
    if (value === true) custom.add(list)
    else if (typeof value === 'string' && names.size < mostNamed) names.set(list, listName(value))
    else if (typeof value === 'object' && favorite.size < mostNamed) {
      const media = fieldsOf(fieldsOf(value).node ?? value)
      favorite.set(textIn(media.id), media)
    }
  }
  return { custom: new Map([...names].filter(([list, name]) => custom.has(list) && name !== '')), favorite }
}

/** Lists and favorites; AniList has fewer. */
const mostNamed = 1000

const favoritePaths = collections.flatMap((path) =>
  ['nodes', 'edges'].map((kind) => `${path}.favourites.anime.${kind}.*`),
)

const mediaOf = (value: unknown): string => {
  const entry = fieldsOf(value)
  return textIn(entry.mediaId ?? fieldsOf(entry.media).id)
}

const entriesIn = (file: InputFile) =>
  jsonValues(file, ...collections.map((path) => `${path}.lists.*.entries.*`))

/** From the user's settings, if they are in the file. */
async function scaleIn(file: InputFile): Promise<Score['scale']> {
  const paths = collections.map((path) => `${path}.user.mediaListOptions.scoreFormat`)
  for await (const { value } of jsonValues(file, ...paths)) return entryOf(scales, value)
  return undefined
}

const scales: Readonly<Record<string, Score['scale']>> = {
  POINT_100: 100,
  POINT_10_DECIMAL: 10,
  POINT_10: 10,
  POINT_5: 5,
  POINT_3: 3,
}

function anilistRow(value: unknown, scale: Score['scale']): ListRow {
  const entry = fieldsOf(value)
  const media = fieldsOf(entry.media)
  const title = fieldsOf(media.title)
  const isRewatching = entry.status === 'REPEATING'
  const id = entry.mediaId ?? media.id
  return {
    sourceId: textIn(id),
    title:
      textIn(title.native) || textIn(title.romaji) || textIn(title.english) || textIn(title.userPreferred),
    refs: [...refAt('anilist', id), ...refAt('mal', media.idMal)],
    year: countIn(media.seasonYear),
    media: entryOf(formats, media.format),
    ...watchedOf(entryOf(statuses, entry.status), isRewatching, countIn(entry.progress)),
    total: countIn(media.episodes) || undefined,
    score: scoreOf(entry.score, scale),
    startedOn: fuzzyDayIn(entry.startedAt),
    finishedOn: fuzzyDayIn(entry.completedAt),
    rewatches: countIn(entry.repeat),
    note: textIn(entry.notes),
    isPrivate: entry.private === true,
    updatedAt: secondsIn(entry.updatedAt),
    ...((media.type === 'MANGA' || printed.has(textIn(media.format))) && { skipped: 'not_anime' }),
  }
}

const printed: ReadonlySet<string> = new Set(['MANGA', 'NOVEL', 'ONE_SHOT'])

const statuses: Readonly<Record<string, StatusKind>> = {
  CURRENT: 'watching',
  REPEATING: 'watching',
  PLANNING: 'wanna_watch',
  COMPLETED: 'watched',
  DROPPED: 'stop_watching',
  PAUSED: 'on_hold',
}

const formats: Readonly<Record<string, Media>> = {
  TV: 'tv',
  TV_SHORT: 'tv',
  MOVIE: 'movie',
  SPECIAL: 'ova',
  OVA: 'ova',
  ONA: 'web',
  MUSIC: 'other',
}
