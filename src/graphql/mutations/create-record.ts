import { createRecord as command } from '../../library/record-commands'
import { defineMutation } from '../declare/mutation'
import { numberIn, runCommand, shareInputs, sharesIn, stateIn, textIn } from './command'

export const createRecord = defineMutation({
  name: 'createRecord',
  input: { comment: 'String', episodeId: 'ID!', ratingState: 'RatingState', ...shareInputs },
  payload: ['record', 'Record'],
  run: (input, context) => {
    const values = { comment: textIn(input, 'comment'), rating_state: stateIn(input, 'ratingState') }
    const episode_id = numberIn(input, 'episodeId', 'Episode')
    return runCommand(command, { episode_id, ...values, ...sharesIn(input) }, context)
  },
})
