import { deleteReview as command } from '../../library/review-commands'
import { defineMutation } from '../declare/mutation'
import { numberIn, runCommand } from './command'
import { subjectOf } from './own-row'

/** Returns the work that the review was about. */
export const deleteReview = defineMutation({
  name: 'deleteReview',
  input: { reviewId: 'ID!' },
  payload: ['work', 'Work'],
  run: async (input, context) => {
    const id = numberIn(input, 'reviewId', 'Review')
    const work = await subjectOf('reviews', id, context)
    await runCommand(command, { id }, context)
    return work
  },
})
