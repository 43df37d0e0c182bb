import { ratingStates } from '../../library/ratings'
import { precisions } from '../../library/watched'
import type { ListedEpisode, OwnReview, OwnShares, Play, WorkRef } from '../row'
import { countIn, type Fields, fieldsOf, instantIn, textIn } from './fields'
import { refAt } from './row-parts'

/** A row of `records` in kiroku's own file. There may be very many, so defaults are left out. */
export function playOf(record: Fields): Play {
  const { watchedAt, precision = 'none' } = watchedOf(record)
  const [comment, rating] = [textIn(record.comment), ratingOf(record.rating_state)]
  const { episode, listed } = episodeOf(record.episode)
  const [points, createdAt] = [pointsIn(record.rating), instantIn(record.created_at)]
  const shares = sharesIn(record)
  return {
    episode,
    ...(watchedAt !== undefined && { watchedAt }),
    ...(rating !== undefined && { rating }),
    ...(comment !== '' && { comment }),
    own: {
      lap: countIn(record.lap) || 1,
      precision,
      ...(listed !== undefined && { listed }),
      ...(points !== undefined && { points }),
      ...(record.is_modified === true && { isModified: true }),
      ...(shares !== undefined && { shares }),
      ...(createdAt !== watchedAt && { createdAt }),
    },
  }
}

/** Adds `listed` if the number alone is ambiguous: two episodes may have it. */
export function episodeOf(value: unknown): { episode: number; listed?: ListedEpisode } {
  const { number, sort_number } = fieldsOf(value)
  const [count, sortNumber] = [countIn(number), Number.isInteger(sort_number) ? Number(sort_number) : 0]
  if (count !== undefined && sortNumber === count * 10) return { episode: count }
  const listed = { number: typeof number === 'string' ? number : null, sortNumber }
  return { episode: count ?? Math.max(0, Math.round(sortNumber / 10)), listed }
}

/** Version 1 of the file gives the time of creation for an unknown time. */
function watchedOf({ watched_at, watched_at_precision }: Fields) {
  const said = precisions.find((known) => known === watched_at_precision)
  const watchedAt = said === 'none' ? undefined : instantIn(watched_at)
  if (watchedAt !== undefined) return { watchedAt, precision: said ?? 'time' }
  return { precision: said === undefined ? undefined : ('none' as const) }
}

const pointsIn = (rating: unknown) =>
  typeof rating === 'number' && rating >= 0 && rating <= 5 ? rating : undefined

function sharesIn({ share_twitter, share_facebook }: Fields): OwnShares | undefined {
  const shares = { twitter: share_twitter === true, facebook: share_facebook === true }
  return shares.twitter || shares.facebook ? shares : undefined
}

export function reviewOf(review: Fields): OwnReview {
  return {
    body: textIn(review.body),
    ratings: {
      overall: ratingOf(review.rating_overall_state),
      animation: ratingOf(review.rating_animation_state),
      music: ratingOf(review.rating_music_state),
      story: ratingOf(review.rating_story_state),
      character: ratingOf(review.rating_character_state),
    },
    ...watchedOf(review),
    createdAt: instantIn(review.created_at),
    modifiedAt: instantIn(review.modified_at),
    shares: sharesIn(review),
  }
}

const ratingOf = (state: unknown) => ratingStates.find((known) => known === state)

/** kiroku's id comes first: it is this instance's if the titles agree. TMDB ids of series are listed without seasons. */
export function refsOf({ id, ids }: Fields): readonly WorkRef[] {
  const elsewhere = fieldsOf(ids)
  const film = textIn(elsewhere.tmdb)
  return [
    ...refAt('work', id),
    ...sites.flatMap((site) => refAt(site, elsewhere[site])),
    ...(/^movie\/\d+$/.test(film) ? [{ site: 'tmdb', id: film } as const] : []),
  ]
}

const sites = ['annict', 'mal', 'anilist', 'anidb', 'bangumi'] as const
