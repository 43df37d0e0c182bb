import {
  createReviewOrRatings,
  deleteReview as deleteCommand,
  updateReviewOrRatings,
} from '../../library/review-commands'
import { defineMutation, type Input } from '../declare/mutation'
import { defineDeletion, numberIn, runCommand, shareInputs, sharesIn, stateIn, textIn } from './command'

const parts = ['Animation', 'Character', 'Music', 'Overall', 'Story'] as const

/** The inputs for the five ratings, all of one type. */
const ratingInputs = (type: string): Readonly<Record<string, string>> =>
  Object.fromEntries(parts.map((part) => [`rating${part}State`, type]))

export const createReview = defineMutation({
  name: 'createReview',
  input: {
    body: 'String!',
    ...ratingInputs('RatingState'),
    ...shareInputs,
    title: 'String',
    workId: 'ID!',
  },
  payload: ['review', 'Review'],
  run: (input, context) => {
    const texts = { title: textIn(input, 'title'), body: textIn(input, 'body') }
    const work_id = numberIn(input, 'workId', 'Work')
    const values = { work_id, ...texts, ...ratingsIn(input), ...sharesIn(input) }
    return runCommand(createReviewOrRatings, values, context)
  },
})

const ratingsIn = (input: Input): Readonly<Record<string, string | undefined>> =>
  Object.fromEntries(
    parts.map((part) => [`rating_${part.toLowerCase()}_state`, stateIn(input, `rating${part}State`)]),
  )

export const updateReview = defineMutation({
  name: 'updateReview',
  input: {
    body: 'String!',
    ...ratingInputs('RatingState!'),
    reviewId: 'ID!',
    ...shareInputs,
    title: 'String',
  },
  payload: ['review', 'Review'],
  run: (input, context) => {
    const texts = { title: textIn(input, 'title'), body: textIn(input, 'body') }
    const id = numberIn(input, 'reviewId', 'Review')
    const values = { id, ...texts, ...ratingsIn(input), ...sharesIn(input) }
    return runCommand(updateReviewOrRatings, values, context)
  },
})

export const deleteReview = defineDeletion({
  type: 'Review',
  subject: 'Work',
  command: deleteCommand,
  table: 'reviews',
  column: 'work_id',
})
