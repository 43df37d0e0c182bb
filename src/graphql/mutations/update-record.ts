import { updateRecord as command } from '../../library/record-commands'
import { defineMutation } from '../declare/mutation'
import { numberIn, runCommand, shareInputs, sharesIn, stateIn, textIn } from './command'

/** Clears what is not sent, unlike PATCH. */
export const updateRecord = defineMutation({
  name: 'updateRecord',
  input: { comment: 'String', ratingState: 'RatingState', recordId: 'ID!', ...shareInputs },
  payload: ['record', 'Record'],
  run: (input, context) => {
    const values = {
      comment: textIn(input, 'comment') ?? '',
      rating_state: stateIn(input, 'ratingState') ?? '',
    }
    const id = numberIn(input, 'recordId', 'Record')
    return runCommand(command, { id, ...values, ...sharesIn(input) }, context)
  },
})
