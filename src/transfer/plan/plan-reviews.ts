import { changedOpinion } from '../../library/ratings'
import { isExact } from '../../library/watched'
import type { KnownMoment } from './file-dates'
import type { ReviewHere } from './here'
import type { ImportedReview } from './planned-row'
import type { Said } from './said'
import { type FilePlay, sittingMs } from './sittings'

export interface PlannedReviews {
  readonly reviews: readonly ImportedReview[]
  /** The file has a different rating or text. */
  readonly differs: boolean
}

interface ReviewsToPlan {
  readonly here: readonly ReviewHere[]
  readonly said: Pick<Said, 'rating' | 'score' | 'note'>
  readonly viewings: Viewings
  readonly now: number
  fileWins(review: ReviewHere): boolean
}

export interface Viewings {
  readonly plays: readonly FilePlay[]
  /** One viewing at any time is enough, because a list only says when the work was finished. */
  readonly isOnce: boolean
  /** The rating or text belongs to a viewing. */
  readonly isSeen: boolean
}

export const noViewings: Viewings = { plays: [], isOnce: false, isSeen: false }

/** Missing viewings, and the rating and note if there are none, or if the file's replace them. */
export function planReviews({ here, said, viewings, now, fileWins }: ReviewsToPlan): PlannedReviews {
  const hasText = said.rating !== null || said.score !== null || said.note !== ''
  const plays = hasText ? viewings.plays.map(bare) : viewings.plays
  const viewed = withViewings(here.map(draftOf), { ...viewings, plays }, now)
  const drafts = viewed.length === 0 && hasText ? [newReview(viewings.isSeen ? now : null)] : viewed
  const at = placeOfText(drafts, viewings)
  const [draft, original] = [drafts[at], here[at]]
  if (draft === undefined) return { reviews: [], differs: false }
  const wins = original !== undefined && fileWins(original)
  const filled = { ...draft, ...filledIn(draft, said, wins) }
  return {
    reviews: drafts.with(at, filled).filter((each, index) => isChanged(each, here[index])),
    differs:
      isOther(draft.body, said.note, '') ||
      isOther(draft.ratingState, said.rating, null) ||
      isOther(draft.score, said.score, null),
  }
}

/** The viewing that the row is about; if it is about several, the newest with a text or rating, otherwise the newest. */
function placeOfText(drafts: readonly ImportedReview[], { plays, isOnce }: Viewings): number {
  const [moment, another] = plays.map((play) => play.moment)
  const isOfOne = !isOnce && moment && another === undefined
  const ownAt = isOfOne ? drafts.findIndex(({ watchedAt }) => isNear(watchedAt, moment)) : -1
  const filledAt = drafts.findLastIndex(
    (one) => one.body !== '' || one.ratingState !== null || one.score !== null,
  )
  return [ownAt, filledAt].find((place) => place >= 0) ?? drafts.length - 1
}

const isNear = (at: number | null, moment: KnownMoment): boolean =>
  at !== null && Math.abs(at - moment.at) <= sittingMs

/** The row's rating and note take precedence over those of its plays. */
const bare = ({ moment }: FilePlay): FilePlay => ({ moment, ratingState: null, score: null, comment: '' })

const draftOf = (review: ReviewHere): ImportedReview => ({
  id: review.id,
  body: review.body,
  ratingState: review.rating_overall_state,
  score: review.score,
  watchedAt: review.watched_at,
  precision: review.watched_at_precision,
})

const newReview = (watchedAt: number | null): ImportedReview => ({
  id: null,
  body: '',
  ratingState: null,
  score: null,
  watchedAt,
  precision: watchedAt === null ? null : 'none',
})

/** Viewings at an unknown time get the times of plays first. */
function withViewings(
  drafts: readonly ImportedReview[],
  { plays, isOnce }: Viewings,
  now: number,
): readonly ImportedReview[] {
  const known = drafts.flatMap(({ watchedAt, precision }) =>
    watchedAt !== null && isExact(precision ?? 'none') ? [watchedAt] : [],
  )
  if (isOnce && known.length > 0) return drafts
  const missing = plays.filter(({ moment }) => moment !== null && !known.some((at) => isNear(at, moment)))
  const undated = plays.length - plays.filter(({ moment }) => moment !== null).length
  const dated = missing.map((play) => viewingOf(play, now))
  const merged = drafts.map((draft) => {
    const [next] = (draft.precision ?? 'none') === 'none' ? dated.splice(0, 1) : []
    return next === undefined
      ? draft
      : {
          ...next,
          ...filledIn(draft, { rating: next.ratingState, score: next.score, note: next.body }, false),
          id: draft.id,
        }
  })
  const all = [...merged, ...dated]
  const others = plays.slice(plays.length - undated).slice(all.length)
  return [...all, ...others.map((play) => viewingOf(play, now))]
}

const viewingOf = ({ moment, comment, ratingState, score }: FilePlay, now: number): ImportedReview => ({
  id: null,
  body: comment,
  ratingState,
  score,
  watchedAt: moment?.at ?? now,
  precision: moment?.precision ?? 'none',
})

/** A blank text or rating in the file erases nothing. */
const filledIn = (
  draft: ImportedReview,
  { note, ...said }: ReviewsToPlan['said'],
  wins: boolean,
): Pick<ImportedReview, 'body' | 'ratingState' | 'score'> => ({
  body: note !== '' && (wins || draft.body === '') ? note : draft.body,
  ...ratedIn(draft, said, wins),
})

/** The number that a file has for the word here is filled in always: an earlier version kept only words. */
function ratedIn(
  { ratingState, score }: ImportedReview,
  said: Pick<Said, 'rating' | 'score'>,
  wins: boolean,
): Pick<ImportedReview, 'ratingState' | 'score'> {
  const isUnrated = ratingState === null && score === null
  const isNumberAlone = score === null && ratingState === said.rating
  if (said.score !== null && (wins || isUnrated || isNumberAlone))
    return { ratingState: said.rating, score: said.score }
  if (said.rating === null || !(wins || isUnrated)) return { ratingState, score }
  const changed = changedOpinion(score, { rating_state: said.rating })
  return { ratingState: said.rating, score: changed.score === undefined ? score : changed.score }
}

const isOther = <T>(here: T, said: T, none: T): boolean => said !== none && here !== none && here !== said

const isChanged = (draft: ImportedReview, original: ReviewHere | undefined): boolean =>
  original === undefined ||
  draft.body !== original.body ||
  draft.ratingState !== original.rating_overall_state ||
  draft.score !== original.score ||
  draft.watchedAt !== original.watched_at ||
  draft.precision !== original.watched_at_precision
