import { updateReviewOrRatings } from '../../library/review-commands'
import { defineMutation } from '../declare/mutation'
import { numberIn, runCommand, shareInputs, sharesIn, textIn } from './command'
import { ratingInputs, ratingsIn } from './ratings'

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
