import { openHandle, openStore } from '../../../src/db/open'
import { createLists } from '../../../src/transfer/batch/create-lists'
import { atTransactions } from './at-transactions'

// Applies or undoes import 1 of user 1 in the data directory, and kills itself in or after its nth transaction.
const [directory = '', act = '', nth = '', when = '', now = ''] = process.argv.slice(2)
const handle = openHandle(directory)
handle.run('pragma synchronous = off')
const store = openStore(directory, handle)
const write = atTransactions(store.write, (transaction, moment) => {
  if (transaction === Number(nth) && moment === when) process.kill(process.pid, 'SIGKILL')
})
const lists = createLists({ ...store, write, now: () => Number(now) })
await (act === 'apply' ? lists.apply(1, 1, { acceptsProbable: false }) : lists.undo(1, 1))
await lists.settled(1)
// It ended before it was killed.
console.log('ended')
