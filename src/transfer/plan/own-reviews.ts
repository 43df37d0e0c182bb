import { trimmed } from '../../lib/white-space'
import type { OwnReview } from '../row'
import { type FileClock, momentOf } from './file-dates'
import type { ReviewHere } from './here'
import type { PlannedReviews } from './plan-reviews'
import type { ImportedReview } from './planned-row'
import { proseOf } from './said'

/** The reviews of a file of kiroku that are not here, each whole. Nothing that is here changes. */
export function planOwnReviews(
  own: readonly OwnReview[],
  here: readonly ReviewHere[],
  clock: FileClock,
): PlannedReviews {
  const known = here.map((review) =>
    keyOf({
      body: review.body,
      ratingState: review.rating_overall_state,
      watchedAt: review.watched_at,
      precision: review.watched_at_precision,
    }),
  )
  const reviews = own
    .map((review) => importedOf(review, clock))
    .filter((review) => {
      const at = known.indexOf(keyOf(review))
      if (at >= 0) known.splice(at, 1)
      return at < 0 && saysAnything(review)
    })
  return { reviews, differs: false }
}

function importedOf(review: OwnReview, clock: FileClock): ImportedReview {
  const createdAt = Math.min(review.createdAt ?? clock.now, clock.now)
  const watchedAt = momentOf(review.watchedAt, clock)?.at ?? null
  const isViewing = review.precision !== undefined
  return {
    id: null,
    body: trimmed(proseOf('a review', review.body)),
    ratingState: review.ratings.overall ?? null,
    watchedAt: isViewing ? (watchedAt ?? createdAt) : null,
    precision: isViewing ? (watchedAt !== null && review.precision) || 'none' : null,
    own: { ratings: review.ratings, createdAt, modifiedAt: review.modifiedAt ?? null },
  }
}

/** A time that nobody knows is as good as another. */
const keyOf = ({ body, ratingState, watchedAt, precision }: Omit<ImportedReview, 'id' | 'own'>): string =>
  JSON.stringify([body, ratingState, precision, precision === 'none' ? null : watchedAt])

const saysAnything = ({ body, precision, own }: ImportedReview): boolean =>
  body !== '' ||
  precision !== null ||
  Object.values(own?.ratings ?? {}).some((rating) => rating !== undefined)
