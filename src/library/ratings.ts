import Type from 'typebox'
import { nullable } from '../api/paging'
import { wordParam } from '../api/param-kinds'
import { param } from '../api/params'
import type { Tx } from '../db/write'
import { decimal, integerBetween } from '../values/number'

/** Worst first. */
export const ratingStates = ['bad', 'average', 'good', 'great'] as const
export type RatingState = (typeof ratingStates)[number]

/** Null when not given (D20). */
export const ratingStateSchema = (what: string) =>
  nullable(Type.String({ enum: [...ratingStates], description: what, examples: ['great'] }))

export const ratingStateParam = (what: string) => wordParam(ratingStates, what)

/** Below 3 bad, below 3.5 average, below 4.5 good, else great; null for 0 (D33). */
function stateOfRating(rating: number): RatingState | null {
  if (rating === 0) return null
  if (rating < 3) return 'bad'
  if (rating < 3.5) return 'average'
  return rating < 4.5 ? 'good' : 'great'
}

/** Below 50 bad, below 70 average, below 90 good, else great (D87). */
export function stateOfScore(score: number): RatingState {
  if (score < 50) return 'bad'
  if (score < 70) return 'average'
  return score < 90 ? 'good' : 'great'
}

/** The word, the number from 1 to 100, and the number as Annict's clients know it, from 0 to 5; null without one. */
export interface KeptOpinion {
  readonly score: number | null
  readonly rating: number | null
  readonly rating_state: RatingState | null
}

/** Undefined is not sent, null clears; a score of 0 clears too. */
export type SentOpinion = { readonly [Name in keyof KeptOpinion]?: KeptOpinion[Name] | undefined }

/**
 * What of an opinion whose score is `stored` changes by what was sent (D33, D87): undefined for what stays. A number sent alone
 * brings its word; a word sent alone clears a number that means another.
 */
export function changedOpinion(stored: number | null, sent: SentOpinion): SentOpinion {
  const { score, rating, rating_state } = sent
  if (score !== undefined) {
    const number = score === 0 ? null : score
    const word = number === null ? undefined : stateOfScore(number)
    return {
      score: number,
      rating: number === null ? null : Math.round(number / 2) / 10,
      ...wordOr(word, sent),
    }
  }
  if (rating !== undefined) {
    const word = rating === null ? undefined : stateOfRating(rating)
    return { score: rating === null ? null : scoreOfRating(rating), rating, ...wordOr(word, sent) }
  }
  const isMeant = stored === null || rating_state == null || meansWord(stored, rating_state)
  return isMeant ? { rating_state } : { score: null, rating_state }
}

const wordOr = (word: RatingState | null | undefined, { rating_state = word }: SentOpinion) => ({
  rating_state,
})

/** Of 100; null for 0. */
const scoreOfRating = (rating: number): number | null => Math.round(rating * 20) || null

/** By this table or by that of the former number (D33). */
const meansWord = (score: number, word: RatingState): boolean =>
  stateOfScore(score) === word || stateOfRating(score / 20) === word

/** Of something new. */
export const newOpinion = (sent: SentOpinion): KeptOpinion => {
  const { score = null, rating = null, rating_state = null } = changedOpinion(null, sent)
  return { score, rating, rating_state }
}

interface OverallOpinion {
  readonly score?: number | null | undefined
  readonly rating_overall_state?: RatingState | null | undefined
}

/** As `changedOpinion`, of a review or a viewing. */
export function changedOverall(stored: number | null, { score, rating_overall_state }: OverallOpinion) {
  const changed = changedOpinion(stored, { score, rating_state: rating_overall_state })
  return { score: changed.score, rating_overall_state: changed.rating_state }
}

/** Of a new review or viewing. */
export function newOverall(sent: OverallOpinion) {
  const { score = null, rating_overall_state = null } = changedOverall(null, sent)
  return { score, rating_overall_state }
}

/** What is pressed on a page: null takes the rating back, undefined leaves it. */
export interface PressedRating {
  readonly ratingState?: RatingState | null | undefined
  /** From 1 to 100; without a word it brings one (D87). */
  readonly score?: number | undefined
}

/**
 * What a press sends of a rating that is stored: what was shown as chosen changes nothing, though the two may have been kept as
 * they were sent, and whoever takes the rating back takes back its number too.
 */
export function pressedOpinion(
  stored: { readonly score: number | null; readonly rating_state: string | null },
  { ratingState, score }: PressedRating,
): SentOpinion {
  if (score !== undefined && ratingState == null) return score === stored.score ? {} : { score }
  if (score !== undefined) return { score, rating_state: ratingState }
  if (ratingState === null) return { score: null, rating_state: null }
  return ratingState === stored.rating_state ? {} : { rating_state: ratingState }
}

/** Null also if there is no such row. */
export async function storedScore(tx: Tx, table: 'records' | 'reviews', id: number): Promise<number | null> {
  const [row] = await tx.selectFrom(table).select('score').where('id', '=', id).execute()
  return row?.score ?? null
}

export const scoreSchema = nullable(
  Type.Integer({
    minimum: 1,
    maximum: 100,
    description: 'Extension: a number from 1 to 100',
    examples: [85],
  }),
)

export const scoreParam = param(
  integerBetween(0, 100),
  'Extension: a number from 1 to 100; 0 for none. Without a word, it sets the word: below 50 bad, below 70 average, ' +
    'below 90 good, else great',
  85,
)

/** Deprecated: a number from 0 to 5 in steps of 0.1 (D33). */
export const ratingParam = param(
  decimal(5, 0.1),
  'Deprecated: use rating_state instead; from 0 to 5 in steps of 0.1',
  4.5,
)
