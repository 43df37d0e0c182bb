import { deleteRecord as command } from '../../library/record-commands'
import { defineMutation } from '../declare/mutation'
import { numberIn, runCommand } from './command'
import { subjectOf } from './own-row'

/** Returns the episode that the record was about. */
export const deleteRecord = defineMutation({
  name: 'deleteRecord',
  input: { recordId: 'ID!' },
  payload: ['episode', 'Episode'],
  run: async (input, context) => {
    const id = numberIn(input, 'recordId', 'Record')
    const episode = await subjectOf('records', id, context)
    await runCommand(command, { id }, context)
    return episode
  },
})
