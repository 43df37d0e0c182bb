import { expect, test } from 'bun:test'
import { slowQueryWatch } from '../../src/cli/server/observe'
import { openStore } from '../../src/db/open'
import { openCopy } from '../support/database-copy'
import { temporaryDirectory } from '../support/kiroku'
import { seedCatalogue } from '../support/seed'

/** A watch that considers every query slow, and what it logged. */
function watched() {
  const clock = { now: 0 }
  const told: string[] = []
  const log = (_: string, facts: object = {}) => void told.push(JSON.stringify(facts))
  const watch = slowQueryWatch(1, log, () => clock.now) ?? expect.unreachable()
  return { clock, told, watch }
}

test('reads, and writes inside a commit, are logged with placeholders for their values', async () => {
  using directory = temporaryDirectory()
  const { told, watch } = watched()
  const handle = await openCopy(directory.path, seedCatalogue)
  const store = openStore(directory.path, handle, { queries: { ...watch, slowMs: 0 } })
  await store.read.selectFrom('works').select('id').where('title', '=', 'hunter2').execute()
  const note = { name: 'hunter2', value: 'hunter2' }
  await store.write((tx) => tx.insertInto('instance').values(note).execute())
  await store.close()
  expect(told).toEqual([
    expect.stringContaining('from \\"works\\" where \\"title\\" = +?'),
    expect.stringContaining('insert into \\"instance\\"'),
  ])
  expect(told.join()).not.toContain('hunter2')
})

test('a query that is fast enough is not logged', async () => {
  using directory = temporaryDirectory()
  const { told, watch } = watched()
  const handle = await openCopy(directory.path, seedCatalogue)
  const store = openStore(directory.path, handle, { queries: { ...watch, slowMs: Number.POSITIVE_INFINITY } })
  await store.read.selectFrom('works').select('id').execute()
  await store.close()
  expect(told).toEqual([])
})

test('each is logged once a minute, and twenty in all', () => {
  const { clock, told, watch } = watched()
  for (let n = 0; n < 3; n++) watch.slow('select  1\n  from x', 5.4)
  expect(told).toEqual(['{"ms":5,"sql":"select 1 from x"}'])
  clock.now += 60_000
  watch.slow('select  1\n  from x', 7)
  expect(told).toHaveLength(2)
  for (let n = 0; n < 5000; n++) watch.slow(`select ${n}`, 9)
  expect(told).toHaveLength(21)
})

test('it can be turned off', () => {
  expect(slowQueryWatch(null, () => {})).toBeUndefined()
})
