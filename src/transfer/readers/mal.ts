import type { Media } from '../../catalogue/default/sources'
import type { StatusKind } from '../../library/statuses'
import { xmlElements } from '../file/xml'
import type { ListRow } from '../row'
import { countIn, dayIn, entryOf, type Fields, fieldsOf, instantIn, partialDateIn, textIn } from './fields'
import { jsonReader, type ListReader, rowsAt } from './reader'
import { calledBy, scoreOf } from './row-parts'

/** MyAnimeList's XML exports, from 2008 to today, which Taiga, Kitsu and Shikimori write too. */
export const malXml: ListReader = {
  source: 'mal',
  recognises: ({ elements }) => elements.has('anime'),
  rows: async function* ({ file }) {
    for await (const { name, texts } of xmlElements(file)) if (name === 'anime') yield xmlRow(texts)
  },
}

export const shikimoriXml: ListReader = {
  ...malXml,
  source: 'shikimori',
  recognises: ({ elements }) => elements.has('anime/shiki_status'),
}

/** The answer of `GET /users/{name}/animelist` of the API v2. */
export const malApi = jsonReader('mal', /^data\[\]\.list_status$/, rowsAt('$.data.*', apiRow))

/** `load.json`, which the list's web page loads. Other programs name their ids `anime_id` too. */
export const malLoad: ListReader = {
  source: 'mal',
  recognises: ({ places }) => places.has('[].anime_id') && places.has('[].num_watched_episodes'),
  rows: ({ file }) => rowsAt('$.*', loadRow)(file),
}

function xmlRow(texts: Readonly<Record<string, string | undefined>>): ListRow {
  const status = malStatus(texts.my_status)
  const isRewatching = texts.my_rewatching === '1' || texts.shiki_status === 'Rewatching'
  return {
    ...calledBy('mal', texts.series_animedb_id),
    title: textIn(texts.series_title).trim(),
    media: malMedia(texts.series_type),
    ...watchedOf(status, isRewatching, countIn(texts.my_watched_episodes)),
    total: countIn(texts.series_episodes) || undefined,
    score: scoreOf(texts.my_score, 10),
    startedOn: dayIn(texts.my_start_date),
    finishedOn: dayIn(texts.my_finish_date),
    rewatches: countIn(texts.my_times_watched),
    note: textIn(texts.my_comments),
    ...(status === undefined && { error: 'my_status must be a status of MyAnimeList' }),
  }
}

function apiRow({ node, list_status }: Fields): ListRow {
  const [anime, entry] = [fieldsOf(node), fieldsOf(list_status)]
  return {
    ...calledBy('mal', anime.id),
    title: textIn(anime.title),
    ...watchedOf(malStatus(entry.status), entry.is_rewatching === true, countIn(entry.num_episodes_watched)),
    total: countIn(anime.num_episodes) || undefined,
    score: scoreOf(entry.score, 10),
    startedOn: partialDateIn(entry.start_date),
    finishedOn: partialDateIn(entry.finish_date),
    rewatches: countIn(entry.num_times_rewatched),
    note: textIn(entry.comments),
    updatedAt: instantIn(entry.updated_at),
  }
}

function loadRow(entry: Fields): ListRow {
  const isRewatching = entry.is_rewatching === 1 || entry.is_rewatching === true
  return {
    ...calledBy('mal', entry.anime_id),
    title: textIn(entry.anime_title),
    media: malMedia(entry.anime_media_type_string),
    ...watchedOf(malStatus(entry.status), isRewatching, countIn(entry.num_watched_episodes)),
    total: countIn(entry.anime_num_episodes) || undefined,
    score: scoreOf(entry.score, 10),
    startedOn: americanDay(entry.start_date_string),
    finishedOn: americanDay(entry.finish_date_string),
    note: textIn(entry.editable_notes) || textIn(entry.notes),
  }
}

/** While rewatching, the list says Completed, with the total or this lap's number: all episodes were watched. */
export const watchedOf = (
  status: StatusKind | undefined,
  isRewatching: boolean,
  progress: number | undefined,
): Pick<ListRow, 'status' | 'progress'> =>
  isRewatching ? { status: 'watching', progress: 'all' } : { status, progress }

const statuses: Readonly<Record<string, StatusKind>> = {
  watching: 'watching',
  completed: 'watched',
  onhold: 'on_hold',
  dropped: 'stop_watching',
  plantowatch: 'wanna_watch',
  1: 'watching',
  2: 'watched',
  3: 'on_hold',
  4: 'stop_watching',
  6: 'wanna_watch',
}

/** `Plan to Watch`, `plan_to_watch` or its numeric code. */
const malStatus = (status: unknown): StatusKind | undefined =>
  entryOf(
    statuses,
    textIn(status)
      .toLowerCase()
      .replaceAll(/[^a-z0-9]/g, ''),
  )

const media: Readonly<Record<string, Media>> = {
  tv: 'tv',
  movie: 'movie',
  ova: 'ova',
  special: 'ova',
  ona: 'web',
}

const malMedia = (type: unknown): Media | undefined => entryOf(media, textIn(type).toLowerCase())

/** `MM-DD-YY`: years below 50 are in this century. */
function americanDay(value: unknown): string | undefined {
  const [, month, day, year] = /^(\d\d)-(\d\d)-(\d\d)$/.exec(textIn(value)) ?? []
  return dayIn(`${Number(year) < 50 ? 20 : 19}${year}-${month}-${day}`)
}
