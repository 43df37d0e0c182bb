import { setStatus } from '../../library/statuses'
import { defineMutation } from '../declare/mutation'
import { numberIn, runCommand, stateIn } from './command'

/** Returns the work; for an id that was merged, that is the work it was merged into (D67). */
export const updateStatus = defineMutation({
  name: 'updateStatus',
  input: { state: 'StatusState!', workId: 'ID!' },
  payload: ['work', 'Work'],
  run: async (input, context) => {
    const work_id = numberIn(input, 'workId', 'Work')
    const state = stateIn(input, 'state')
    await runCommand(setStatus, { work_id, kind: state === 'no_state' ? 'no_select' : state }, context)
    const shown = await context.rows.shownIds('Work', [work_id])
    return shown.get(work_id) ?? work_id
  },
})
