import { createReviewOrRatings } from '../../library/review-commands'
import { defineMutation } from '../declare/mutation'
import { numberIn, runCommand, shareInputs, sharesIn, textIn } from './command'
import { ratingInputs, ratingsIn } from './ratings'

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
