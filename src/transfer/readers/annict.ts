import { newOpinion, type RatingState, ratingStates } from '../../library/ratings'
import type { StatusKind } from '../../library/statuses'
import { createCounts, type ReaderCounts } from '../counts'
import type { InputFile } from '../file/input-file'
import { jsonValues } from '../file/json'
import type { ListRow } from '../row'
import { countIn, entryOf, type Fields, fieldsOf, instantIn, scoreIn, textIn } from './fields'
import { createHistory } from './history'
import type { TimedPlay } from './plays'
import { jsonReader } from './reader'
import { paragraphs, refAt } from './row-parts'

/**
 * Answers of Annict's GraphQL: `libraryEntries`, `records`, `reviews` and `activities`, as lists or as connections with
 * nodes, at the top or below `data.viewer`. A row is a work with everything about it.
 */
export const annict = jsonReader(
  'annict',
  /(?:^|\.)(?:libraryEntries|records|reviews|activities)(?:\.nodes|\.edges)?\[\](?:\.node|\.item)?\.(?:status|episode|work)\b/,
  rowsOf,
)

async function* rowsOf(file: InputFile): AsyncGenerator<ListRow> {
  const counts = createCounts()
  const [works, listed] = [createHistory(counts), new Set<string>()]
  for await (const { list, item } of itemsIn(file)) {
    const work = fieldsOf(item.work)
    const id = textIn(work.annictId)
    const known = works.of(id, () => annictRow(work))
    if (work.title !== undefined) known.row = { ...known.row, ...annictRow(work) }
    if (list === 'libraryEntries') listed.add(id)
    if (item.episode !== undefined) works.addPlay(known, playOf(item))
    else known.row = { ...known.row, ...saidIn(list, item, listed.has(id), counts) }
  }
  for (const row of works.rows()) yield hasNothing(row) ? { ...row, skipped: 'nothing_to_import' } : row
}

const hasNothing = ({ status, plays, rating, note }: ListRow) =>
  status === undefined && plays?.length === 0 && rating === undefined && note === undefined

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

const annictRow = (work: Fields): ListRow => ({
  ...annictRefs(work),
  title: textIn(work.title),
  year: countIn(work.seasonYear),
  total: countIn(work.episodesCount) || undefined,
})

/** The library has the current status; without it, the last activity decides. */
function saidIn(list: string, item: Fields, isListed: boolean, counts: ReaderCounts): Partial<ListRow> {
  if (list === 'libraryEntries') return statusIn(fieldsOf(item.status))
  if (list === 'reviews' || item.__typename === 'Review') return reviewIn(item, counts)
  return item.__typename === 'Status' && !isListed ? statusIn(item) : {}
}

const statusIn = ({ state, createdAt }: Fields): Pick<ListRow, 'status' | 'updatedAt'> => ({
  status: entryOf(annictStatuses, state),
  updatedAt: instantIn(createdAt),
})

function reviewIn(review: Fields, counts: ReaderCounts): Pick<ListRow, 'rating' | 'note'> {
  const body = paragraphs(textIn(review.title), textIn(review.body))
  return { rating: ratingOf(review.ratingOverallState), note: counts.kept(body) }
}

function playOf(record: Fields): TimedPlay {
  const [episode, number] = [fieldsOf(record.episode), scoreIn(record.rating)]
  return {
    episode: countIn(episode.number) ?? Math.round((countIn(episode.sortNumber) ?? 0) / 10),
    watchedAt: instantIn(record.createdAt),
    rating: ratingOf(record.ratingState) ?? ratingOfNumber(number),
    score:
      newOpinion({ rating: number !== undefined && number <= 5 ? number : undefined }).score ?? undefined,
    comment: textIn(record.comment),
  }
}

/** The same steps as at Annict, from 1 to 5. */
function ratingOfNumber(rating: number | undefined): RatingState | undefined {
  if (rating === undefined || rating < 1 || rating > 5) return undefined
  return ratingStates[Math.min(3, Math.floor(rating) - 1)]
}

const ratingOf = (state: unknown): RatingState | undefined =>
  ratingStates.find((known) => known === textIn(state).toLowerCase())

export const annictRefs = ({ annictId, malAnimeId }: Fields): Pick<ListRow, 'sourceId' | 'refs'> => ({
  sourceId: textIn(annictId),
  refs: [...refAt('annict', annictId), ...refAt('mal', malAnimeId)],
})

/** `NO_STATE` means none. */
export const annictStatuses: Readonly<Record<string, StatusKind>> = {
  WATCHING: 'watching',
  WATCHED: 'watched',
  ON_HOLD: 'on_hold',
  STOP_WATCHING: 'stop_watching',
  WANNA_WATCH: 'wanna_watch',
}
