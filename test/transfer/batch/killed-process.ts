import { openHandle, openStore } from '../../../src/db/open'
import type { Write } from '../../../src/db/write'
import { createLists } from '../../../src/transfer/batch/create-lists'

// Applies or undoes the import 1 of user 1 in the data directory, and kills itself in or after its nth transaction.
const [directory = '', act = '', nth = '', when = '', now = ''] = process.argv.slice(2)
const handle = openHandle(directory)
handle.run('pragma synchronous = off')
const store = openStore(directory, handle)
let writes = 0
const kill = () => process.kill(process.pid, 'SIGKILL')
const write: Write = async (change) => {
  const isLast = ++writes === Number(nth)
  const result = await store.write(async (tx) => {
    const changed = await change(tx)
    if (isLast && when === 'in') kill()
    return changed
  })
  if (isLast) kill()
  return result
}
const lists = createLists({ ...store, write, now: () => Number(now) })
await (act === 'apply' ? lists.apply(1, 1, { acceptsProbable: false }) : lists.undo(1, 1))
await lists.settled(1)
// It ended before it was killed.
console.log(writes)
