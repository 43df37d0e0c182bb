import { type RawValues, textOrBlank } from '../../http/request-values'
import { typedMark } from './private-mark'
import { type RatingTexts, typedRating } from './rating-form'
import { isDecade } from './typed-date'

/** What a form about a record or a viewing shows, or what was typed; `problem` is what is wrong with it. */
export interface OpinionTexts extends RatingTexts {
  readonly comment: string
  readonly watched_at: string
  /** '' leaves the time unchanged. */
  readonly precision: string
  readonly return_to: string
  /** Whether only its writer sees it. */
  readonly isPrivate: boolean
  readonly problem?: string
}

/** What was typed. A decade is stored as an unknown date (D61). */
export function typedOpinion(sent: RawValues) {
  const text = (name: string) => textOrBlank(sent, name)
  const watched_at = text('watched_at')
  const precision = isDecade(watched_at) ? 'none' : text('precision')
  const isPrivate = typedMark(sent)
  return { comment: text('comment'), ...typedRating(text), watched_at, precision, isPrivate }
}
