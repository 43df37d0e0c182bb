import {
  createRecord as createCommand,
  deleteRecord as deleteCommand,
  updateRecord as updateCommand,
} from '../../library/record-commands'
import { defineMutation } from '../declare/mutation'
import { defineDeletion, numberIn, runCommand, shareInputs, sharesIn, stateIn, textIn } from './command'

export const createRecord = defineMutation({
  name: 'createRecord',
  input: { comment: 'String', episodeId: 'ID!', ratingState: 'RatingState', ...shareInputs },
  payload: ['record', 'Record'],
  run: (input, context) => {
    const values = { comment: textIn(input, 'comment'), rating_state: stateIn(input, 'ratingState') }
    const episode_id = numberIn(input, 'episodeId', 'Episode')
    return runCommand(createCommand, { episode_id, ...values, ...sharesIn(input) }, context)
  },
})

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
    return runCommand(updateCommand, { id, ...values, ...sharesIn(input) }, context)
  },
})

export const deleteRecord = defineDeletion({
  type: 'Record',
  subject: 'Episode',
  command: deleteCommand,
  table: 'records',
  column: 'episode_id',
})
