import { type RatingState, ratingStates } from '../../library/ratings'
import type { StatusKind } from '../../library/statuses'
import type { InputFile } from '../file/input-file'
import { jsonValues } from '../file/json'
import type { Play, Row, WorkRef } from '../row'
import { countIn, type Fields, fieldsOf, idIn, instantIn, scoreIn, textIn } from './fields'
import { jsonReader } from './reader'

/**
 * Answers of Annict's GraphQL: `libraryEntries`, `records`, `reviews` and `activities`, as lists or as connections with
 * nodes, at the top or below `data.viewer`. A row is a work with all that is about it.
 */
export const annict = jsonReader(
  'annict',
  /(?:^|\.)(?:libraryEntries|records|reviews|activities)(?:\.nodes|\.edges)?\[\](?:\.node|\.item)?\.(?:status|episode|work)\b/,
  rowsOf,
)

async function* rowsOf(file: InputFile): AsyncGenerator<Row> {
  const works = new Map<string, Known>()
  const of = (work: Fields): Known => {
    const id = textIn(work.annictId)
    const known = works.get(id) ?? { work, plays: [] }
    works.set(id, { ...known, work: { ...known.work, ...work } })
    return works.get(id) ?? known
  }
  for await (const { list, item } of itemsIn(file)) {
    const known = of(fieldsOf(item.work))
    if (list === 'libraryEntries') known.entry = item
    else if (item.episode !== undefined) known.plays.push(playOf(item))
    else if (list === 'reviews' || item.__typename === 'Review') known.review = item
  }
  for (const known of works.values()) yield rowOf(known)
}

/** Bounded by the sizes of a file: records are told apart from their works, so they are joined here. */
interface Known {
  readonly work: Fields
  readonly plays: Play[]
  entry?: Fields
  review?: Fields
}

const lists = ['libraryEntries', 'records', 'reviews', 'activities'] as const

async function* itemsIn(file: InputFile): AsyncGenerator<{ list: string; item: Fields }> {
  const tops = ['$', '$.viewer', '$.data.viewer', '$.*.data.viewer']
  const paths = tops.flatMap((top) =>
    lists.flatMap((list) => [`${top}.${list}.*`, `${top}.${list}.nodes.*`, `${top}.${list}.edges.*`]),
  )
  for await (const { value, keys } of jsonValues(file, ...paths)) {
    const list = lists.find((name) => keys.includes(name)) ?? ''
    const fields = fieldsOf(value)
    const item = fieldsOf(fields.node ?? fields.item ?? fields)
    if (item.work !== undefined) yield { list, item }
  }
}

function rowOf({ work, plays, entry, review }: Known): Row {
  const state = annictStatuses[textIn(fieldsOf(entry?.status).state)]
  const body = [textIn(review?.title), textIn(review?.body)].filter((part) => part !== '').join('\n\n')
  const hasNothing = state === undefined && plays.length === 0 && review === undefined
  return {
    ...annictRefs(work),
    title: textIn(work.title),
    year: countIn(work.seasonYear),
    status: state,
    plays,
    total: countIn(work.episodesCount) || undefined,
    rating: ratingOf(review?.ratingOverallState),
    note: body,
    updatedAt: instantIn(fieldsOf(entry?.status).createdAt),
    ...(hasNothing && { skipped: 'nothing_to_import' }),
  }
}

function playOf(record: Fields): Play {
  const episode = fieldsOf(record.episode)
  return {
    episode: countIn(episode.number) ?? Math.round((countIn(episode.sortNumber) ?? 0) / 10),
    watchedAt: instantIn(record.createdAt),
    rating: ratingOf(record.ratingState) ?? ratingOfNumber(scoreIn(record.rating)),
    comment: textIn(record.comment),
  }
}

/** As Annict itself reads the number, from 1 to 5. */
function ratingOfNumber(rating: number | undefined): RatingState | undefined {
  if (rating === undefined || rating < 1 || rating > 5) return undefined
  return ratingStates[Math.min(3, Math.floor(rating) - 1)]
}

const ratingOf = (state: unknown): RatingState | undefined =>
  ratingStates.find((known) => known === textIn(state).toLowerCase())

export function annictRefs(work: Fields): { sourceId: string; refs: readonly WorkRef[] } {
  const [id, mal] = [idIn(work.annictId), idIn(work.malAnimeId)]
  return {
    sourceId: textIn(work.annictId),
    refs: [
      ...(id === undefined ? [] : [{ site: 'annict', id } as const]),
      ...(mal === undefined ? [] : [{ site: 'mal', id: mal } as const]),
    ],
  }
}

/** `NO_STATE` is none. */
export const annictStatuses: Readonly<Record<string, StatusKind>> = {
  WATCHING: 'watching',
  WATCHED: 'watched',
  ON_HOLD: 'on_hold',
  STOP_WATCHING: 'stop_watching',
  WANNA_WATCH: 'wanna_watch',
}
