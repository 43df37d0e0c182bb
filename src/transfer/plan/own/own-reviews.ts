import type { OwnReview } from '../../row'
import type { ReviewHere } from '../here'
import type { PlannedReviews } from '../plan-reviews'
import type { ImportedReview } from '../planned-row'
import { proseOf } from '../said'

/** Reviews and viewings of kiroku's own file that are missing here. Existing ones are not changed. */
export function planOwnReviews(
  own: readonly OwnReview[],
  here: readonly ReviewHere[],
  now: number,
): PlannedReviews {
  const reviews = own.map((review) => ({ ...review, body: proseOf('a review', review.body) }))
  const other = unmatched(reviews, here, (one, { createdAt }) => one.created_at === createdAt)
  const { missing } = unmatched(other.missing, other.left, saysSame)
  return { reviews: missing.map((review) => newReview(review, now)), differs: false }
}

/** Each of `here` matches at most one of `own`. */
function unmatched(
  own: readonly OwnReview[],
  here: readonly ReviewHere[],
  isSame: (here: ReviewHere, own: OwnReview) => boolean,
) {
  const left = [...here]
  const missing = own.filter((review) => {
    const at = left.findIndex((each) => isSame(each, review))
    if (at >= 0) left.splice(at, 1)
    return at < 0
  })
  return { missing, left }
}

const saysSame = (here: ReviewHere, { body, ratings }: OwnReview): boolean =>
  here.body === body && here.rating_overall_state === (ratings.overall ?? null)

function newReview(review: OwnReview, now: number): ImportedReview {
  const { precision = null, watchedAt, createdAt = now } = review
  return {
    id: null,
    body: review.body,
    ratingState: review.ratings.overall ?? null,
    score: review.score ?? null,
    own: review,
    precision,
    watchedAt: precision === null ? null : (watchedAt ?? createdAt),
  }
}
