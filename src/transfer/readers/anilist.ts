import type { Media } from '../../catalogue/default/sources'
import type { StatusKind } from '../../library/statuses'
import type { InputFile } from '../file/input-file'
import { jsonValues } from '../file/json'
import type { ListRow, Score } from '../row'
import { countIn, entryOf, fieldsOf, fuzzyDayIn, secondsIn, textIn } from './fields'
import { watchedOf } from './mal'
import { jsonReader } from './reader'
import { refAt, scoreOf } from './row-parts'

const collection = /^(?:\[\]\.)?(?:data\.)?[^.[]+\.lists\[\]\.entries\[\]\.(?:mediaId|media\.id)$/

/** Below these, an answer has a collection: `data.X`, `X`, and both in an array. */
const collections = ['$.*', '$.*.*', '$.*.data.*']

/**
 * The answer of `MediaListCollection`, under any alias, with or without `data`, or an array of such answers. Entries of custom lists that are also
 * on another list are read once.
 */
export const anilist = jsonReader('anilist', collection, async function* (file) {
  const scale = await scaleIn(file)
  const seen = new Set<string>()
  for await (const { value } of entriesIn(file)) {
    const id = textIn(fieldsOf(value).id)
    if (id !== '' && seen.has(id)) continue
    seen.add(id)
    yield anilistRow(value, scale)
  }
})

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
