import { afterEach, beforeEach, expect, spyOn, test } from 'bun:test'
import { sql } from 'kysely'
import { editRecord } from '../../../src/library/acts/own-record-acts'
import { selectChanges } from '../../../src/library/undo/take-back'
import { undoChange } from '../../../src/library/undo/undo-changes'
import { createLists } from '../../../src/transfer/batch/create-lists'
import { createInstance, type Instance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'
import { csvOf, readCsv, takeOver, undoWhole } from './any-list'
import { dumpOf } from './support'

const mio = 1
let kiroku: Instance
beforeEach(async () => {
  kiroku = await createInstance({ seed: seedLibrary })
})
afterEach(() => kiroku.close())

const watched = (episodes: number) => ({
  csv: csvOf(['work_id', 'title', 'status', 'progress'], [[6, '100点の恋', 'watching', episodes]]),
  conflict: 'file' as const,
})

const records = () =>
  kiroku.store.handle
    .query<{ id: number }, []>('select id from records where user_id = 1 and work_id = 6 order by id')
    .all()
    .map(({ id }) => id)

/** Lists whose transactions never take long, and by how many records each changed the library. */
function timeless() {
  const steps: number[] = []
  const write: typeof kiroku.deps.write = async (change) => {
    const before = records().length
    const result = await kiroku.deps.write(change)
    steps.push(Math.abs(records().length - before))
    return result
  }
  return { lists: createLists({ ...kiroku.deps, write }), steps }
}

test('an import is applied and undone at most 100 and 200 rows at a time, however fast that is (promise 11)', async () => {
  const before = dumpOf(kiroku.store.handle)
  const { lists, steps } = timeless()
  const now = spyOn(performance, 'now').mockReturnValue(0)
  const id = await takeOver(lists, mio, watched(450))
  const applied = steps.splice(0)
  await undoWhole(lists, mio, id)
  now.mockRestore()
  expect([applied.reduce((sum, step) => sum + step), Math.max(...applied)]).toEqual([450, 100])
  expect([steps.reduce((sum, step) => sum + step), Math.max(...steps)]).toEqual([450, 200])
  expect(dumpOf(kiroku.store.handle)).toEqual(before)
  await lists.close()
})

test('rows of a file that change nothing are passed over at most 500 at a time (promise 11)', async () => {
  const unknown = Array.from({ length: 1200 }, (_, n) => [9000 + n, `知らない作品${n}`, 'watched', 1])
  const done = () =>
    kiroku.store.handle.query<{ done: number }, []>('select done from list_imports').get()?.done ?? 0
  const steps: number[] = []
  const write: typeof kiroku.deps.write = async (change) => {
    const before = done()
    const result = await kiroku.deps.write(change)
    steps.push(done() - before)
    return result
  }
  const lists = createLists({ ...kiroku.deps, write })
  const csv = csvOf(['work_id', 'title', 'status', 'progress'], unknown)
  const { id } = await readCsv(lists, mio, csv)
  steps.splice(0)
  const now = spyOn(performance, 'now').mockReturnValue(0)
  await lists.apply(mio, id, { acceptsProbable: true })
  await lists.settled(id)
  now.mockRestore()
  expect([done(), Math.max(...steps)]).toEqual([1200, 500])
  await lists.close()
})

test('an undo that is interrupted after each row goes on with the next one, and leaves one that stays once', async () => {
  const { lists } = timeless()
  const id = await takeOver(lists, mio, watched(5))
  const all = records()
  const third = all[2] ?? 0
  kiroku.clock.now += 1000
  await editRecord(kiroku.deps, mio, { recordId: third, comment: 'あとで' })
  const left: number[][] = []
  const undoNext = () =>
    kiroku.deps.write(async (tx) => {
      const [change] = await selectChanges(
        tx,
        sql`import_id = ${id} and table_name = 'records' and left_because is null`,
      )
      return change === undefined || (await undoChange(tx, change, () => true))
    })
  let isDone = false
  while (!isDone && left.length < 9) {
    isDone = await undoNext()
    left.push(records().map((record) => all.indexOf(record)))
  }
  expect(left).toEqual([[0, 1, 2, 3], [0, 1, 2], [0, 1, 2], [0, 2], [2]])
  const stays = kiroku.store.handle
    .query("select row_id, last_id, left_because from changes where import_id = ? and table_name = 'records'")
    .all(id)
  expect(stays).toEqual([{ row_id: third, last_id: third, left_because: 'changed' }])
  await lists.close()
})
