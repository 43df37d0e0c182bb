import { expect, test } from 'bun:test'
import { listsOf } from '../../../src/transfer/batch/lists-of'
import { createInstance } from '../../support/instance'
import { seedLibrary } from '../../support/seed-library'
import { csvOf, readCsv } from './any-list'

test('an impossible date is a warning on its row, the rest of which is imported', async () => {
  const kiroku = await createInstance({ seed: seedLibrary })
  const lists = listsOf(kiroku.deps)
  const columns = ['work_id', 'title', 'status', 'started_on', 'finished_on']
  const csv = csvOf(columns, [[6, '100点の恋', 'watched', '2016-02-30', '2016-03']])
  const { id } = await readCsv(lists, 2, csv)
  const { rows } = await lists.rows(2, id, { offset: 0, limit: 1 })
  expect(rows.map(({ state, shown }) => [state, shown.warnings, shown.startedOn, shown.finishedOn])).toEqual([
    ['new', ['started_on 2016-02-30 is no date'], null, '2016-03'],
  ])
  await lists.close()
  await kiroku.close()
})
