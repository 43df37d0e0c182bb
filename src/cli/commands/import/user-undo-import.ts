import { Failure } from '../../../lib/failure'
import { shownImport } from '../../../transfer/api/import-schema'
import type { ListImport } from '../../../transfer/batch/list-import'
import { positiveInteger } from '../../../values/number'
import { InvalidValue } from '../../../values/value'
import { type Command, json } from '../../command'
import { requireDone } from './report'
import { withLists } from './with-lists'

export const userUndoImport: Command = {
  name: 'user undo-import',
  summary: 'Removes what an import added, except what was changed since.',
  operands: [{ name: 'USERNAME' }, { name: 'ID' }],
  options: [json],
  examples: ['kiroku user undo-import mio 3'],
  run: async (call) => {
    const id = positiveInteger.read(call.operands[1] ?? '')
    if (id instanceof InvalidValue)
      throw new Failure('usage', 'ID must be the number of an import: see kiroku user imports')
    const undone = await withLists(call, async (lists, userId) => {
      await lists.undo(userId, id)
      await lists.settled(id)
      return requireDone(await lists.find(userId, id))
    })
    await call.print(call.get(json) ? JSON.stringify(shownImport(undone), null, 2) : undoneText(undone))
  },
}

const undoneText = ({ id, left }: ListImport) =>
  [
    `undid the import ${id}`,
    ...left.map(({ kind, id: row, workId, why }) => `left ${kind} ${row} of work ${workId}: ${reasons[why]}`),
  ].join('\n')

const reasons = { changed: 'it was changed since', used: 'it is in use' } as const
