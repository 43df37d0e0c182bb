import Type from 'typebox'
import { nullable } from '../api/paging'
import { wordParam } from '../api/param-kinds'
import { param } from '../api/params'
import { decimal } from '../values/number'

/** Worst first. */
export const ratingStates = ['bad', 'average', 'good', 'great'] as const
export type RatingState = (typeof ratingStates)[number]

/** Null when not given (D20). */
export const ratingStateSchema = (what: string) =>
  nullable(Type.String({ enum: [...ratingStates], description: what, examples: ['great'] }))

export const ratingStateParam = (what: string) => wordParam(ratingStates, what)

/** Below 3 bad, below 3.5 average, below 4.5 good, else great; null for 0 (D33). */
export function stateOfRating(rating: number): RatingState | null {
  if (rating === 0) return null
  if (rating < 3) return 'bad'
  if (rating < 3.5) return 'average'
  return rating < 4.5 ? 'good' : 'great'
}

/** Deprecated: a number from 0 to 5 in steps of 0.1 (D33). */
export const ratingParam = param(
  decimal(5, 0.1),
  'Deprecated: use rating_state instead; from 0 to 5 in steps of 0.1',
  4.5,
)
