import type { EpisodeHere, Here, ReviewHere } from './here'
import type { ImportedReview, Writes } from './planned-row'
import { isCommented } from './sittings'

/** What a user has after planned writes. New rows have negative ids. */
export function hereAfter(here: Here, writes: Writes, now: number): Here {
  const { growsTo, laps } = writes
  return {
    ...here,
    episodes: withSkips(withRecords(grownTo(here.episodes, growsTo ?? 0), writes), writes),
    lap: laps.at(-1)?.number ?? here.lap,
    status: writes.status ?? here.status,
    reviews: withReviews(here.reviews, writes.reviews, now),
    note: writes.note ?? here.note,
  }
}

/** The shown episodes of a list that has grown; numbers continue after the last one. */
export function grownTo(episodes: readonly EpisodeHere[], count: number): readonly EpisodeHere[] {
  const last = episodes.at(-1)?.number ?? episodes.length
  const lastSort = episodes.at(-1)?.sortNumber ?? 0
  const added = Array.from({ length: count - episodes.length }, (_, at) => ({
    id: -1 - episodes.length - at,
    number: last + at + 1,
    sortNumber: lastSort + 10 * (at + 1),
    records: [],
    skips: [],
  }))
  return [...episodes, ...added]
}

function withRecords(episodes: readonly EpisodeHere[], { records }: Writes): readonly EpisodeHere[] {
  const added = Map.groupBy(records, ({ index }) => index)
  return episodes.map((episode, index) => {
    const own = added.get(index) ?? []
    const made = own.map((record) => ({ ...record, isCommented: isCommented({ ...record, moment: null }) }))
    return made.length === 0 ? episode : { ...episode, records: [...episode.records, ...made] }
  })
}

function withSkips(episodes: readonly EpisodeHere[], { skips }: Writes): readonly EpisodeHere[] {
  if (skips.length === 0) return episodes
  const added = Map.groupBy(skips, ({ index }) => index)
  return episodes.map((episode, index) => ({
    ...episode,
    skips: [...episode.skips, ...(added.get(index) ?? []).map(({ lap }) => lap)],
  }))
}

function withReviews(
  reviews: readonly ReviewHere[],
  written: readonly ImportedReview[],
  now: number,
): readonly ReviewHere[] {
  const changed = new Map(written.map((review) => [review.id, review]))
  const kept = reviews.map((review) => {
    const change = changed.get(review.id)
    return change === undefined ? review : { ...review, ...reviewColumns(change), modified_at: now }
  })
  const made = written
    .filter(({ id }) => id === null)
    .map((review, at) => ({
      ...reviewColumns(review),
      id: -1 - reviews.length - at,
      modified_at: null,
      created_at: review.own?.createdAt ?? now,
    }))
  return [...kept, ...made]
}

export const reviewColumns = (review: ImportedReview) => ({
  body: review.body,
  rating_overall_state: review.ratingState,
  score: review.score,
  watched_at: review.watchedAt,
  watched_at_precision: review.precision,
})
