import type { OwnReview } from '../row'
import type { ReviewHere } from './here'
import type { PlannedReviews } from './plan-reviews'
import type { ImportedReview } from './planned-row'
import { proseOf } from './said'

/** The reviews and viewings of kiroku's own file that are not here. They change none. */
export function planOwnReviews(
  own: readonly OwnReview[],
  here: readonly ReviewHere[],
  now: number,
): PlannedReviews {
  const left = [...here]
  const reviews = own.map((review) => ({ ...review, body: proseOf('a review', review.body) }))
  const missing = reviews.filter((review) => {
    const at = left.findIndex((each) => isSame(each, review))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return { reviews: missing.map((review) => newReview(review, now)), differs: false }
}

const isSame = (here: ReviewHere, { createdAt, body, ratings }: OwnReview): boolean =>
  here.created_at === createdAt ||
  (here.body === body && here.rating_overall_state === (ratings.overall ?? null))

function newReview(review: OwnReview, now: number): ImportedReview {
  const { precision = null, watchedAt, createdAt = now } = review
  return {
    ...{ id: null, body: review.body, ratingState: review.ratings.overall ?? null, own: review },
    ...{ precision, watchedAt: precision === null ? null : (watchedAt ?? createdAt) },
  }
}
